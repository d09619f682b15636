CREATE TABLE `conversation_members` (
	`conversation_id` text NOT NULL,
	`person_id` text NOT NULL,
	`other_id` text NOT NULL,
	`box` text NOT NULL,
	`read_seq` integer DEFAULT 0 NOT NULL,
	`is_unread` integer DEFAULT false NOT NULL,
	`is_pinned` integer DEFAULT false NOT NULL,
	`muted_at` integer,
	`cleared_seq` integer DEFAULT 0 NOT NULL,
	`notify_at` integer,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`conversation_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `conversation_members_box` ON `conversation_members` (`person_id`,`box`,`is_pinned`,`last_at`,`conversation_id`);
--> statement-breakpoint
CREATE INDEX `conversation_members_unread` ON `conversation_members` (`person_id`,`box`,`is_pinned`,`last_at`,`conversation_id`) WHERE is_unread = 1;
--> statement-breakpoint
CREATE INDEX `conversation_members_notify` ON `conversation_members` (`notify_at`) WHERE notify_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`low_id` text NOT NULL,
	`high_id` text NOT NULL,
	`last_seq` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_pair` ON `conversations` (`low_id`,`high_id`);
--> statement-breakpoint
CREATE TABLE `message_reactions` (
	`message_id` text NOT NULL,
	`person_id` text NOT NULL,
	`emoji` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`message_id`, `person_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `message_reactions_person` ON `message_reactions` (`person_id`);
--> statement-breakpoint
CREATE TABLE `message_settings` (
	`person_id` text PRIMARY KEY NOT NULL,
	`writers` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `searchable_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `searchable_messages_message` ON `searchable_messages` (`message_id`);
--> statement-breakpoint
DROP INDEX `messages_recipient`;
--> statement-breakpoint
DROP INDEX `messages_sender`;
--> statement-breakpoint
ALTER TABLE `messages` ADD `conversation_id` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `messages` ADD `seq` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `messages` ADD `client_message_id` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `messages` ADD `revision` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `messages` ADD `written_by_id` text;
--> statement-breakpoint
ALTER TABLE `messages` ADD `reply_to_seq` integer;
--> statement-breakpoint
ALTER TABLE `messages` ADD `edited_at` integer;
--> statement-breakpoint
ALTER TABLE `messages` ADD `deleted_at` integer;
--> statement-breakpoint
-- The rows that exist become the first messages of their conversations, one for each pair, in their order.
INSERT INTO `conversations` (`id`, `low_id`, `high_id`, `last_seq`, `revision`, `created_at`)
  SELECT MIN(`id`), MIN(`sender_id`, `recipient_id`), MAX(`sender_id`, `recipient_id`), COUNT(*), COUNT(*), MIN(`created_at`)
  FROM `messages` GROUP BY 2, 3;
--> statement-breakpoint
UPDATE `messages` SET `conversation_id` = c.id, `seq` = placed.place, `revision` = placed.place, `client_message_id` = messages.id
  FROM `conversations` c, (SELECT id, ROW_NUMBER() OVER (PARTITION BY MIN(sender_id, recipient_id), MAX(sender_id, recipient_id) ORDER BY created_at, id) AS place FROM messages) placed
  WHERE c.low_id = MIN(messages.sender_id, messages.recipient_id) AND c.high_id = MAX(messages.sender_id, messages.recipient_id) AND placed.id = messages.id;
--> statement-breakpoint
-- Nothing of them counts as unread: the former list had no such state.
INSERT INTO `conversation_members` (`conversation_id`, `person_id`, `other_id`, `box`, `read_seq`, `last_at`)
  SELECT c.id, c.low_id, c.high_id, 'inbox', c.last_seq, (SELECT MAX(m.created_at) FROM messages m WHERE m.conversation_id = c.id) FROM conversations c
  UNION ALL
  SELECT c.id, c.high_id, c.low_id, 'inbox', c.last_seq, (SELECT MAX(m.created_at) FROM messages m WHERE m.conversation_id = c.id) FROM conversations c;
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_seq` ON `messages` (`conversation_id`,`seq`);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_client_id` ON `messages` (`conversation_id`,`sender_id`,`client_message_id`);
--> statement-breakpoint
CREATE INDEX `messages_revision` ON `messages` (`conversation_id`,`revision`);
--> statement-breakpoint
ALTER TABLE `messages` DROP COLUMN `recipient_id`;
--> statement-breakpoint
-- A full-text index that keeps no text of its own. "Música", "musica" and "MÚSICA" are one word. Each row names
-- the two people of its conversation, so that a search reads the rows of one person only.
CREATE VIRTUAL TABLE message_search USING fts5(members, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER message_search_added AFTER INSERT ON searchable_messages
BEGIN
  INSERT INTO message_search (rowid, members, body) SELECT NEW.seq, c.low_id || ' ' || c.high_id, m.body
    FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.id = NEW.message_id AND m.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER message_search_changed AFTER UPDATE ON searchable_messages
BEGIN
  DELETE FROM message_search WHERE rowid = OLD.seq;
  INSERT INTO message_search (rowid, members, body) SELECT NEW.seq, c.low_id || ' ' || c.high_id, m.body
    FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.id = NEW.message_id AND m.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER message_search_removed AFTER DELETE ON searchable_messages
BEGIN DELETE FROM message_search WHERE rowid = OLD.seq; END;
--> statement-breakpoint
CREATE TRIGGER messages_searchable AFTER INSERT ON messages
BEGIN INSERT INTO searchable_messages (message_id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER messages_searchable_again AFTER UPDATE OF body, deleted_at ON messages
BEGIN UPDATE searchable_messages SET revision = revision + 1 WHERE message_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER messages_unsearchable AFTER DELETE ON messages
BEGIN DELETE FROM searchable_messages WHERE message_id = OLD.id; END;
--> statement-breakpoint
INSERT INTO searchable_messages (message_id) SELECT id FROM messages ORDER BY created_at, id;
