-- expands
ALTER TABLE `events` ADD `webhook_number` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `number` integer DEFAULT 0 NOT NULL;