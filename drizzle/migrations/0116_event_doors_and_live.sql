CREATE TABLE `event_entries` (
	`event_id` text NOT NULL,
	`id` text NOT NULL,
	`seat_id` text,
	`scanned_at` integer NOT NULL,
	`scanned_by` text,
	`undone_at` integer,
	`revision` integer NOT NULL,
	PRIMARY KEY(`event_id`, `id`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `event_entries_revision` ON `event_entries` (`event_id`,`revision`);--> statement-breakpoint
CREATE INDEX `event_entries_seat` ON `event_entries` (`seat_id`,`scanned_at`,`id`);--> statement-breakpoint
CREATE INDEX `event_entries_door` ON `event_entries` (`scanned_by`) WHERE scanned_by IS NOT NULL;--> statement-breakpoint
-- Each entry before this migration is one scan.
INSERT INTO event_entries (event_id, id, seat_id, scanned_at, scanned_by, undone_at, revision)
  SELECT event_id, id, id, checked_in_at, checked_in_by, NULL, ROW_NUMBER() OVER (PARTITION BY event_id ORDER BY checked_in_at, id)
  FROM event_seats WHERE checked_in_at IS NOT NULL;
--> statement-breakpoint
-- The entry of a seat is its earliest scan that is not undone, in whatever order the doors send theirs.
CREATE TRIGGER event_entries_enter AFTER INSERT ON event_entries WHEN NEW.undone_at IS NULL AND NEW.seat_id IS NOT NULL
BEGIN
  UPDATE event_seats SET (checked_in_at, checked_in_by) = (
    SELECT scanned_at, scanned_by FROM event_entries WHERE seat_id = NEW.seat_id AND undone_at IS NULL ORDER BY scanned_at, id LIMIT 1)
  WHERE id = NEW.seat_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_entries_undo AFTER UPDATE OF undone_at ON event_entries WHEN NEW.undone_at IS NOT OLD.undone_at AND NEW.seat_id IS NOT NULL
BEGIN
  UPDATE event_seats SET (checked_in_at, checked_in_by) = (
    SELECT scanned_at, scanned_by FROM event_entries WHERE seat_id = NEW.seat_id AND undone_at IS NULL ORDER BY scanned_at, id LIMIT 1)
  WHERE id = NEW.seat_id;
END;
