CREATE TABLE `unread_notifications` (
	`person_id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL CHECK (`count` >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO unread_notifications (person_id, count) SELECT person_id, COUNT(*) FROM notifications WHERE read_at IS NULL GROUP BY person_id;
--> statement-breakpoint
-- How many notifications of a person are unread. These triggers write it: no command has to remember it. The row goes with the last unread one.
CREATE TRIGGER unread_notifications_new AFTER INSERT ON notifications WHEN NEW.read_at IS NULL
BEGIN
  INSERT INTO unread_notifications (person_id, count) VALUES (NEW.person_id, 1)
  ON CONFLICT (person_id) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER unread_notifications_unread_again AFTER UPDATE OF read_at ON notifications WHEN OLD.read_at IS NOT NULL AND NEW.read_at IS NULL
BEGIN
  INSERT INTO unread_notifications (person_id, count) VALUES (NEW.person_id, 1)
  ON CONFLICT (person_id) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER unread_notifications_read AFTER UPDATE OF read_at ON notifications WHEN OLD.read_at IS NULL AND NEW.read_at IS NOT NULL
BEGIN
  UPDATE unread_notifications SET count = count - 1 WHERE person_id = OLD.person_id;
  DELETE FROM unread_notifications WHERE person_id = OLD.person_id AND count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER unread_notifications_deleted AFTER DELETE ON notifications WHEN OLD.read_at IS NULL
BEGIN
  UPDATE unread_notifications SET count = count - 1 WHERE person_id = OLD.person_id;
  DELETE FROM unread_notifications WHERE person_id = OLD.person_id AND count = 0;
END;
