CREATE TABLE "batch_rows" (
	"batch_id" text collate "C" NOT NULL,
	"number" bigint NOT NULL,
	"line" bigint NOT NULL,
	"state" text collate "C" NOT NULL,
	"submission_id" text collate "C",
	"object_reference" text collate "C",
	"raw_input" text collate "C",
	"received_at" text collate "C",
	"reopened" bigint NOT NULL,
	"cause" text collate "C",
	"code" text collate "C",
	"step" text collate "C",
	"place" text collate "C",
	"message" text collate "C",
	CONSTRAINT "batch_rows_batch_id_number_pk" PRIMARY KEY("batch_id","number")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"model_slug" text collate "C" NOT NULL,
	"format" text collate "C" NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"file_hash" text collate "C",
	"byte_size" bigint NOT NULL,
	"rows" bigint NOT NULL,
	"reading" text NOT NULL,
	"official_time" text collate "C",
	"params" text collate "C",
	"status" text collate "C" NOT NULL,
	"pause_reason" text collate "C",
	"next_row" bigint NOT NULL,
	"next_offset" bigint NOT NULL,
	"created_by" text collate "C" NOT NULL,
	"token_id" text collate "C",
	"correlation_id" text collate "C" NOT NULL,
	"traceparent" text collate "C",
	"created_at" text collate "C" NOT NULL,
	"updated_at" text collate "C" NOT NULL,
	"completed_at" text collate "C"
);
--> statement-breakpoint
CREATE INDEX "batch_rows_state" ON "batch_rows" USING btree ("batch_id","state","number") WHERE state <> 'completed';--> statement-breakpoint
CREATE INDEX "batch_rows_cause" ON "batch_rows" USING btree ("batch_id","cause","number") WHERE cause is not null;--> statement-breakpoint
CREATE INDEX "batch_rows_submission" ON "batch_rows" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "batch_rows_open" ON "batch_rows" USING btree ("batch_id") WHERE state in ('waiting', 'submitted');--> statement-breakpoint
CREATE INDEX "batch_rows_kept" ON "batch_rows" USING btree ("batch_id") WHERE raw_input is not null;--> statement-breakpoint
CREATE INDEX "batches_page" ON "batches" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "batches_model_page" ON "batches" USING btree ("model_slug","created_at","id");--> statement-breakpoint
CREATE INDEX "batches_status_page" ON "batches" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "batches_file" ON "batches" USING btree ("file_hash") WHERE file_hash is not null;