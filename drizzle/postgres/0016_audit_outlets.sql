CREATE TABLE "audit_outlets" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"sent_at" text collate "C" NOT NULL
);
