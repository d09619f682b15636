import { afterEach, beforeEach, expect, test } from "vitest";
import { saveTaxId } from "#app/domain/billing/details/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { reconciliationDifferences, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import { openAsaas } from "#tests/integrations/asaas/asaas.ts";
import { openStripe } from "#tests/integrations/stripe/stripe.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { deleteRuns, msUntilNextRun, finishRun } from "#tests/support/reconciliation.ts";
import { takenBy } from "#tests/support/takers.ts";

let plain: World;
let ctx: Context;
let ana: Seller;
let [asaas, stripe] = [openAsaas(), openStripe()];
beforeEach(async () => {
  await deleteRuns();
  plain = await testContext({ webhooks: false });
  [asaas, stripe] = [openAsaas(), openStripe()];
  ctx = {
    ...plain.ctx,
    payments: createPaymentRouter(
      [asaas.provider, stripe.provider],
      takenBy({ pix: "asaas", card: "stripe" }),
    ),
  };
  ana = await createSeller(ctx);
});
afterEach(() => expectInvariantsToHold(ctx));

async function checkout(method: PaymentMethod, name: string) {
  const fan = await createPerson(plain.ctx, name);
  await saveTaxId(plain.ctx, { personId: fan.id, name, taxKind: "cpf", taxId: "52998224725" });
  const cardToken = method === "card" ? await stripe.harness.cardToken("approves") : null;
  const { chargeId } = await startSubscription(ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: ana.priceId,
    method,
    cardToken,
  });
  return {
    chargeId,
    providerChargeId: (await chargeRow(ctx, { chargeId }))?.providerChargeId ?? "",
  };
}

test("one run for each provider applies what Asaas and Stripe have in their lists without a webhook event", async () => {
  const [late, back] = [await checkout("pix", "Bruno"), await checkout("pix", "Clara")];
  await asaas.harness.pay(late.providerChargeId);
  await asaas.harness.pay(back.providerChargeId);
  await settleCharge(ctx, { chargeId: back.chargeId });
  await asaas.provider.refund({
    refundId: "panel-1",
    providerChargeId: back.providerChargeId,
    amountCents: 500,
  });
  const [card, disputed] = [await checkout("card", "Davi"), await checkout("card", "Eva")];
  await stripe.provider.refund({
    refundId: "panel-2",
    providerChargeId: card.providerChargeId,
    amountCents: 600,
  });
  await stripe.harness.dispute(disputed.providerChargeId);

  await plain.advance(msUntilNextRun(ctx.now()));
  await finishRun(ctx);
  const states = await Promise.all(
    [late, back, card, disputed].map(async ({ chargeId }) => await chargeRow(ctx, { chargeId })),
  );
  expect(
    states.map((charge) => `${charge?.provider} ${charge?.status} ${charge?.refundedCents}`),
  ).toEqual([
    "asaas succeeded 0",
    "asaas partially_refunded 500",
    "stripe partially_refunded 600",
    "stripe disputed 0",
  ]);
  const runs = await ctx.db.select().from(reconciliationRuns);
  expect(
    runs
      .map(
        ({ provider, step, foundCount, repairedCount }) =>
          `${provider} ${step} ${foundCount} ${repairedCount}`,
      )
      .toSorted(),
  ).toEqual(["asaas done 2 2", "stripe done 2 2"]);
  const written = await ctx.db.select().from(reconciliationDifferences);
  expect(
    written.map(({ provider, object, state }) => `${provider} ${object} ${state}`).toSorted(),
  ).toEqual([
    "asaas charge repaired",
    "asaas charge repaired",
    "stripe charge repaired",
    "stripe dispute repaired",
  ]);
});
