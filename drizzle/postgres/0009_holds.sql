CREATE TABLE "holds" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"object_reference" text collate "C",
	"object_reference_hash" text collate "C",
	"model_slug" text collate "C",
	"reason" text collate "C" NOT NULL,
	"placed_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"placed_at" text collate "C" NOT NULL,
	"release_reason" text collate "C",
	"released_by" text collate "C",
	"released_at" text collate "C",
	"noted_at" text collate "C"
);
--> statement-breakpoint
CREATE INDEX "holds_page" ON "holds" USING btree ("placed_at","id");--> statement-breakpoint
CREATE INDEX "holds_object" ON "holds" USING btree ("object_reference_hash") WHERE released_at is null;--> statement-breakpoint
CREATE INDEX "holds_model" ON "holds" USING btree ("model_slug") WHERE released_at is null;--> statement-breakpoint
CREATE INDEX "holds_unnoted" ON "holds" USING btree ("id") WHERE noted_at is null;