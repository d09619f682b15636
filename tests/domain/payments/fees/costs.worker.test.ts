import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { chargeEntries } from "#app/domain/ledger/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { disputes } from "#drizzle/schema/payments.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { reconciliationDifferences } from "#drizzle/schema/reconciliation.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { deleteRuns, msUntilNextRun, finishRun } from "#tests/support/reconciliation.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** The provider balance in the ledger, and the balance that the provider reports (centavos). */
async function sides(): Promise<{ books: number; provider: number }> {
  const [clearing] = await world.ctx.db
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, "provider_clearing:sandbox"));
  const said = await world.ctx.payments.balance();
  return { books: clearing?.balanceCents ?? 0, provider: said.availableCents + said.pendingCents };
}

const costsOf = async (chargeId: string) =>
  await world.ctx.db.all<{ cents: number }>(
    sql`SELECT e.amount_cents AS cents FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.charge_id = ${chargeId} AND e.account_id = 'provider_costs'`,
  );

/** The same provider, which does not report its costs yet. */
const tacit = (ctx: World["ctx"]): Context => ({
  ...ctx,
  payments: {
    ...ctx.payments,
    chargeById: async (id) => silenced(await ctx.payments.chargeById(id)),
  },
});
const silenced = (providerCharge: ProviderCharge): ProviderCharge => ({
  ...providerCharge,
  costCents: null,
});

test("the cost of a Pix, a card, a payout and a dispute is booked once each, and creator balances do not include it", async () => {
  const pix = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  const clara = await createPerson(world.ctx, "Clara");
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: clara.id,
    memberName: clara.name,
    planPriceId: ana.priceId,
    method: "card",
    cardToken: await cardToken(world),
  });
  await world.drain();
  expect([await costsOf(pix.id), await costsOf(chargeId)]).toEqual([
    [{ cents: 20 }],
    [{ cents: 69 }],
  ]);
  expect(
    (await chargeEntries(world.ctx, { chargeId })).map(({ accountKind }) => accountKind),
  ).not.toContain("provider_costs");
  expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 2 * 1_890,
    owedCents: 0,
  });

  await world.advance(9 * DAY_MS);
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await world.drain();
  await world.advance(10 * MINUTE_MS);
  await world.tick();
  const [payout] = await world.ctx.db.select().from(payouts).where(eq(payouts.id, payoutId));
  expect(payout).toMatchObject({ status: "paid", amountCents: 1_890, costCents: 20 });

  const card = await chargeRow(world.ctx, { chargeId });
  const opened = await world.console(`/sandbox/charges/${card?.providerChargeId}/dispute`);
  await world.drain();
  await world.console(`/sandbox/disputes/${String(opened.body.id)}/lose`);
  await world.drain();
  const [dispute] = await world.ctx.db
    .select()
    .from(disputes)
    .where(eq(disputes.chargeId, chargeId));
  expect(dispute).toMatchObject({ status: "lost", costCents: 1_500 });
  const { books, provider } = await sides();
  expect(books).toBe(provider);
});

test("a cost reported after the payment is booked once, however often it is reported", async () => {
  const { chargeId, providerChargeId } = await pixCheckout(
    world,
    await createPerson(world.ctx, "Davi"),
    ana,
  );
  const ctx = tacit(world.ctx);
  await payAtBank(world, { providerChargeId });
  world.queued.splice(0);
  await settleCharge(ctx, { chargeId });
  expect([(await chargeRow(world.ctx, { chargeId }))?.costCents, await costsOf(chargeId)]).toEqual([
    null,
    [],
  ]);
  await Promise.all([
    settleCharge(world.ctx, { chargeId }),
    settleCharge(world.ctx, { chargeId }),
    settleCharge(world.ctx, { chargeId }),
  ]);
  expect([(await chargeRow(world.ctx, { chargeId }))?.costCents, await costsOf(chargeId)]).toEqual([
    20,
    [{ cents: 20 }],
  ]);
  await world.tick();
});

test("a cost without an event is booked by reconciliation; another value later is an open difference and is not booked", async () => {
  await deleteRuns();
  const { chargeId, providerChargeId } = await pixCheckout(
    world,
    await createPerson(world.ctx, "Eva"),
    ana,
  );
  await payAtBank(world, { providerChargeId });
  world.queued.splice(0);
  await settleCharge(tacit(world.ctx), { chargeId });
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(world.ctx);
  expect(await costsOf(chargeId)).toEqual([{ cents: 20 }]);
  expect(await world.ctx.db.select().from(reconciliationDifferences)).toEqual([]);

  await deleteRuns();
  await world.advance(11 * MINUTE_MS);
  const dearer = async (providerCharge: ProviderCharge): Promise<ProviderCharge> =>
    providerCharge.id === providerChargeId ? { ...providerCharge, costCents: 99 } : providerCharge;
  const { chargeById, chargesSince } = world.ctx.payments;
  const ctx = {
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      chargeById: async (id: string) => await dearer(await chargeById(id)),
      chargesSince: async (asked: Parameters<typeof chargesSince>[0]) => {
        const page = await chargesSince(asked);
        return { ...page, items: await Promise.all(page.items.map(dearer)) };
      },
    },
  };
  await finishRun(ctx);
  expect(await costsOf(chargeId)).toEqual([{ cents: 20 }]);
  expect(await world.ctx.db.select().from(reconciliationDifferences)).toMatchObject([
    {
      object: "charge",
      objectId: providerChargeId,
      kind: "amount",
      isMoney: false,
      gapCents: 79,
      state: "open",
    },
  ]);
});
