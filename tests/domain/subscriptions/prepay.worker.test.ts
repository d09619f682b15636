import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeReleaseParts } from "#app/domain/payments/releases/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { PlanPriceChanged, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { CannotPrepay, TooManyPrepaidCodes } from "#app/domain/subscriptions/prepayments/errors.ts";
import { commit } from "#app/db/client.server.ts";
import { subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS, formatShortDay, MINUTE_MS } from "#app/domain/time.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const wish = (periods: number, more = {}) => ({
  memberId: bruno.id,
  memberName: bruno.name,
  planPriceId: ana.priceId,
  method: "pix" as const,
  cardToken: null,
  periods,
  ...more,
});
const row = async (subscriptionId: string) => {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found as Subscription;
};
const charge = async (chargeId: string) => {
  const found = await chargeRow(world.ctx, { chargeId });
  if (!found) throw new Error("no charge");
  return found;
};
const covered = (subscriptionId: string) =>
  world.ctx.db
    .select()
    .from(chargePeriods)
    .where(eq(chargePeriods.subscriptionId, subscriptionId))
    .orderBy(asc(chargePeriods.startsAt));
const chargesOf = (subscriptionId: string) =>
  world.ctx.db.select().from(charges).where(eq(charges.purchaseId, subscriptionId));
const parts = (chargeId: string) => chargeReleaseParts(world.ctx, { chargeId });
/** What was released of a charge; a payout may have taken it since. */
const freedCents = async (chargeId: string) =>
  (await parts(chargeId))
    .filter(({ releasedAt }) => releasedAt !== null)
    .reduce((sum, one) => sum + one.netCents - one.takenCents, 0);
const balances = () => creatorBalances(world.ctx, { creatorId: ana.id });
const settle = async (chargeId: string) => {
  await payAtBank(world, { providerChargeId: (await charge(chargeId)).providerChargeId ?? "" });
  await world.drain();
};
/** A year, or less, paid at the door. */
async function paidAtOnce(periods: number, more = {}) {
  const { chargeId } = await startSubscription(world.ctx, wish(periods, more));
  await settle(chargeId);
  return { chargeId, subscriptionId: (await charge(chargeId)).purchaseId };
}
async function wait(ms: number): Promise<void> {
  await world.advance(ms);
  await world.tick();
  await world.tick();
}

