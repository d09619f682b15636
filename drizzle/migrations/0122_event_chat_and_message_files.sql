ALTER TABLE `conversations` ADD `kind` text DEFAULT 'pair' NOT NULL;
--> statement-breakpoint
-- The chat of an event is not searched: a search is over conversations, which have members.
DROP TRIGGER messages_searchable;
--> statement-breakpoint
CREATE TRIGGER messages_searchable AFTER INSERT ON messages
WHEN NOT EXISTS (SELECT 1 FROM conversations room WHERE room.id = NEW.conversation_id AND room.kind = 'event')
BEGIN INSERT INTO searchable_messages (message_id) VALUES (NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER conversations_kind_insert BEFORE INSERT ON conversations
WHEN NEW.kind NOT IN ('pair', 'event')
BEGIN SELECT RAISE(ABORT, 'unknown_state'); END;
