CREATE TABLE "suite_policies" (
	"family_id" text collate "C" PRIMARY KEY NOT NULL,
	"requires" text collate "C" NOT NULL,
	"lifted_until" text collate "C",
	"lift_reason" text collate "C",
	"set_by" text collate "C" NOT NULL,
	"correlation_id" text collate "C" NOT NULL,
	"set_at" text collate "C" NOT NULL
);