describe("at the checkout", () => {
  test("one Pix covers three months, is free month by month, and renews at their end", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(3, { amountCents: 5_970 });
    const paid = await charge(chargeId);
    expect(paid).toMatchObject({
      status: "succeeded",
      amountCents: 5_970,
      feeCents: 299,
      netCents: 5_671,
      pendingCents: 5_671,
      periodsCents: [1_990, 1_990, 1_990],
    });
    expect(paid.description).toContain(": 3 meses");
    const periods = await covered(subscriptionId);
    expect(periods).toHaveLength(3);
    const started = await row(subscriptionId);
    expect(started).toMatchObject({
      status: "active",
      currentPeriodStartsAt: periods[0]?.startsAt,
      currentPeriodEndsAt: periods[2]?.endsAt,
      accessUntil: periods[2]?.endsAt,
    });
    expect(subscriptionBadge(started)).toBe(
      `Ativa · renova em ${formatShortDay(periods[2]?.endsAt ?? 0)}`,
    );
    expect(
      (await parts(chargeId)).map(({ netCents, beginsAt, releaseAt }) => [
        netCents,
        Math.round((releaseAt - (beginsAt ?? 0)) / MINUTE_MS) * MINUTE_MS,
      ]),
    ).toEqual([
      [1_891, 8 * DAY_MS],
      [1_890, DAY_MS],
      [1_890, DAY_MS],
    ]);
    await wait(8 * DAY_MS + MINUTE_MS);
    expect(await freedCents(chargeId)).toBe(1_891);
    expect(await balances()).toMatchObject({
      pendingCents: 3_780,
      releases: [{ netCents: 1_890 }, { netCents: 1_890 }],
    });
    await wait((periods[1]?.startsAt ?? 0) + DAY_MS + MINUTE_MS - world.ctx.now());
    expect(await freedCents(chargeId)).toBe(3_781);
    expect(await chargesOf(subscriptionId)).toHaveLength(1);
    await wait((periods[2]?.endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    expect(await freedCents(chargeId)).toBe(5_671);
    expect(await balances()).toMatchObject({ pendingCents: 0, releases: [] });
    const [sent] = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    expect(sent).toMatchObject({ amountCents: 1_990, periodStartsAt: periods[2]?.endsAt });
  });

  test("only by Pix, only as offered, and only at the price that was shown", async () => {
    await expect(startSubscription(world.ctx, wish(3, { method: "card" }))).rejects.toThrow(
      CannotPrepay,
    );
    await expect(startSubscription(world.ctx, wish(4))).rejects.toThrow(CannotPrepay);
    await expect(startSubscription(world.ctx, wish(3, { amountCents: 1_990 }))).rejects.toThrow(
      PlanPriceChanged,
    );
    expect(await world.ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id))).toEqual(
      [],
    );
  });

  test("two tabs make one charge, and another number of months takes the first code back", async () => {
    const first = await startSubscription(world.ctx, wish(3));
    expect((await startSubscription(world.ctx, wish(3))).chargeId).toBe(first.chargeId);
    const second = await startSubscription(world.ctx, wish(6));
    expect(second.chargeId).not.toBe(first.chargeId);
    expect((await charge(first.chargeId)).status).toBe("canceled");
    expect(await charge(second.chargeId)).toMatchObject({
      status: "awaiting_payment",
      amountCents: 11_940,
    });
  });

  test("a late Pix of several months is honoured from the day it came", async () => {
    const { chargeId } = await startSubscription(world.ctx, wish(6));
    await wait(2 * DAY_MS);
    expect((await charge(chargeId)).status).toBe("expired");
    await settle(chargeId);
    const { purchaseId, status } = await charge(chargeId);
    expect(status).toBe("succeeded");
    expect(await covered(purchaseId)).toHaveLength(6);
    expect(Math.abs(((await row(purchaseId)).startedAt ?? 0) - world.ctx.now())).toBeLessThan(
      MINUTE_MS,
    );
  });

  test("a coupon counts each month, to the centavo, and its full price begins after all that is paid", async () => {
    const { couponId } = await createCoupon(world.ctx, {
      creatorId: ana.id,
      code: "DOIS20",
      percent: 20,
      amountCents: null,
      cycles: 2,
      usesLimit: null,
      expiresAt: null,
      planIds: null,
    });
    const { chargeId, subscriptionId } = await paidAtOnce(3, {
      coupon: "DOIS20",
      amountCents: 2 * 1_592 + 1_990,
    });
    const paid = await charge(chargeId);
    expect(paid.periodsCents).toEqual([1_592, 1_592, 1_990]);
    const net = (await parts(chargeId)).map(({ netCents }) => netCents);
    expect(net.reduce((sum, cents) => sum + cents, 0)).toBe(paid.netCents);
    expect(net[2]).toBeGreaterThan(net[0] ?? 0);
    const [use] = await world.ctx.db
      .select()
      .from(couponUses)
      .where(eq(couponUses.couponId, couponId));
    expect(use).toMatchObject({
      cyclesLeft: 0,
      fullPriceAt: (await row(subscriptionId)).currentPeriodEndsAt,
    });
  });

  test("regretted in seven days all of it goes back, and nothing is left to release", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(12);
    await wait(6 * DAY_MS);
    await requestSubscriptionCoolingOffRefund(world.ctx, { fanId: bruno.id, subscriptionId });
    await world.drain();
    expect(await charge(chargeId)).toMatchObject({
      status: "refunded",
      refundedCents: 23_880,
      pendingCents: 0,
    });
    expect((await row(subscriptionId)).status).toBe("expired");
    expect(await balances()).toMatchObject({
      availableCents: 0,
      pendingCents: 0,
      owedCents: 0,
      releases: [],
    });
  });

  test("canceled, it opens everything until the end of what was paid, and asks for nothing more", async () => {
    const { subscriptionId } = await paidAtOnce(3);
    const endsAt = (await row(subscriptionId)).accessUntil ?? 0;
    await wait(20 * DAY_MS);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    await wait(endsAt - DAY_MS - world.ctx.now());
    expect(await row(subscriptionId)).toMatchObject({ status: "canceled", accessUntil: endsAt });
    await wait(DAY_MS + MINUTE_MS);
    expect((await row(subscriptionId)).status).toBe("expired");
    expect(await chargesOf(subscriptionId)).toHaveLength(1);
  });

  test("its page closed after a month, the months to come go back, and of what was released nothing is missing", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(12);
    const [, second] = await covered(subscriptionId);
    await wait((second?.startsAt ?? 0) - world.ctx.now());
    await closeSubscription(world.ctx, { subscriptionId, because: "creator_left" });
    await world.drain();
    const { refundedCents, pendingCents } = await charge(chargeId);
    expect(refundedCents).toBeGreaterThan(21_500);
    expect(refundedCents).toBeLessThan(21_950);
    expect(pendingCents).toBeLessThan(200);
    expect(await balances()).toMatchObject({ owedCents: 0 });
  });

  test("paused, the months to come are released as late as they begin, and taken up early they come back", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(3);
    await wait(10 * DAY_MS);
    const before = await parts(chargeId);
    await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    const { resumesAt, pausedAt } = await row(subscriptionId);
    const monthMs = (resumesAt ?? 0) - (pausedAt ?? 0);
    expect((await parts(chargeId)).map(({ releaseAt }) => releaseAt)).toEqual(
      before.map(({ releaseAt, releasedAt }) =>
        releasedAt === null ? releaseAt + monthMs : releaseAt,
      ),
    );
    await wait(5 * DAY_MS);
    await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    const periods = await covered(subscriptionId);
    const after = await parts(chargeId);
    expect(after.slice(1).map(({ beginsAt }) => beginsAt)).toEqual(
      periods.slice(-2).map(({ startsAt }) => startsAt),
    );
    expect(after[1]?.releaseAt).toBe((after[1]?.beginsAt ?? 0) + DAY_MS);
  });
});

