import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeReleaseParts } from "#app/domain/payments/releases/queries.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { PlanPriceChanged, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { TooManyPrepaidCodes } from "#app/domain/subscriptions/prepayments/errors.ts";
import { commit } from "#app/db/client.server.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
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
const settle = async (chargeId: string) => {
  await payAtBank(world, { providerChargeId: (await charge(chargeId)).providerChargeId ?? "" });
  await world.drain();
};
async function wait(ms: number): Promise<void> {
  await world.advance(ms);
  await world.tick();
  await world.tick();
}

describe("prepaying in an active subscription", () => {
  let subscriptionId: string;
  beforeEach(async () => {
    subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
  });
  const prepay = (periods: number, more = {}) =>
    prepayPeriods(world.ctx, { fanId: bruno.id, subscriptionId, periods, ...more });

  test("adds six months after the paid period and cancels the open renewal code", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    await wait((endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    const [sent] = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    const { chargeId } = await prepay(6, { amountCents: 11_940 });
    expect((await charge(sent?.id ?? "")).status).toBe("canceled");
    expect((await prepay(6)).chargeId).toBe(chargeId);
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

  test("if unpaid, the code expires and the usual renewal is created", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    await wait((endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    const { chargeId } = await prepay(3);
    await wait(DAY_MS);
    expect((await charge(chargeId)).status).toBe("expired");
    const waiting = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    expect(waiting.map(({ amountCents, periodsCents }) => [amountCents, periodsCents])).toEqual([
      [1_990, null],
    ]);
  });

  test("creates one charge for ten clicks, refuses other members, and limits the number of codes", async () => {
    const clicks = await Promise.allSettled(Array.from({ length: 10 }, () => prepay(3)));
    expect(
      new Set(
        clicks.map((click) => (click.status === "fulfilled" ? click.value.chargeId : "refused")),
      ).size,
    ).toBe(1);
    await expect(
      prepayPeriods(world.ctx, { fanId: ana.id, subscriptionId, periods: 3 }),
    ).rejects.toThrow(SubscriptionNotFound);
    await expect(prepay(6, { amountCents: 1 })).rejects.toThrow(PlanPriceChanged);
    for (let code = 1; code < 20; code += 1) await prepay(code % 2 === 0 ? 3 : 6);
    await expect(prepay(12)).rejects.toThrow(TooManyPrepaidCodes);
  });

  test("a refund before it starts keeps the current paid period, and prepaying is possible again", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    const { chargeId } = await prepay(3);
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
    const again = await prepay(3);
    await settle(again.chargeId);
    expect(await covered(subscriptionId)).toHaveLength(4);
  });

  test("a refund before it starts leaves the next renewal to be charged on its day", async () => {
    const { currentPeriodEndsAt: endsAt } = await row(subscriptionId);
    const { chargeId } = await prepay(3);
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

test("each centavo of the net is either released once, pending or refunded, whatever happens", async () => {
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
