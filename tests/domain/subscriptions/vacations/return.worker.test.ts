import { asc, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import {
  VacationAlreadyRunning,
  VacationNotRunning,
  NothingToPauseForVacation,
} from "#app/domain/plans/errors/vacations.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { shiftSubscribersForVacation } from "#app/domain/subscriptions/vacation-sweep/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { subscriptions, vacationShifts } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { closeTo, vacationHelpers } from "#tests/support/vacations.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { chargesOf, row, coveredMs, away, back } = vacationHelpers(() => ({ world, seller: ana }));

test("prepaid periods start later, and their funds wait for the new start", async () => {
  const { purchaseId: id } = await paidSubscription(world, bruno, ana);
  const { chargeId } = await prepayPeriods(world.ctx, {
    fanId: bruno.id,
    subscriptionId: id,
    periods: 3,
  });
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  const parts = () =>
    world.ctx.db
      .select({ beginsAt: chargeReleases.beginsAt })
      .from(chargeReleases)
      .where(eq(chargeReleases.chargeId, chargeId))
      .orderBy(asc(chargeReleases.position));
  const [before, releases, paidMs] = [await row(id), await parts(), await coveredMs(id)];
  await world.advance(DAY_MS);
  await away(10);
  expect((await row(id)).currentPeriodEndsAt).toBe(before.currentPeriodEndsAt + 10 * DAY_MS);
  expect((await parts()).map(({ beginsAt }) => beginsAt)).toEqual(
    releases.map(({ beginsAt }) => (beginsAt ?? 0) + 10 * DAY_MS),
  );
  expect(await coveredMs(id)).toBe(paidMs);
  await world.advance(4 * DAY_MS);
  await back();
  expect((await row(id)).currentPeriodEndsAt).toEqual(
    closeTo(before.currentPeriodEndsAt + 4 * DAY_MS),
  );
  expect((await parts()).map(({ beginsAt }) => beginsAt)).toEqual(
    releases.map(({ beginsAt }) => closeTo((beginsAt ?? 0) + 4 * DAY_MS)),
  );
});

test("after an early return, a subscriber not moved back yet can pause, and a new subscriber is not moved", async () => {
  const { purchaseId: id } = await paidSubscription(world, bruno, ana);
  await world.advance(10 * DAY_MS);
  const leftMs = (await row(id)).accessUntil - world.ctx.now();
  await startVacation(world.ctx, { creatorId: ana.id, days: 30 });
  await world.advance(2 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  const [sweep] = world.queued.splice(0).filter(({ type }) => type === "vacation.sweep");
  const { purchaseId: later } = await paidSubscription(world, await createPerson(world.ctx), ana);
  const started = await row(later);
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id });
  await shiftSubscribersForVacation(world.ctx, { vacationId: sweep?.id ?? "" });
  await world.drain();
  expect((await row(later)).accessUntil).toBe(started.accessUntil);
  await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id });
  expect((await row(id)).accessUntil).toEqual(closeTo(world.ctx.now() + leftMs));
});

