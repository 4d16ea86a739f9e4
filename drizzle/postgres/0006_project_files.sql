CREATE TABLE "project_files" (
	"path" text collate "C" PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"content_hash" text collate "C" NOT NULL,
	"written_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"written_at" text collate "C" NOT NULL
);
