CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`object_reference` text,
	`object_reference_hash` text,
	`model_slug` text,
	`reason` text NOT NULL,
	`placed_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`placed_at` text NOT NULL,
	`release_reason` text,
	`released_by` text,
	`released_at` text,
	`noted_at` text
);
--> statement-breakpoint
CREATE INDEX `holds_page` ON `holds` (`placed_at`,`id`);--> statement-breakpoint
CREATE INDEX `holds_object` ON `holds` (`object_reference_hash`) WHERE released_at is null;--> statement-breakpoint
CREATE INDEX `holds_model` ON `holds` (`model_slug`) WHERE released_at is null;--> statement-breakpoint
CREATE INDEX `holds_unnoted` ON `holds` (`id`) WHERE noted_at is null;