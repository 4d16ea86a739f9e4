CREATE TABLE "audit_heads" (
	"position" bigint PRIMARY KEY NOT NULL,
	"hash" text collate "C" NOT NULL,
	"store" text collate "C" NOT NULL,
	"at" text collate "C" NOT NULL,
	"public_key" text collate "C" NOT NULL,
	"signature" text collate "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_records" ADD COLUMN "content_hash" text collate "C";--> statement-breakpoint
ALTER TABLE "audit_records" ADD COLUMN "digest" text collate "C";--> statement-breakpoint
ALTER TABLE "audit_records" ADD COLUMN "attestation" text collate "C";--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "attestation" text collate "C";