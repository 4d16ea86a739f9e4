-- expands
CREATE TABLE "unsaved_texts" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"family_id" text collate "C" NOT NULL,
	"tab_id" text collate "C" NOT NULL,
	"browser_id" text collate "C" NOT NULL,
	"step" bigint NOT NULL,
	"content" text collate "C" NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"base_revision" bigint NOT NULL,
	"base" text collate "C",
	"byte_size" bigint NOT NULL,
	"is_open" boolean NOT NULL,
	"begun_at" text collate "C" NOT NULL,
	"typed_at" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "unsaved_texts_user" ON "unsaved_texts" USING btree ("user_id","family_id","id");--> statement-breakpoint
CREATE INDEX "unsaved_texts_age" ON "unsaved_texts" USING btree ("typed_at");