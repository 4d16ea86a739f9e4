ALTER TABLE "sessions" ADD COLUMN "address" text collate "C";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "browser" text collate "C";