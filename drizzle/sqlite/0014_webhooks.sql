CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`aggregate` text NOT NULL,
	`aggregate_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` text NOT NULL,
	`last_at` text,
	`last_ms` integer,
	`last_status` integer,
	`last_answer` text,
	`created_at` text NOT NULL,
	`ended_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_sequence` ON `webhook_deliveries` (`aggregate_id`,`aggregate`,`webhook_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`due_at`,`id`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_page` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_status_page` ON `webhook_deliveries` (`webhook_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`event_types` text,
	`families` text,
	`status` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` text,
	`failures` integer NOT NULL,
	`failing_since` text,
	`retry_at` text,
	`last_success_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `for_webhooks` integer;--> statement-breakpoint
CREATE INDEX `events_for_webhooks` ON `events` (`created_at`,`id`) WHERE for_webhooks is not null;