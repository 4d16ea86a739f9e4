CREATE TABLE `suite_policies` (
	`family_id` text PRIMARY KEY NOT NULL,
	`requires` text NOT NULL,
	`lifted_until` text,
	`lift_reason` text,
	`set_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`set_at` text NOT NULL
);
