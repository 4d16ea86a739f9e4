CREATE TABLE `erased_items` (
	`erasure_id` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`content_hash` text,
	PRIMARY KEY(`erasure_id`, `kind`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `erased_items_item` ON `erased_items` (`item_id`,`kind`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`object_reference_hash` text NOT NULL,
	`reason` text NOT NULL,
	`counts` text NOT NULL,
	`erased_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`erased_at` text NOT NULL,
	`completed_at` text
);
--> statement-breakpoint
CREATE INDEX `erasures_page` ON `erasures` (`erased_at`,`id`);--> statement-breakpoint
CREATE INDEX `erasures_pending` ON `erasures` (`id`) WHERE completed_at is null;