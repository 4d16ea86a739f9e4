CREATE TABLE "notices" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"name" text collate "C",
	"address" text collate "C",
	"browser" text collate "C",
	"expires_at" text collate "C",
	"created_at" text collate "C" NOT NULL,
	"read_at" text collate "C"
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "reminded_at" text collate "C";--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notices_age" ON "notices" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "api_tokens_expiry" ON "api_tokens" USING btree ("expires_at");