describe("of a subscription that runs", () => {
  let subscriptionId: string;
  beforeEach(async () => {
    subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
  });
  const ahead = (periods: number, more = {}) =>
    prepayPeriods(world.ctx, { fanId: bruno.id, subscriptionId, periods, ...more });

  test("six months go on from the end of what is paid, and the code that waited is taken back", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    await wait((endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    const [sent] = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    const { chargeId } = await ahead(6, { amountCents: 11_940 });
    expect((await charge(sent?.id ?? "")).status).toBe("canceled");
    expect((await ahead(6)).chargeId).toBe(chargeId);
    await settle(chargeId);
    const periods = await covered(subscriptionId);
    expect(periods).toHaveLength(7);
    expect(periods[1]?.startsAt).toBe(endsAt);
    expect(await row(subscriptionId)).toMatchObject({
      status: "active",
      currentPeriodEndsAt: periods[6]?.endsAt,
      accessUntil: periods[6]?.endsAt,
    });
    expect(
      (await parts(chargeId)).every(
        ({ beginsAt, releaseAt }, position) =>
          beginsAt === periods[position + 1]?.startsAt && releaseAt === (beginsAt ?? 0) + DAY_MS,
      ),
    ).toBe(true);
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect((await charge(sent?.id ?? "")).status).toBe("refunded");
  });

  test("not paid, the code runs out and the renewal is asked for as ever", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    await wait((endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    const { chargeId } = await ahead(3);
    await wait(DAY_MS);
    expect((await charge(chargeId)).status).toBe("expired");
    const waiting = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    expect(waiting.map(({ amountCents, periodsCents }) => [amountCents, periodsCents])).toEqual([
      [1_990, null],
    ]);
  });

  test("ten clicks make one charge, somebody else's is not found, and codes have an end", async () => {
    const clicks = await Promise.allSettled(Array.from({ length: 10 }, () => ahead(3)));
    expect(
      new Set(
        clicks.map((click) => (click.status === "fulfilled" ? click.value.chargeId : "refused")),
      ).size,
    ).toBe(1);
    await expect(
      prepayPeriods(world.ctx, { fanId: ana.id, subscriptionId, periods: 3 }),
    ).rejects.toThrow(SubscriptionNotFound);
    await expect(ahead(6, { amountCents: 1 })).rejects.toThrow(PlanPriceChanged);
    for (let code = 1; code < 20; code += 1) await ahead(code % 2 === 0 ? 3 : 6);
    await expect(ahead(12)).rejects.toThrow(TooManyPrepaidCodes);
  });

  test("given back before it begins, the subscription goes on to the end of what is paid, and may be paid again", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    const { chargeId } = await ahead(3);
    await settle(chargeId);
    await commit(world.ctx.db, [
      requestRefundStatement(world.ctx, await charge(chargeId), {
        id: world.ctx.newId(),
        amountCents: 5_970,
        reason: "De volta",
      }),
    ]);
    await wait(MINUTE_MS);
    expect((await charge(chargeId)).status).toBe("refunded");
    expect(await row(subscriptionId)).toMatchObject({
      status: "active",
      currentPeriodEndsAt: endsAt,
      accessUntil: endsAt,
    });
    const again = await ahead(3);
    await settle(again.chargeId);
    expect(await covered(subscriptionId)).toHaveLength(4);
  });

  test("given back before it begins, the next period is charged on its day as if it had not been paid", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    const { chargeId } = await ahead(3);
    await settle(chargeId);
    await commit(world.ctx.db, [
      requestRefundStatement(world.ctx, await charge(chargeId), {
        id: world.ctx.newId(),
        amountCents: 5_970,
        reason: "De volta",
      }),
    ]);
    await wait(MINUTE_MS);
    await wait((endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    const waiting = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    expect(waiting.map(({ amountCents, periodStartsAt }) => [amountCents, periodStartsAt])).toEqual(
      [[1_990, endsAt]],
    );
  });
});

test("whatever happens to it, each centavo of its net is released once, pending, or given back", async () => {
  const acts = fc.constantFrom("month", "part", "dispute", "won", "pause", "resume");
  await fc.assert(
    fc.asyncProperty(
      fc.array(acts, { minLength: 3, maxLength: 6 }),
      fc.integer({ min: 1, max: 4_000 }),
      async (sequence, partCents) => {
        const dora = await createPerson(world.ctx, "Dora");
        const beto = await createSeller(world.ctx, { amountCents: 1_990 });
        const { chargeId } = await startSubscription(world.ctx, {
          memberId: dora.id,
          memberName: dora.name,
          planPriceId: beto.priceId,
          method: "pix",
          cardToken: null,
          periods: 6,
        });
        await settle(chargeId);
        const { purchaseId: subscriptionId, providerChargeId } = await charge(chargeId);
        let disputeId: string | null = null;
        for (const act of sequence) {
          const now = await charge(chargeId);
          if (act === "month") await wait(31 * DAY_MS);
          if (
            act === "part" &&
            now.status !== "disputed" &&
            now.refundedCents + partCents <= now.amountCents
          ) {
            await commit(world.ctx.db, [
              requestRefundStatement(world.ctx, now, {
                id: world.ctx.newId(),
                amountCents: partCents,
                reason: "Parte",
              }),
            ]);
            await wait(MINUTE_MS);
          }
          if (
            act === "dispute" &&
            disputeId === null &&
            ["succeeded", "partially_refunded"].includes(now.status)
          ) {
            disputeId = (await world.console(`/sandbox/charges/${providerChargeId}/dispute`)).body[
              "id"
            ] as string;
            await world.drain();
          }
          if (act === "won" && disputeId !== null)
            await world.console(`/sandbox/disputes/${disputeId}/win`).then(() => world.drain());
          if (act === "pause")
            await pauseSubscription(world.ctx, { fanId: dora.id, subscriptionId }).catch(
              () => undefined,
            );
          if (act === "resume")
            await resumeSubscription(world.ctx, { fanId: dora.id, subscriptionId }).catch(
              () => undefined,
            );
          await expectInvariantsToHold(world.ctx);
          const [after, held] = [await charge(chargeId), await parts(chargeId)];
          const isFree = held
            .filter(({ releasedAt }) => releasedAt !== null)
            .reduce((sum, one) => sum + one.netCents - one.takenCents, 0);
          const waits = held
            .filter(({ releasedAt }) => releasedAt === null)
            .reduce((sum, one) => sum + one.netCents - one.takenCents, 0);
          const taken = held.reduce((sum, one) => sum + one.takenCents, 0);
          expect(isFree + waits + taken).toBe(after.netCents);
          expect(after.pendingCents).toBe(after.status === "disputed" ? 0 : waits);
          expect(
            held.every(
              ({ releasedAt, releaseAt }) => releasedAt === null || releasedAt >= releaseAt,
            ),
          ).toBe(true);
        }
      },
    ),
    { numRuns: 4, seed: 5 },
  );
}, 120_000);
