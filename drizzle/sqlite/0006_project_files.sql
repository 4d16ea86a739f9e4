CREATE TABLE `project_files` (
	`path` text PRIMARY KEY NOT NULL,
	`content` blob NOT NULL,
	`content_hash` text NOT NULL,
	`written_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`written_at` text NOT NULL
);
