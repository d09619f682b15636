import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { creatorMoney } from "#app/domain/analytics/money/queries.server.ts";
import { moneyBy, moneyWithin } from "#app/domain/analytics/money/rules.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import { billingStatementTotals } from "#app/domain/billing/statements/queries/statement.server.ts";
import { unfilteredStatement } from "#app/domain/billing/schema.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { DAY_MS, dayNumberOf } from "#app/domain/time.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { paidPurchase, priceRule, soldPost } from "#tests/support/purchases.ts";
import { paidTip } from "#tests/support/tips.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
  const bruno = await createPerson(world.ctx, "Bruno");
  await paidSubscription(world, bruno, ana);
  await world.advance(2 * DAY_MS);
  const { postId } = await soldPost(world.ctx, ana, { rules: [priceRule(1_333)] });
  const { charge } = await paidPurchase(world, bruno, postId);
  await refundCharge(world.ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId: charge.id,
    refundId: world.ctx.newId(),
    amountCents: 777,
    reason: "",
  });
  await world.drain();
  const carla = await createPerson(world.ctx, "Carla");
  const { charge: disputed } = await paidTip(world, carla, ana);
  await openDisputeOn(world, disputed);
  await paidTip(world, carla, ana);
  await world.drain();
});

const rangeOf = (query: string) => {
  const today = dayNumberOf(world.ctx.now());
  return parseRange(new URLSearchParams(query), { today, firstDay: today - 30 }).range;
};

/** What the sales of some days left in the books for the creator, and as the platform's fee. */
async function booked({ from, until }: { from: number; until: number }) {
  const [row] = await world.ctx.db.all<{ netCents: number; feeCents: number }>(sql`
    SELECT -SUM(CASE WHEN a.kind IN ('creator_pending', 'creator_available', 'creator_owed') THEN e.amount_cents ELSE 0 END) AS netCents,
      -SUM(CASE WHEN a.kind = 'platform_fees' THEN e.amount_cents ELSE 0 END) AS feeCents
    FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN ledger_accounts a ON a.id = e.account_id
    JOIN charges c ON c.id = t.charge_id
    WHERE c.creator_id = ${ana.id} AND CAST((c.succeeded_at - 10800000) / 86400000 AS INTEGER) BETWEEN ${from} AND ${until}`);
  return row;
}

test.each(["range=7", "range=28", "range=year", "range=all"])(
  "net and fee of ?%s equal the ledger to the centavo",
  async (query) => {
    const range = rangeOf(query);
    const sums = moneyWithin(await creatorMoney(world.ctx, { creatorId: ana.id, range }), range);
    expect(sums.count).toBe(4);
    expect({ netCents: sums.netCents, feeCents: sums.feeCents }).toEqual(await booked(range));
  },
);

test("a day alone equals the ledger too", async () => {
  const day = dayNumberOf(Date.parse(NOON_OF_NOVEMBER_11));
  const range = { ...rangeOf("range=all"), from: day, until: day };
  const sums = moneyWithin(await creatorMoney(world.ctx, { creatorId: ana.id, range }), range);
  expect(sums).toMatchObject({ count: 1, grossCents: 1_990 });
  expect({ netCents: sums.netCents, feeCents: sums.feeCents }).toEqual(await booked(range));
});

test("a figure is the total of the statement that it opens, by kind and by method too", async () => {
  const range = rangeOf("range=28");
  const rows = await creatorMoney(world.ctx, { creatorId: ana.id, range });
  const statement = async (part: object) => {
    const filter = { ...unfilteredStatement, from: range.from, until: range.until, ...part };
    const asked = { personId: ana.id, face: "received" as const, filter };
    return (await billingStatementTotals(world.ctx, asked)).netCents;
  };
  expect(moneyWithin(rows, range).netCents).toBe(await statement({}));
  for (const { value, netCents } of moneyBy(rows, range, "kind"))
    expect([value, netCents]).toEqual([value, await statement({ kind: value })]);
  for (const { value, netCents } of moneyBy(rows, range, "method"))
    expect([value, netCents]).toEqual([value, await statement({ method: value })]);
});
