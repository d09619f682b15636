import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { creatorMoney, moneyParts } from "#app/domain/analytics/money/queries.server.ts";
import type { MoneyParts } from "#app/domain/analytics/money/queries.server.ts";
import { moneyWithin } from "#app/domain/analytics/money/rules.ts";
import type { MoneySums } from "#app/domain/analytics/money/rules.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { NO_PART, unfilteredStatement } from "#app/domain/billing/schema.ts";
import {
  billingStatementTotals,
  streamBillingStatement,
} from "#app/domain/billing/statements/queries/statement.server.ts";
import { DAY_MS, dayNumberOf } from "#app/domain/time.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { otherPlan, paidUpgrade } from "#tests/support/plan-changes.ts";
import { expiredTip, openRefundTransfer } from "#tests/support/refund-transfers.ts";
import { paidTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
});

const allOf = () => {
  const today = dayNumberOf(world.ctx.now());
  return parseRange(new URLSearchParams("range=all"), { today, firstDay: today - 400 }).range;
};

async function numbers(): Promise<MoneyParts & { whole: MoneySums }> {
  const asked = { creatorId: ana.id, range: allOf() };
  const whole = moneyWithin(await creatorMoney(world.ctx, asked), asked.range);
  return { ...(await moneyParts(world.ctx, asked)), whole };
}

const refund = async (chargeId: string, amountCents: number) => {
  await refundCharge(world.ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId,
    refundId: world.ctx.newId(),
    amountCents,
    reason: "",
  });
  await world.drain();
};

const total = (parts: readonly MoneySums[]): MoneySums => {
  const sum = { count: 0, grossCents: 0, refundedCents: 0, disputedCents: 0 };
  const sums = { ...sum, feeCents: 0, netCents: 0 };
  for (const part of parts)
    for (const name of Object.keys(sums) as (keyof MoneySums)[]) sums[name] += part[name];
  return sums;
};

/** What the ledger holds of the charges of one plan; null for those of none. */
async function bookedOfPlan(planId: string | null) {
  const [row] = await world.ctx.db.all<{ netCents: number; feeCents: number }>(sql`
    SELECT -SUM(CASE WHEN a.kind IN ('creator_pending', 'creator_available', 'creator_owed') THEN e.amount_cents ELSE 0 END) AS netCents,
      -SUM(CASE WHEN a.kind = 'platform_fees' THEN e.amount_cents ELSE 0 END) AS feeCents
    FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN ledger_accounts a ON a.id = e.account_id
    JOIN charges c ON c.id = t.charge_id WHERE c.creator_id = ${ana.id} AND c.plan_id IS ${planId}`);
  return row;
}

/** A subscription, an upgrade, a gift, single sales, a partial refund and a dispute. */
async function everythingSold(): Promise<{ stagePlanId: string }> {
  const { ctx } = world;
  const bruno = await createPerson(ctx, "Bruno");
  const first = await paidSubscription(world, bruno, ana);
  const stage = await otherPlan(ctx, ana.id, { monthly: 4_990 });
  await world.advance(3 * DAY_MS);
  await paidUpgrade(world, {
    fanId: bruno.id,
    subscriptionId: first.purchaseId,
    planPriceId: stage.prices.monthly,
  });
  await paidGift(world, await createPerson(ctx, "Gil"), ana);
  const { charge: tip } = await paidTip(world, bruno, ana);
  await refund(tip.id, 777);
  const { charge: disputed } = await paidTip(world, await createPerson(ctx, "Carla"), ana);
  await openDisputeOn(world, disputed);
  await refund((await paidSubscription(world, await createPerson(ctx, "Duda"), ana)).id, 333);
  await world.drain();
  return { stagePlanId: stage.planId };
}

test("the plans sum to the money above them, and each equals the ledger to the centavo", async () => {
  const { stagePlanId } = await everythingSold();
  const { byPlan, byLink, whole } = await numbers();
  expect(byPlan.map(({ value }) => value).toSorted()).toEqual(
    ["", ana.planId, stagePlanId].toSorted(),
  );
  expect(total(byPlan)).toEqual(whole);
  expect(total(byLink)).toEqual(whole);
  for (const { value, netCents, feeCents } of byPlan)
    expect([value, { netCents, feeCents }]).toEqual([value, await bookedOfPlan(value || null)]);
});

test("an upgrade is money of the new plan, and what was paid before stays with the old one", async () => {
  const { stagePlanId } = await everythingSold();
  const { byPlan } = await numbers();
  const count = (planId: string) => byPlan.find(({ value }) => value === planId)?.count;
  // Two subscriptions and a gift; the upgrade alone.
  expect([count(ana.planId), count(stagePlanId)]).toEqual([3, 1]);
});

test("a plan's figure is the total of the statement that it opens, and the sum of its entries", async () => {
  await everythingSold();
  const { byPlan } = await numbers();
  const range = allOf();
  for (const { value, netCents, grossCents, count } of byPlan) {
    const filter = {
      ...unfilteredStatement,
      from: range.from,
      until: range.until,
      plan: value || NO_PART,
    };
    const asked = { personId: ana.id, face: "received" as const, filter };
    expect(await billingStatementTotals(world.ctx, asked)).toMatchObject({
      count,
      netCents,
      amountCents: grossCents,
    });
    const entries = [];
    for await (const page of streamBillingStatement(world.ctx, { ...asked, pageRows: 3, most: 50 }))
      entries.push(...page);
    expect(entries).toHaveLength(count);
    expect(entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(grossCents);
    // With another filter beside it, the totals are summed from the payments.
    const paid = { ...asked, filter: { ...filter, method: "pix" as const } };
    expect(await billingStatementTotals(world.ctx, paid)).toMatchObject({ netCents, count });
  }
});

test("a refund by transfer is in what was returned, and leaves nothing of the sale", async () => {
  const bruno = await createPerson(world.ctx, "Bruno");
  const charge = await expiredTip(world, bruno, ana);
  const before = (await numbers()).whole;
  expect(before).toMatchObject({ grossCents: 2_000, refundedCents: 0 });
  await openRefundTransfer(world, charge);
  const { whole, byPlan } = await numbers();
  expect(whole).toMatchObject({ count: 1, grossCents: 2_000, refundedCents: 2_000 });
  expect({ netCents: whole.netCents, feeCents: whole.feeCents }).toEqual(await bookedOfPlan(null));
  expect(whole.netCents).toBe(0);
  expect(total(byPlan)).toEqual(whole);
});
