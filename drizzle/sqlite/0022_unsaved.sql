-- expands
CREATE TABLE `unsaved_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`family_id` text NOT NULL,
	`tab_id` text NOT NULL,
	`browser_id` text NOT NULL,
	`step` integer NOT NULL,
	`content` text NOT NULL,
	`content_hash` text NOT NULL,
	`base_revision` integer NOT NULL,
	`base` text,
	`byte_size` integer NOT NULL,
	`is_open` integer NOT NULL,
	`begun_at` text NOT NULL,
	`typed_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unsaved_texts_user` ON `unsaved_texts` (`user_id`,`family_id`,`id`);--> statement-breakpoint
CREATE INDEX `unsaved_texts_age` ON `unsaved_texts` (`typed_at`);