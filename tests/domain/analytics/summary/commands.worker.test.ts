import { eq, like, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { rollUpDue } from "#app/domain/analytics/rollups/commands.server.ts";
import { dueSummaries, summarizeWeeks } from "#app/domain/analytics/summary/commands.server.ts";
import { lastWeek } from "#app/domain/analytics/summary/rules.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { DAY_MS, isoOfDayNumber, parseDay } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { viewPoint } from "#tests/contracts/view-store.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { runWebCron } from "#workers/web-cron.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
});

/** Goes to noon of the Monday after, with a visit and a subscription in the week before it. */
async function toMonday(): Promise<void> {
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.ctx.views.record(viewPoint({ creatorId: ana.id }), world.ctx.now());
  await rollUpDue(world.ctx, () => true);
  await world.advance(5 * DAY_MS);
}

const summarizeAll = async () => {
  await summarizeWeeks(world.ctx, { creatorIds: await dueSummaries(world.ctx) });
};
async function deliverAll(): Promise<void> {
  await deliverOutbox(world.ctx);
  await world.tick();
  await world.drain();
}
const announced = () => world.ctx.db.select().from(outbox).where(eq(outbox.type, "analytics.week"));
const mails = async () =>
  await world.ctx.db.select().from(localMails).where(like(localMails.subject, "Sua semana%"));

test.each([
  ["2026-11-11", "2026-11-02", "2026-11-08"],
  ["2026-11-15", "2026-11-02", "2026-11-08"],
  ["2026-11-16", "2026-11-09", "2026-11-15"],
])("on %s the last week is %s to %s", (today, from, until) => {
  const week = lastWeek(parseDay(today) ?? 0);
  expect([isoOfDayNumber(week.from), isoOfDayNumber(week.until)]).toEqual([from, until]);
});

test("on Monday a creator is told their week, once, by mail too", async () => {
  await toMonday();
  await summarizeAll();
  await summarizeAll();
  const [message, ...more] = await announced();
  expect(more).toEqual([]);
  expect(message?.payload).toMatchObject({
    fromDay: "2026-11-09",
    untilDay: "2026-11-15",
    week: { netCents: 2_850, visitors: 1, starts: 1 },
    weekBefore: { netCents: 0, visitors: 0, starts: 0 },
  });
  await deliverAll();
  const sent = await mails();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.subject).toMatch(/^Sua semana no Coreto: R\$\s28,50 e 1 visitante$/);
});

test("who switched it off gets no mail", async () => {
  await chooseNotifications(world.ctx, {
    personId: ana.id,
    on: [],
    digest: "never",
    shown: ["summary"],
  });
  await toMonday();
  await summarizeAll();
  await deliverAll();
  expect(await announced()).toHaveLength(1);
  expect(await mails()).toEqual([]);
});

test("weeks without anything announce nothing, and are done", async () => {
  await world.advance(5 * DAY_MS);
  await summarizeAll();
  expect(await announced()).toEqual([]);
  expect(await dueSummaries(world.ctx)).toEqual([]);
});

test("before Monday nobody is due", async () => {
  await world.advance(4 * DAY_MS);
  expect(await dueSummaries(world.ctx)).toEqual([]);
});

test("an hour of the cron has room for the summaries and snapshots of hundreds, and the rest follow", async () => {
  const { ctx } = world;
  const id = (at: number) => `many-${String(at).padStart(4, "0")}`;
  const rows = Array.from({ length: 600 }, (_, at) => id(at));
  await ctx.db.run(sql`
    INSERT INTO profiles (person_id, username, name, is_creator, created_at)
    SELECT value, value, 'Muitos', 1, 0 FROM json_each(${JSON.stringify(rows)})`);
  await ctx.db.run(sql`
    INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents)
    SELECT value, 'received', 1, 'paid', 'pix', 'tip', 1, 100, 0, 0, 5, 95 FROM json_each(${JSON.stringify(rows)})`);
  await world.advance(5 * DAY_MS);
  const before = ctx.db.callsMade();
  await runWebCron(ctx);
  expect(ctx.db.callsMade() - before).toBeLessThan(1_000);
  const made = async (kind: string) =>
    (
      await ctx.db.all(
        sql`SELECT 1 FROM analytics_snapshots WHERE kind = ${kind} AND creator_id LIKE 'many-%'`,
      )
    ).length;
  expect(await made("people")).toBe(600);
  expect(await made("week")).toBe(600);
});
