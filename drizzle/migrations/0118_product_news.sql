CREATE TABLE `product_news` (
	`id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`path` text NOT NULL,
	`written_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`sent_by` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `product_news_created` ON `product_news` (`created_at`);--> statement-breakpoint
CREATE INDEX `product_news_sent` ON `product_news` (`sent_at`);