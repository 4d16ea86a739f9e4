ALTER TABLE "releases" ADD COLUMN "fragments" text;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "fragments" text;