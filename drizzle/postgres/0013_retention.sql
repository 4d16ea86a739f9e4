CREATE TABLE "retention" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"policies" text NOT NULL,
	"set_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"set_at" text collate "C" NOT NULL,
	"noted_at" text collate "C"
);
--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "rule" text;--> statement-breakpoint
CREATE UNIQUE INDEX "retention_number" ON "retention" USING btree ("number");--> statement-breakpoint
CREATE INDEX "retention_unnoted" ON "retention" USING btree ("id") WHERE noted_at is null;