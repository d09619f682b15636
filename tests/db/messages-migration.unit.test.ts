import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

const DIRECTORY = inRoot("drizzle", "migrations");
const migrations = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".sql"))
  .toSorted();
const first = migrations.findIndex((file) => file.endsWith("_messages_conversations.sql"));
const apply = (db: DatabaseSync, files: readonly string[]) => {
  for (const file of files) db.exec(readFileSync(join(DIRECTORY, file), "utf8"));
};
const rows = (db: DatabaseSync, query: string) =>
  db
    .prepare(query)
    .all()
    .map((row) => Object.values(row).join(" "));

test("messages from before conversations become the first of their pair's conversation, read and searchable", () => {
  const db = new DatabaseSync(":memory:");
  apply(db, migrations.slice(0, first));
  const sent = db.prepare(
    "INSERT INTO messages (id, sender_id, recipient_id, body, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  sent.run("m1", "ana", "bia", "Olá", 10);
  sent.run("m2", "bia", "ana", "Música!", 20);
  sent.run("m3", "ana", "caio", "Oi", 15);
  apply(db, migrations.slice(first));
  expect(
    rows(db, "SELECT id, low_id, high_id, last_seq, revision FROM conversations ORDER BY id"),
  ).toEqual(["m1 ana bia 2 2", "m3 ana caio 1 1"]);
  expect(
    rows(db, "SELECT conversation_id, seq, revision, client_message_id FROM messages ORDER BY id"),
  ).toEqual(["m1 1 1 m1", "m1 2 2 m2", "m3 1 1 m3"]);
  expect(
    rows(
      db,
      "SELECT conversation_id, person_id, other_id, box, read_seq, is_unread, last_at FROM conversation_members ORDER BY conversation_id, person_id",
    ),
  ).toEqual([
    "m1 ana bia inbox 2 0 20",
    "m1 bia ana inbox 2 0 20",
    "m3 ana caio inbox 1 0 15",
    "m3 caio ana inbox 1 0 15",
  ]);
  expect(
    rows(
      db,
      "SELECT rowid FROM message_search WHERE message_search MATCH 'members:bia AND body:musica'",
    ),
  ).toHaveLength(1);
});
