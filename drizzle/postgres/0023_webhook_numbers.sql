-- expands
ALTER TABLE "events" ADD COLUMN "webhook_number" bigint;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "number" bigint DEFAULT 0 NOT NULL;