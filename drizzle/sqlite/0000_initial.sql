CREATE TABLE `activations` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`family_id` text NOT NULL,
	`family_slug` text NOT NULL,
	`version_id` text NOT NULL,
	`version` integer NOT NULL,
	`content_hash` text NOT NULL,
	`effective_from` text NOT NULL,
	`scheduled_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`scheduled_at` text NOT NULL,
	`status` text NOT NULL,
	`cancelled_at` text,
	`cancellation_code` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activations_instant` ON `activations` (`family_id`,`effective_from`) WHERE cancelled_at is null;--> statement-breakpoint
CREATE INDEX `activations_due` ON `activations` (`effective_from`) WHERE (status || '') = 'scheduled';--> statement-breakpoint
CREATE INDEX `activations_page` ON `activations` ((scheduled_at || ''),`id`);--> statement-breakpoint
CREATE INDEX `activations_status_page` ON `activations` (`status`,`scheduled_at`,`id`);--> statement-breakpoint
CREATE INDEX `activations_family_page` ON `activations` (`family_id`,`scheduled_at`,`id`);--> statement-breakpoint
CREATE INDEX `activations_family_status_page` ON `activations` (`family_id`,`status`,`scheduled_at`,`id`);--> statement-breakpoint
CREATE INDEX `activations_kind_page` ON `activations` (`kind`,`scheduled_at`,`id`);--> statement-breakpoint
CREATE INDEX `activations_kind_status_page` ON `activations` (`kind`,`status`,`scheduled_at`,`id`);--> statement-breakpoint
CREATE TABLE `artifacts` (
	`id` text PRIMARY KEY NOT NULL,
	`execution_id` text NOT NULL,
	`submission_id` text NOT NULL,
	`kind` text NOT NULL,
	`byte_size` integer NOT NULL,
	`content_hash` text NOT NULL,
	`object_reference` text NOT NULL,
	`model_slug` text NOT NULL,
	`node_label` text NOT NULL,
	`node_address` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `artifacts_kind` ON `artifacts` (`execution_id`,`kind`);--> statement-breakpoint
CREATE INDEX `artifacts_page` ON `artifacts` ((kind || ''),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `artifacts_reference_page` ON `artifacts` (`object_reference`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `artifacts_model_page` ON `artifacts` (`model_slug`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `artifacts_node_page` ON `artifacts` (`node_address`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `artifacts_hash` ON `artifacts` (`content_hash`);--> statement-breakpoint
CREATE TABLE `audit_records` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`action` text NOT NULL,
	`resource_kind` text NOT NULL,
	`resource_id` text,
	`correlation_id` text NOT NULL,
	`at` text NOT NULL,
	`detail` text NOT NULL,
	`position` integer,
	`previous_hash` text,
	`hash` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_position` ON `audit_records` (`position`) WHERE position is not null;--> statement-breakpoint
CREATE INDEX `audit_unsealed` ON `audit_records` (`at`,`id`) WHERE position is null;--> statement-breakpoint
CREATE INDEX `audit_page` ON `audit_records` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_actor_page` ON `audit_records` (`actor_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_action_page` ON `audit_records` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_kind_page` ON `audit_records` (`resource_kind`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_resource_page` ON `audit_records` (`resource_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `cases` (
	`id` text PRIMARY KEY NOT NULL,
	`contract_id` text NOT NULL,
	`contract_version_id` text NOT NULL,
	`contract_version_number` integer NOT NULL,
	`contract_hash` text NOT NULL,
	`kind` text NOT NULL,
	`seed` integer NOT NULL,
	`provider` text NOT NULL,
	`invalid_path` text,
	`invalid_keyword` text,
	`payload` text NOT NULL,
	`content_hash` text NOT NULL,
	`correlation_id` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cases_generated` ON `cases` (`contract_version_id`,`kind`,`seed`) WHERE provider = 'external-generator';--> statement-breakpoint
CREATE UNIQUE INDEX `cases_imported` ON `cases` (`contract_version_id`,`kind`,`content_hash`) WHERE provider = 'svc fixture';--> statement-breakpoint
CREATE INDEX `cases_page` ON `cases` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_version_page` ON `cases` (`contract_version_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_kind_page` ON `cases` (`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cases_version_kind_page` ON `cases` (`contract_version_id`,`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`aggregate` text NOT NULL,
	`aggregate_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`type` text NOT NULL,
	`data` text NOT NULL,
	`correlation_id` text NOT NULL,
	`traceparent` text,
	`created_at` text NOT NULL,
	`published_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_sequence` ON `events` (`aggregate`,`aggregate_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `events_unpublished` ON `events` (`created_at`,`id`) WHERE published_at is null;--> statement-breakpoint
CREATE TABLE `executions` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`processing_node_id` text,
	`node_label` text NOT NULL,
	`node_address` text NOT NULL,
	`parent_execution_id` text,
	`release_id` text NOT NULL,
	`release_hash` text NOT NULL,
	`processing_kind` text NOT NULL,
	`status` text NOT NULL,
	`input_hash` text NOT NULL,
	`raw_input_hash` text NOT NULL,
	`output` text,
	`output_hash` text,
	`submitted_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`traceparent` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`completed_at` text
);
--> statement-breakpoint
CREATE INDEX `executions_page` ON `executions` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `executions_status_page` ON `executions` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `executions_submission` ON `executions` (`submission_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `executions_release` ON `executions` (`release_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `executions_release_failed` ON `executions` (`release_id`,`created_at`,`id`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `executions_parent` ON `executions` (`parent_execution_id`);--> statement-breakpoint
CREATE TABLE `families` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`draft_revision` integer NOT NULL,
	`draft_source` text,
	`draft_format` text,
	`draft_bytes` blob,
	`draft_updated_at` text,
	`latest_number` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `families_slug` ON `families` (`kind`,`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `families_name` ON `families` (`kind`,`name`);--> statement-breakpoint
CREATE INDEX `families_page` ON `families` (`kind`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`actor_id` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`actor_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `releases` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`release_hash` text NOT NULL,
	`processing_kind` text NOT NULL,
	`contract_version_id` text NOT NULL,
	`transform_version_id` text NOT NULL,
	`template_version_id` text,
	`automatic_pin` text,
	`contract_checked` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `releases_pin` ON `releases` (`automatic_pin`);--> statement-breakpoint
CREATE INDEX `releases_page` ON `releases` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`host` text NOT NULL,
	`created_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `steps` (
	`id` text PRIMARY KEY NOT NULL,
	`execution_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`attempt` integer NOT NULL,
	`state_version` integer NOT NULL,
	`lease_owner` text,
	`lease_expires_at` text,
	`available_at` text NOT NULL,
	`started_at` text,
	`finished_at` text,
	`duration_ms` integer,
	`summary` text,
	`failure` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `steps_position` ON `steps` (`execution_id`,`position`);--> statement-breakpoint
CREATE INDEX `steps_ready` ON `steps` (position desc,`available_at`,`id`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `steps_leased` ON `steps` (`lease_expires_at`) WHERE status = 'running';--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`model_slug` text NOT NULL,
	`model_version_id` text,
	`object_reference` text NOT NULL,
	`object_time` text NOT NULL,
	`raw_input` text NOT NULL,
	`raw_input_hash` text NOT NULL,
	`params` text,
	`params_hash` text,
	`metadata` text,
	`submitted_by` text NOT NULL,
	`correlation_id` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `submissions_page` ON `submissions` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_object_page` ON `submissions` (`object_reference`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `throttles` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`window_started_at` text NOT NULL,
	`blocked_until` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `throttles_window` ON `throttles` (`window_started_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`display_name` text NOT NULL,
	`roles` text NOT NULL,
	`password_hash` text NOT NULL,
	`must_change_password` integer NOT NULL,
	`disabled` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username`);--> statement-breakpoint
CREATE TABLE `versions` (
	`id` text PRIMARY KEY NOT NULL,
	`family_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`content_hash` text NOT NULL,
	`source_revision` integer NOT NULL,
	`status` text NOT NULL,
	`source` text,
	`format` text NOT NULL,
	`bytes` blob,
	`byte_size` integer NOT NULL,
	`bindings` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`published_at` text,
	`deprecated_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `versions_number` ON `versions` (`family_id`,`number`);--> statement-breakpoint
CREATE INDEX `versions_hash` ON `versions` (`family_id`,`content_hash`);