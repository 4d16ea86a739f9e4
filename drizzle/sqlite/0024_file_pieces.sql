CREATE TABLE `file_pieces` (
	`file_id` text NOT NULL,
	`number` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`file_id`, `number`)
);
--> statement-breakpoint
ALTER TABLE `families` ADD `draft_file_id` text;--> statement-breakpoint
ALTER TABLE `versions` ADD `file_id` text;