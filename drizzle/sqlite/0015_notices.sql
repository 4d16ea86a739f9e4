CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text,
	`address` text,
	`browser` text,
	`expires_at` text,
	`created_at` text NOT NULL,
	`read_at` text
);
--> statement-breakpoint
CREATE INDEX `notices_user` ON `notices` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `notices_age` ON `notices` (`created_at`);--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `reminded_at` text;--> statement-breakpoint
CREATE INDEX `api_tokens_expiry` ON `api_tokens` (`expires_at`);