ALTER TABLE `releases` ADD `fragments` text;--> statement-breakpoint
ALTER TABLE `versions` ADD `fragments` text;