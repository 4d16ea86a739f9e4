CREATE TABLE `retention` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`policies` text NOT NULL,
	`set_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`set_at` text NOT NULL,
	`noted_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `retention_number` ON `retention` (`number`);--> statement-breakpoint
CREATE INDEX `retention_unnoted` ON `retention` (`id`) WHERE noted_at is null;--> statement-breakpoint
ALTER TABLE `erasures` ADD `rule` text;