import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { memberNotifications, unreadCount } from "#app/domain/notifications/queries.server.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const UNREAD = 5;

test("the list and the unread count read the same rows at a hundred notifications and at 50,000", async () => {
  const { ctx } = await testContext();
  const tap = recordDatabase(testEnv.DB);
  const watched = { ...ctx, db: openDatabase(tap.database) };
  const rows = async (work: () => Promise<unknown>) => {
    tap.trips.length = 0;
    await work();
    return tap.trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  const readBy = async (count: number) => {
    const { id: personId } = await createPerson(ctx, "Bia");
    await ctx.db.run(
      sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO notifications (id, person_id, kind, body, path, source_key, read_at, created_at, section)
        SELECT ${personId} || i, ${personId}, 'k', 'Ana comentou.', '/me', ${personId} || ':' || i, CASE WHEN i > ${count - UNREAD} THEN NULL ELSE 1 END, i, 'people' FROM n`,
    );
    const list = (filter: "all" | "unread" | "people") =>
      rows(() => memberNotifications(watched, { personId, cursor: null, limit: 20, filter }));
    return {
      all: await list("all"),
      unread: await list("unread"),
      people: await list("people"),
      count: await rows(() => unreadCount(watched, { personId })),
    };
  };
  const [few, many] = [await readBy(100), await readBy(50_000)];
  // An index is read until the next person's first row, if there is one.
  for (const name of ["all", "unread", "people", "count"] as const)
    expect(many[name] - few[name], name).toBeLessThanOrEqual(1);
  // However many are unread, their number is one row.
  expect([few.count, many.count]).toEqual([1, 1]);
}, 60_000);
