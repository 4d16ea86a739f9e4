CREATE TABLE "factors" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"credential_id" text collate "C",
	"host" text collate "C",
	"transports" text,
	"counter" bigint NOT NULL,
	"failures" bigint NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"last_used_at" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"code_hash" text collate "C" PRIMARY KEY NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"used_at" text collate "C"
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "awaits" text collate "C";--> statement-breakpoint
CREATE UNIQUE INDEX "factors_credential" ON "factors" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "factors_user" ON "factors" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");