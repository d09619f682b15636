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

--> statement-breakpoint
-- An event is deleted with its creator's account. Its chat goes with it.
CREATE TRIGGER events_chat_deleted AFTER DELETE ON events
WHEN EXISTS (SELECT 1 FROM conversations room WHERE room.id = OLD.id AND room.kind = 'event')
BEGIN
  DELETE FROM message_reactions WHERE message_id IN (SELECT m.id FROM messages m WHERE m.conversation_id = OLD.id);
  DELETE FROM messages WHERE conversation_id = OLD.id;
  DELETE FROM conversations WHERE id = OLD.id;
END;
