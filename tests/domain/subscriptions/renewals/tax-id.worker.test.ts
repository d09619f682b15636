import { afterEach, beforeEach, expect, test } from "vitest";
import { saveTaxId } from "#app/domain/billing/details/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { mandateSubscriber, debitsOf, subscriptionRowOf } from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { enqueuedIds } from "#tests/support/due.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { emailsTo } from "#tests/support/refund-transfers.ts";
import { priceChangeHelpers } from "#tests/support/price-changes.ts";

let world: World;
let bruno: TestPerson;
let subscriptionId: string;
const sent: (string | null | undefined)[] = [];
beforeEach(async () => {
  world = await testContext();
  bruno = await createPerson(world.ctx, "Bruno");
  subscriptionId = (await paidSubscription(world, bruno, await createSeller(world.ctx))).purchaseId;
  sent.length = 0;
  // From now on the provider refuses a Pix charge without a CPF.
  const { payments } = world.ctx;
  (world.ctx as { payments: Context["payments"] }).payments = {
    ...payments,
    needsPayerTaxId: true,
    createPixCharge: (request) => (
      sent.push(request.payerTaxId),
      payments.createPixCharge(request)
    ),
  };
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { row, emails, untilRenewal, renewals } = priceChangeHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
}));
const saysTaxId = () =>
  saveTaxId(world.ctx, { personId: bruno.id, name: "Bruno", taxKind: "cpf", taxId: "52998224725" });

/** Runs the scheduler on the subscriptions that are due. */
async function look(): Promise<void> {
  if ((await enqueuedIds(world.ctx)).includes(subscriptionId))
    await advanceSubscription(world.ctx, { subscriptionId });
  await world.drain();
}

test("a Pix renewal without a CPF asks the subscriber for it once, and creates the code when it is saved", async () => {
  await untilRenewal(-3 * DAY_MS);
  await look();
  await look();
  await world.drain();
  expect(sent).toEqual([]);
  expect(await renewals()).toEqual([]);
  const [email, ...more] = await emails("Falta o seu CPF");
  expect(email).toContain("/settings/billing/details");
  expect(more).toEqual([]);
  expect(await row()).toMatchObject({ status: "active" });
  // No charge is attempted meanwhile.
  expect((await row()).calendarAt).toBeGreaterThan(world.ctx.now());
  await saysTaxId();
  await world.advance(MINUTE_MS);
  await look();
  expect(sent).toEqual(["52998224725"]);
  expect(await renewals()).toMatchObject([{ status: "awaiting_payment" }]);
});

test("without a CPF the subscription becomes past due and ends after its grace period; saving it still creates the code", async () => {
  await untilRenewal(-3 * DAY_MS);
  await untilRenewal(0);
  expect(await row()).toMatchObject({ status: "past_due" });
  expect(await renewals()).toEqual([]);
  await world.advance(DAY_MS);
  await saysTaxId();
  await world.advance(MINUTE_MS);
  await look();
  expect(await renewals()).toMatchObject([{ status: "awaiting_payment" }]);
});

test("a Pix Automático debit is not ordered without the CPF that the provider requires, and is ordered once it is saved", async () => {
  const eva = await createSeller(world.ctx);
  const lia = await createPerson(world.ctx, "Lia");
  const code = await mandateSubscriber(world, lia, eva);
  const look = async () => {
    await advanceSubscription(world.ctx, code);
    await world.drain();
  };
  const ordered: (string | null | undefined)[] = [];
  const { payments } = world.ctx;
  const { chargeRecurringPix } = payments;
  (world.ctx as { payments: Context["payments"] }).payments = {
    ...payments,
    chargeRecurringPix: (request) => (
      ordered.push(request.payerTaxId),
      request.payerTaxId
        ? chargeRecurringPix(request)
        : Promise.reject(new ProviderRefused("payer_tax_id_required"))
    ),
  };
  await world.advance(
    ((await subscriptionRowOf(world, code)).currentPeriodEndsAt ?? 0) -
      5 * DAY_MS -
      world.ctx.now(),
  );
  await look();
  await look();
  expect([ordered, await debitsOf(world, code)]).toEqual([[], []]);
  await deliverOutbox(world.ctx);
  const emails = (await emailsTo(world, lia)).filter(({ subject }) =>
    subject.startsWith("Falta o seu CPF"),
  );
  expect(emails).toMatchObject([{ body: expect.stringContaining("Pix Automático") }]);
  await saveTaxId(world.ctx, {
    personId: lia.id,
    name: "Lia",
    taxKind: "cpf",
    taxId: "39053344705",
  });
  await world.advance(MINUTE_MS);
  expect(await enqueuedIds(world.ctx)).toContain(code.subscriptionId);
  await look();
  expect(ordered).toEqual(["39053344705"]);
  expect(await debitsOf(world, code)).toMatchObject([{ status: "processing" }]);
});
