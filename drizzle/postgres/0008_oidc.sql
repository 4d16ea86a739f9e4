ALTER TABLE "sessions" ADD COLUMN "oidc_session" text collate "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "oidc_issuer" text collate "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "oidc_subject" text collate "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "oidc_signed_in_at" text collate "C";--> statement-breakpoint
CREATE INDEX "sessions_oidc" ON "sessions" USING btree ("oidc_session");--> statement-breakpoint
CREATE UNIQUE INDEX "users_oidc" ON "users" USING btree ("oidc_issuer","oidc_subject");