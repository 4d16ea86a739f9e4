CREATE TABLE "activations" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"kind" text collate "C" NOT NULL,
	"family_id" text collate "C" NOT NULL,
	"family_slug" text collate "C" NOT NULL,
	"version_id" text collate "C" NOT NULL,
	"version" bigint NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"effective_from" text collate "C" NOT NULL,
	"scheduled_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"scheduled_at" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"cancelled_at" text collate "C",
	"cancellation_code" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "artifacts" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"execution_id" text collate "C" NOT NULL,
	"submission_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"byte_size" bigint NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"object_reference" text collate "C" NOT NULL,
	"model_slug" text collate "C" NOT NULL,
	"node_label" text collate "C" NOT NULL,
	"node_address" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_records" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"actor_id" text collate "C" NOT NULL,
	"action" text collate "C" NOT NULL,
	"resource_kind" text collate "C" NOT NULL,
	"resource_id" text collate "C",
	"correlation_id" text collate "C" NOT NULL,
	"at" text collate "C" NOT NULL,
	"detail" text NOT NULL,
	"position" bigint,
	"previous_hash" text collate "C",
	"hash" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "cases" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"contract_id" text collate "C" NOT NULL,
	"contract_version_id" text collate "C" NOT NULL,
	"contract_version_number" bigint NOT NULL,
	"contract_hash" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"seed" bigint NOT NULL,
	"provider" text collate "C" NOT NULL,
	"invalid_path" text collate "C",
	"invalid_keyword" text collate "C",
	"payload" text collate "C" NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"aggregate" text collate "C" NOT NULL,
	"aggregate_id" text collate "C" NOT NULL,
	"sequence" bigint NOT NULL,
	"type" text collate "C" NOT NULL,
	"data" text NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"traceparent" text collate "C",
	"created_at" text collate "C" NOT NULL,
	"published_at" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "executions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"submission_id" text collate "C" NOT NULL,
	"processing_node_id" text collate "C",
	"node_label" text collate "C" NOT NULL,
	"node_address" text collate "C" NOT NULL,
	"parent_execution_id" text collate "C",
	"release_id" text collate "C" NOT NULL,
	"release_hash" text collate "C" NOT NULL,
	"processing_kind" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"input_hash" text collate "C" NOT NULL,
	"raw_input_hash" text collate "C" NOT NULL,
	"output" text collate "C",
	"output_hash" text collate "C",
	"submitted_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"traceparent" text collate "C",
	"created_at" text collate "C" NOT NULL,
	"updated_at" text collate "C" NOT NULL,
	"completed_at" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "families" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"kind" text collate "C" NOT NULL,
	"slug" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"description" text collate "C" NOT NULL,
	"draft_revision" bigint NOT NULL,
	"draft_source" text collate "C",
	"draft_format" text collate "C",
	"draft_bytes" "bytea",
	"draft_updated_at" text collate "C",
	"latest_number" bigint NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"updated_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"actor_id" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"request_hash" text collate "C" NOT NULL,
	"status" bigint NOT NULL,
	"body" text NOT NULL,
	"created_at" text collate "C" NOT NULL,
	CONSTRAINT "idempotency_actor_id_key_pk" PRIMARY KEY("actor_id","key")
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"owner" text collate "C" NOT NULL,
	"expires_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"release_hash" text collate "C" NOT NULL,
	"processing_kind" text collate "C" NOT NULL,
	"contract_version_id" text collate "C" NOT NULL,
	"transform_version_id" text collate "C" NOT NULL,
	"template_version_id" text collate "C",
	"automatic_pin" text collate "C",
	"contract_checked" boolean NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"token_hash" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"host" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"last_seen_at" text collate "C" NOT NULL,
	"expires_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "steps" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"execution_id" text collate "C" NOT NULL,
	"position" bigint NOT NULL,
	"name" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"attempt" bigint NOT NULL,
	"state_version" bigint NOT NULL,
	"lease_owner" text collate "C",
	"lease_expires_at" text collate "C",
	"available_at" text collate "C" NOT NULL,
	"started_at" text collate "C",
	"finished_at" text collate "C",
	"duration_ms" bigint,
	"summary" text,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"model_slug" text collate "C" NOT NULL,
	"model_version_id" text collate "C",
	"object_reference" text collate "C" NOT NULL,
	"object_time" text collate "C" NOT NULL,
	"raw_input" text collate "C" NOT NULL,
	"raw_input_hash" text collate "C" NOT NULL,
	"params" text collate "C",
	"params_hash" text collate "C",
	"metadata" text,
	"submitted_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" text collate "C" PRIMARY KEY NOT NULL,
	"failures" bigint NOT NULL,
	"window_started_at" text collate "C" NOT NULL,
	"blocked_until" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"username" text collate "C" NOT NULL,
	"display_name" text collate "C" NOT NULL,
	"roles" text NOT NULL,
	"password_hash" text collate "C" NOT NULL,
	"must_change_password" boolean NOT NULL,
	"disabled" boolean NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"updated_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"family_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"number" bigint NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"source_revision" bigint NOT NULL,
	"status" text collate "C" NOT NULL,
	"source" text collate "C",
	"format" text collate "C" NOT NULL,
	"bytes" "bytea",
	"byte_size" bigint NOT NULL,
	"bindings" text,
	"created_by" text collate "C" NOT NULL,
	"created_at" text collate "C" NOT NULL,
	"published_at" text collate "C",
	"deprecated_at" text collate "C"
);
--> statement-breakpoint
CREATE UNIQUE INDEX "activations_instant" ON "activations" USING btree ("family_id","effective_from") WHERE cancelled_at is null;--> statement-breakpoint
CREATE INDEX "activations_due" ON "activations" USING btree ("effective_from") WHERE (status || '') = 'scheduled';--> statement-breakpoint
CREATE INDEX "activations_page" ON "activations" USING btree ((scheduled_at || ''),"id");--> statement-breakpoint
CREATE INDEX "activations_status_page" ON "activations" USING btree ("status","scheduled_at","id");--> statement-breakpoint
CREATE INDEX "activations_family_page" ON "activations" USING btree ("family_id","scheduled_at","id");--> statement-breakpoint
CREATE INDEX "activations_family_status_page" ON "activations" USING btree ("family_id","status","scheduled_at","id");--> statement-breakpoint
CREATE INDEX "activations_kind_page" ON "activations" USING btree ("kind","scheduled_at","id");--> statement-breakpoint
CREATE INDEX "activations_kind_status_page" ON "activations" USING btree ("kind","status","scheduled_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "artifacts_kind" ON "artifacts" USING btree ("execution_id","kind");--> statement-breakpoint
CREATE INDEX "artifacts_page" ON "artifacts" USING btree ((kind || ''),"created_at","id");--> statement-breakpoint
CREATE INDEX "artifacts_reference_page" ON "artifacts" USING btree ("object_reference","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "artifacts_model_page" ON "artifacts" USING btree ("model_slug","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "artifacts_node_page" ON "artifacts" USING btree ("node_address","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "artifacts_hash" ON "artifacts" USING btree ("content_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_position" ON "audit_records" USING btree ("position") WHERE position is not null;--> statement-breakpoint
CREATE INDEX "audit_unsealed" ON "audit_records" USING btree ("at","id") WHERE position is null;--> statement-breakpoint
CREATE INDEX "audit_page" ON "audit_records" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_actor_page" ON "audit_records" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_action_page" ON "audit_records" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_kind_page" ON "audit_records" USING btree ("resource_kind","at","id");--> statement-breakpoint
CREATE INDEX "audit_resource_page" ON "audit_records" USING btree ("resource_id","at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cases_generated" ON "cases" USING btree ("contract_version_id","kind","seed") WHERE provider = 'external-generator';--> statement-breakpoint
CREATE UNIQUE INDEX "cases_imported" ON "cases" USING btree ("contract_version_id","kind","content_hash") WHERE provider = 'svc fixture';--> statement-breakpoint
CREATE INDEX "cases_page" ON "cases" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "cases_version_page" ON "cases" USING btree ("contract_version_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cases_kind_page" ON "cases" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "cases_version_kind_page" ON "cases" USING btree ("contract_version_id","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_sequence" ON "events" USING btree ("aggregate","aggregate_id","sequence");--> statement-breakpoint
CREATE INDEX "events_unpublished" ON "events" USING btree ("created_at","id") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "executions_page" ON "executions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "executions_status_page" ON "executions" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "executions_submission" ON "executions" USING btree ("submission_id","created_at","id");--> statement-breakpoint
CREATE INDEX "executions_release" ON "executions" USING btree ("release_id","created_at","id");--> statement-breakpoint
CREATE INDEX "executions_release_failed" ON "executions" USING btree ("release_id","created_at","id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "executions_parent" ON "executions" USING btree ("parent_execution_id");--> statement-breakpoint
CREATE UNIQUE INDEX "families_slug" ON "families" USING btree ("kind","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "families_name" ON "families" USING btree ("kind","name");--> statement-breakpoint
CREATE INDEX "families_page" ON "families" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "idempotency_age" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "releases_pin" ON "releases" USING btree ("automatic_pin");--> statement-breakpoint
CREATE INDEX "releases_page" ON "releases" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "steps_position" ON "steps" USING btree ("execution_id","position");--> statement-breakpoint
CREATE INDEX "steps_ready" ON "steps" USING btree (position desc,"available_at","id") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "steps_leased" ON "steps" USING btree ("lease_expires_at") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "submissions_page" ON "submissions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_object_page" ON "submissions" USING btree ("object_reference","created_at","id");--> statement-breakpoint
CREATE INDEX "throttles_window" ON "throttles" USING btree ("window_started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree ("username");--> statement-breakpoint
CREATE UNIQUE INDEX "versions_number" ON "versions" USING btree ("family_id","number");--> statement-breakpoint
CREATE INDEX "versions_hash" ON "versions" USING btree ("family_id","content_hash");