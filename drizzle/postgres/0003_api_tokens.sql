CREATE TABLE "api_tokens" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"token_hash" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"scopes" text NOT NULL,
	"families" text,
	"created_by" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"expires_at" text collate "C" NOT NULL,
	"revoked_at" text collate "C",
	"last_used_at" text collate "C",
	"last_address" text collate "C"
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_service" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_token" ON "api_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id","id");