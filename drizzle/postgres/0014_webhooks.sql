CREATE TABLE "webhook_deliveries" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"webhook_id" text collate "C" NOT NULL,
	"event_id" text collate "C" NOT NULL,
	"aggregate" text collate "C" NOT NULL,
	"aggregate_id" text collate "C" NOT NULL,
	"sequence" bigint NOT NULL,
	"type" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"attempts" bigint NOT NULL,
	"due_at" text collate "C" NOT NULL,
	"last_at" text collate "C",
	"last_ms" bigint,
	"last_status" bigint,
	"last_answer" text collate "C",
	"created_at" text collate "C" NOT NULL,
	"ended_at" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"url" text collate "C" NOT NULL,
	"event_types" text,
	"families" text,
	"status" text collate "C" NOT NULL,
	"secret" text collate "C" NOT NULL,
	"previous_secret" text collate "C",
	"previous_until" text collate "C",
	"failures" bigint NOT NULL,
	"failing_since" text collate "C",
	"retry_at" text collate "C",
	"last_success_at" text collate "C",
	"created_by" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"updated_at" text collate "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "for_webhooks" boolean;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_sequence" ON "webhook_deliveries" USING btree ("aggregate_id","aggregate","webhook_id","sequence");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","due_at","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_page" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_status_page" ON "webhook_deliveries" USING btree ("webhook_id","status","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_for_webhooks" ON "events" USING btree ("created_at","id") WHERE for_webhooks is not null;