import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { sendDigest } from "#app/domain/notifications/commands/digests.server.ts";
import { peopleWithDueDigest } from "#app/domain/notifications/queries/digests.server.ts";
import { DIGEST_LINES } from "#app/domain/notifications/rules/digests.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notificationDigests, notifications } from "#drizzle/schema/notifications.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let bruno: TestPerson;
beforeEach(async () => {
  ({ ctx } = await testContext());
  bruno = await createPerson(ctx, "Bruno");
});

const later = (days: number): Context => ({ ...ctx, now: () => ctx.now() + days * DAY_MS });
const daily = () =>
  chooseNotifications(ctx, { personId: bruno.id, on: [], digest: "daily", shown: [] });
const mails = () => ctx.db.select().from(localMails).where(eq(localMails.recipient, bruno.email));

async function notified(count: number, { at = 1, readAt = null as number | null } = {}) {
  for (let index = 0; index < count; index += 1)
    await ctx.db.insert(notifications).values({
      id: ctx.newId(),
      personId: bruno.id,
      kind: "post.published",
      body: `Ana publicou “${at}-${index}”.`,
      path: "/me",
      sourceKey: ctx.newId(),
      createdAt: ctx.now() + at,
      readAt,
    });
}

test("is sent once about what is unread, and not again the day after", async () => {
  await daily();
  await notified(2);
  await notified(1, { at: 2, readAt: ctx.now() });
  for (const days of [1, 1, 2]) await sendDigest(later(days), { personId: bruno.id });
  const [digest, ...more] = await mails();
  expect(more).toEqual([]);
  expect(digest?.subject).toBe("2 novidades no Coreto");
  expect(digest?.body).toContain("• Ana publicou “1-1”.\n• Ana publicou “1-0”.");
  expect(digest?.body).toContain(digest?.unsubscribeUrl);
});

test("names the newest and counts the rest", async () => {
  await daily();
  await notified(DIGEST_LINES + 3);
  await sendDigest(later(1), { personId: bruno.id });
  const [digest] = await mails();
  expect(digest?.body.match(/•/g)).toHaveLength(DIGEST_LINES);
  expect(digest?.body).toContain("E mais 3 novidades.");
});

test("leaves out what came before the choice, and is never empty", async () => {
  await notified(2, { at: -1 });
  await daily();
  await sendDigest(later(1), { personId: bruno.id });
  expect(await mails()).toEqual([]);
});

test("a killed run sends no second mail", async () => {
  await daily();
  await notified(1);
  const dies: Context = {
    ...later(1),
    mailer: {
      send: async (mail) => {
        await ctx.mailer.send(mail);
        throw new Error("killed");
      },
    },
  };
  await expect(sendDigest(dies, { personId: bruno.id })).rejects.toThrow("killed");
  // What comes between the two runs is in the next digest.
  await notified(1, { at: DAY_MS + 1 });
  await sendDigest(later(1), { personId: bruno.id });
  expect(await mails()).toHaveLength(1);
  await sendDigest(later(2), { personId: bruno.id });
  expect(await mails()).toHaveLength(2);
});

test("waits for its next attempt after a failure", async () => {
  await daily();
  await recordFailure(later(1), { subjectId: bruno.id, kind: "digest" });
  for (let failures = 0; failures < 4; failures += 1)
    await recordFailure(later(1), { subjectId: bruno.id, kind: "digest" });
  const due = await peopleWithDueDigest(later(1), { now: later(1).now(), limit: 1_000 });
  expect(due).not.toContain(bruno.id);
});

test("is due only for who asked for it, once, and is sent to nobody who was banned", async () => {
  const isDue = async (days: number) =>
    (await peopleWithDueDigest(ctx, { now: ctx.now() + days * DAY_MS, limit: 1_000 })).includes(
      bruno.id,
    );
  expect(await isDue(1)).toBe(false);
  await daily();
  expect([await isDue(0), await isDue(1)]).toEqual([false, true]);
  await sendDigest(later(1), { personId: bruno.id });
  expect(await isDue(1)).toBe(false);
  expect(await isDue(2)).toBe(true);
  await notified(1, { at: DAY_MS });
  await ctx.db.update(people).set({ bannedAt: 1 }).where(eq(people.id, bruno.id));
  await sendDigest(later(2), { personId: bruno.id });
  expect(await mails()).toEqual([]);
  expect(await isDue(2)).toBe(false);
});

test("is due at eight where the person is, and moves with them", async () => {
  const choose = (timeZone: string) =>
    chooseNotifications(ctx, {
      personId: bruno.id,
      on: [],
      digest: "daily",
      shown: [],
      hours: { timeZone, quiet: null },
    });
  const dueHour = async (timeZone: string) => {
    const [row] = await ctx.db
      .select()
      .from(notificationDigests)
      .where(eq(notificationDigests.personId, bruno.id));
    return new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(row?.dueAt);
  };
  await choose("Asia/Tokyo");
  expect(await dueHour("Asia/Tokyo")).toBe("08:00");
  await choose("America/Rio_Branco");
  expect(await dueHour("America/Rio_Branco")).toBe("08:00");
  await notified(1);
  await sendDigest(later(1), { personId: bruno.id });
  expect(await mails()).toHaveLength(1);
  expect(await dueHour("America/Rio_Branco")).toBe("08:00");
});
