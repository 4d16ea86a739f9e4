CREATE TABLE `batch_rows` (
	`batch_id` text NOT NULL,
	`number` integer NOT NULL,
	`line` integer NOT NULL,
	`state` text NOT NULL,
	`submission_id` text,
	`object_reference` text,
	`raw_input` text,
	`received_at` text,
	`reopened` integer NOT NULL,
	`cause` text,
	`code` text,
	`step` text,
	`place` text,
	`message` text,
	PRIMARY KEY(`batch_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `batch_rows_state` ON `batch_rows` (`batch_id`,`state`,`number`) WHERE state <> 'completed';--> statement-breakpoint
CREATE INDEX `batch_rows_cause` ON `batch_rows` (`batch_id`,`cause`,`number`) WHERE cause is not null;--> statement-breakpoint
CREATE INDEX `batch_rows_submission` ON `batch_rows` (`submission_id`);--> statement-breakpoint
CREATE INDEX `batch_rows_open` ON `batch_rows` (`batch_id`) WHERE state in ('waiting', 'submitted');--> statement-breakpoint
CREATE INDEX `batch_rows_kept` ON `batch_rows` (`batch_id`) WHERE raw_input is not null;--> statement-breakpoint
CREATE TABLE `batches` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`model_slug` text NOT NULL,
	`format` text NOT NULL,
	`content_hash` text NOT NULL,
	`file_hash` text,
	`byte_size` integer NOT NULL,
	`rows` integer NOT NULL,
	`reading` text NOT NULL,
	`official_time` text,
	`params` text,
	`status` text NOT NULL,
	`pause_reason` text,
	`next_row` integer NOT NULL,
	`next_offset` integer NOT NULL,
	`created_by` text NOT NULL,
	`token_id` text,
	`correlation_id` text NOT NULL,
	`traceparent` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`completed_at` text
);
--> statement-breakpoint
CREATE INDEX `batches_page` ON `batches` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `batches_model_page` ON `batches` (`model_slug`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `batches_status_page` ON `batches` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `batches_file` ON `batches` (`file_hash`) WHERE file_hash is not null;