test("after an early return, prepaying starts where the returned days end, moved back or not", async () => {
  const { purchaseId: id } = await paidSubscription(world, bruno, ana);
  const before = await row(id);
  await away(60);
  await world.advance(10 * DAY_MS);
  await returnFromVacation(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  const { chargeId } = await prepayPeriods(world.ctx, {
    fanId: bruno.id,
    subscriptionId: id,
    periods: 3,
  });
  expect((await row(id)).currentPeriodEndsAt).toEqual(
    closeTo(before.currentPeriodEndsAt + 10 * DAY_MS),
  );
  expect((await chargeRow(world.ctx, { chargeId }))?.periodStartsAt).toBe(
    (await row(id)).currentPeriodEndsAt,
  );
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  const { currentPeriodEndsAt, accessUntil, anchorAt } = await row(id);
  await world.tick();
  expect(await row(id)).toMatchObject({ currentPeriodEndsAt, accessUntil, anchorAt });
});

test("an open checkout paid during a vacation is refunded; a complimentary subscription may start and is not moved", async () => {
  const waiting = await pixCheckout(world, bruno, ana);
  await away(7);
  await payAtBank(world, waiting);
  await world.drain();
  expect((await chargeRow(world.ctx, waiting))?.status).toBe("refunded");
  const carla = await createPerson(world.ctx, "Carla");
  await grantComp(world.ctx, {
    creatorId: ana.id,
    creatorName: ana.name,
    givenBy: ana.id,
    username: carla.username,
    planId: ana.planId,
    months: 1,
  });
  expect(
    await world.ctx.db.$count(
      vacationShifts,
      sql`${vacationShifts.subscriptionId} IN (SELECT id FROM subscriptions WHERE creator_id = ${ana.id})`,
    ),
  ).toBe(0);
  await back();
});

test("one subscription that cannot be moved delays no other, and an invariant names it", async () => {
  const { purchaseId: stuck } = await paidSubscription(world, bruno, ana);
  const { purchaseId: other } = await paidSubscription(
    world,
    await createPerson(world.ctx, "Carla"),
    ana,
  );
  await world.ctx.db.run(
    sql.raw(
      `CREATE TRIGGER stuck BEFORE INSERT ON vacation_shifts WHEN NEW.subscription_id = '${stuck}' BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
    ),
  );
  await away(14);
  const left = async () =>
    (await invariantFindings(world.ctx))
      .find(({ name }) => name === "vacations_move_once")
      ?.rows.map((found) => found["id"]);
  expect([
    await world.ctx.db.$count(vacationShifts, eq(vacationShifts.subscriptionId, other)),
    await left(),
  ]).toEqual([1, [stuck]]);
  expect(
    world.logged.filter(({ event }) => event === "subscriptions.vacation_move_failed"),
  ).toHaveLength(1);
  await world.ctx.db.run(sql.raw("DROP TRIGGER stuck"));
  await back();
});

test("a creator has one vacation at a time, and the database refuses charges during it", async () => {
  await expect(startVacation(world.ctx, { creatorId: bruno.id, days: 7 })).rejects.toThrow(
    NothingToPauseForVacation,
  );
  await expect(returnFromVacation(world.ctx, { creatorId: ana.id })).rejects.toThrow(
    VacationNotRunning,
  );
  const { purchaseId: id } = await paidSubscription(world, bruno, ana);
  await world.advance(MINUTE_MS);
  const starts = await Promise.allSettled(
    Array.from({ length: 6 }, () => startVacation(world.ctx, { creatorId: ana.id, days: 7 })),
  );
  expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of starts)
    if (one.status === "rejected") expect(one.reason).toBeInstanceOf(VacationAlreadyRunning);
  await world.drain();
  const [paid] = await chargesOf(id);
  if (!paid) throw new Error("no charge");
  await expect(
    world.ctx.db.insert(charges).values({
      ...paid,
      id: world.ctx.newId(),
      providerChargeId: null,
      createdAt: world.ctx.now() + 1,
    }),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining("immutable_vacation") } });
  await expect(
    world.ctx.db
      .update(subscriptions)
      .set({ status: "paused", pausedAt: 1, resumesAt: 2, updatedAt: world.ctx.now() })
      .where(eq(subscriptions.id, id)),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining("immutable_vacation") } });
  // A subscription that was not moved, for the invariant to find.
  const [moved] = await world.ctx.db
    .select()
    .from(vacationShifts)
    .where(eq(vacationShifts.subscriptionId, id));
  if (!moved) throw new Error("not moved");
  await world.ctx.db.delete(vacationShifts).where(eq(vacationShifts.subscriptionId, id));
  expect((await invariantFindings(world.ctx)).filter(({ rows }) => rows.length > 0)).toMatchObject([
    { name: "vacations_move_once", rows: [{ id }] },
  ]);
  await world.ctx.db.insert(vacationShifts).values(moved);
  const returns = await Promise.allSettled(
    Array.from({ length: 6 }, () => returnFromVacation(world.ctx, { creatorId: ana.id })),
  );
  expect(returns.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await world.drain();
});
