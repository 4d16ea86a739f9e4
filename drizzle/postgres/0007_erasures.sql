CREATE TABLE "erased_items" (
	"erasure_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"item_id" text collate "C" NOT NULL,
	"content_hash" text collate "C",
	CONSTRAINT "erased_items_erasure_id_kind_item_id_pk" PRIMARY KEY("erasure_id","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"object_reference_hash" text collate "C" NOT NULL,
	"reason" text collate "C" NOT NULL,
	"counts" text NOT NULL,
	"erased_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"erased_at" text collate "C" NOT NULL,
	"completed_at" text collate "C"
);
--> statement-breakpoint
CREATE INDEX "erased_items_item" ON "erased_items" USING btree ("item_id","kind");--> statement-breakpoint
CREATE INDEX "erasures_page" ON "erasures" USING btree ("erased_at","id");--> statement-breakpoint
CREATE INDEX "erasures_pending" ON "erasures" USING btree ("id") WHERE completed_at is null;