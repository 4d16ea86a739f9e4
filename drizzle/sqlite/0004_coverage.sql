CREATE TABLE `audit_heads` (
	`position` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`store` text NOT NULL,
	`at` text NOT NULL,
	`public_key` text NOT NULL,
	`signature` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `audit_records` ADD `content_hash` text;--> statement-breakpoint
ALTER TABLE `audit_records` ADD `digest` text;--> statement-breakpoint
ALTER TABLE `audit_records` ADD `attestation` text;--> statement-breakpoint
ALTER TABLE `idempotency` ADD `attestation` text;