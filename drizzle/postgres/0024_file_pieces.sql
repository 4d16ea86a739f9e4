CREATE TABLE "file_pieces" (
	"file_id" text collate "C" NOT NULL,
	"number" bigint NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "file_pieces_file_id_number_pk" PRIMARY KEY("file_id","number")
);
--> statement-breakpoint
ALTER TABLE "families" ADD COLUMN "draft_file_id" text collate "C";--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "file_id" text collate "C";