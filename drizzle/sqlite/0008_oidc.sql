ALTER TABLE `sessions` ADD `oidc_session` text;--> statement-breakpoint
CREATE INDEX `sessions_oidc` ON `sessions` (`oidc_session`);--> statement-breakpoint
ALTER TABLE `users` ADD `oidc_issuer` text;--> statement-breakpoint
ALTER TABLE `users` ADD `oidc_subject` text;--> statement-breakpoint
ALTER TABLE `users` ADD `oidc_signed_in_at` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_oidc` ON `users` (`oidc_issuer`,`oidc_subject`);