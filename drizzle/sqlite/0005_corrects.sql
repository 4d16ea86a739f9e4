ALTER TABLE `submissions` ADD `corrects` text;--> statement-breakpoint
CREATE INDEX `submissions_corrects_page` ON `submissions` (`corrects`,`created_at`,`id`) WHERE corrects is not null;