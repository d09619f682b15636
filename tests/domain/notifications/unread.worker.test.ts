import { and, eq, isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import {
  markNotificationsRead,
  markNotificationsUnread,
  openNotification,
} from "#app/domain/notifications/commands.server.ts";
import { unreadCount } from "#app/domain/notifications/queries.server.ts";
import { notifications, unreadNotifications } from "#drizzle/schema/notifications.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";

type Step = "new" | "open" | "read" | "undo" | "delete";

let ctx: Context;
let personId: string;

beforeAll(async () => {
  ({ ctx } = await testContext());
});

async function insertNotification(owner: string): Promise<string> {
  const id = ctx.newId();
  await ctx.db.insert(notifications).values({
    id,
    personId: owner,
    kind: "k",
    body: "Ana comentou.",
    path: "/me",
    sourceKey: id,
    createdAt: ctx.now(),
  });
  return id;
}

async function counted(owner: string): Promise<number> {
  return await ctx.db.$count(
    notifications,
    and(eq(notifications.personId, owner), isNull(notifications.readAt)),
  );
}

/** What a list of steps does to one person's notifications. The newest is opened and deleted. */
async function take(steps: Step[]): Promise<void> {
  const ids: string[] = [];
  let readAt = 0;
  for (const step of steps) {
    if (step === "new") ids.push(await insertNotification(personId));
    const newest = ids.at(-1) ?? "";
    if (step === "open") await openNotification(ctx, { personId, id: newest });
    if (step === "read") ({ readAt } = await markNotificationsRead(ctx, { personId }));
    if (step === "undo") await markNotificationsUnread(ctx, { personId, readAt });
    if (step === "delete") {
      await ctx.db.delete(notifications).where(eq(notifications.id, newest));
      ids.pop();
    }
  }
}

test("the unread count equals the unread notifications after any steps, and is of one person", async () => {
  const { id: other } = await createPerson(ctx, "Bia");
  await insertNotification(other);
  const step = fc.constantFrom<Step>("new", "new", "open", "read", "undo", "delete");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      ({ id: personId } = await createPerson(ctx, "Ana"));
      await take(steps);
      expect(await unreadCount(ctx, { personId })).toBe(await counted(personId));
      expect(await unreadCount(ctx, { personId: other })).toBe(1);
    }),
    { numRuns: 25 },
  );
});

test("the same notification inserted twice counts once, and the last one takes the row along", async () => {
  ({ id: personId } = await createPerson(ctx, "Ana"));
  const id = await insertNotification(personId);
  await ctx.db.run(
    sql`INSERT INTO notifications SELECT * FROM notifications WHERE id = ${id} ON CONFLICT DO NOTHING`,
  );
  expect(await unreadCount(ctx, { personId })).toBe(1);
  await openNotification(ctx, { personId, id });
  const rows = await ctx.db.$count(unreadNotifications, eq(unreadNotifications.personId, personId));
  expect(rows).toBe(0);
});
