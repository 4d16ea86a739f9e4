CREATE TABLE `audit_outlets` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`sent_at` text NOT NULL
);
