import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { billingOverview } from "#app/domain/billing/details/queries.server.ts";
import { createPixMandate } from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { PixMandateAlreadyActive } from "#app/domain/subscriptions/pix-mandates/errors.ts";
import { pixMandateOffer } from "#app/domain/subscriptions/pix-mandates/queries/mandate-offer.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { addDays, MINUTE_MS } from "#app/domain/time.ts";
import {
  atBank,
  mandateOf,
  mandateSubscriber,
  mandateCodeOf,
  debitsOf,
} from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { proposedPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let mandateId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 2_000, interval: "quarterly" });
  bruno = await createPerson(world.ctx, "Bruno");
  ({ subscriptionId, mandateId } = await mandateSubscriber(world, bruno, ana));
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { memberIds, row, view, answer, nextCents, emails } = priceChangeHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
}));
const listedCents = async () =>
  (await billingOverview(world.ctx, { personId: bruno.id })).upcoming[0]?.amountCents;

async function debited(): Promise<number[]> {
  const endsAt = (await row()).currentPeriodEndsAt ?? 0;
  await world.advance(addDays(endsAt, -5) + MINUTE_MS - world.ctx.now());
  await advanceSubscription(world.ctx, { subscriptionId });
  return (await debitsOf(world, { subscriptionId })).map(({ amountCents }) => amountCents);
}

describe("a price above the limit of the mandate", () => {
  test("needs a new mandate, and is not debited without one even if accepted", async () => {
    await proposedPrice(world, ana, 2_500);
    await world.drain();
    expect((await emails("pede um preço novo"))[0]).toContain("autoriza de novo no banco");
    expect(await view()).toMatchObject({ needsMandate: true });
    await expect(createPixMandate(world.ctx, memberIds())).rejects.toThrow(PixMandateAlreadyActive);
    await answer("accepted");
    expect([await nextCents(), await listedCents()]).toEqual([2_000, 2_000]);
    expect(await debited()).toEqual([2_000]);
    expect(await row()).toMatchObject({ amountCents: 2_000 });
  });

  test("is debited under a new mandate, whose code pays one period at the old price and replaces the old mandate", async () => {
    await proposedPrice(world, ana, 2_500);
    await answer("accepted");
    expect(await pixMandateOffer(world.ctx, memberIds())).toMatchObject({
      terms: { todayCents: 2_000, amountCents: null, ceilingCents: 2_500 },
    });
    const code = await mandateCodeOf(
      world,
      (await createPixMandate(world.ctx, memberIds())).chargeId,
    );
    // An unpaid code changes nothing.
    expect([await nextCents(), (await row()).recurringPixId]).toEqual([2_000, mandateId]);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    expect(await row()).toMatchObject({ recurringPixId: code.mandateId, amountCents: 2_000 });
    expect((await mandateOf(world, mandateId)).endingAt).not.toBeNull();
    expect([await nextCents(), await listedCents()]).toEqual([2_500, 2_500]);
    expect(await debited()).toEqual([2_500]);
    expect(await row()).toMatchObject({ amountCents: 2_500 });
  });
});

test("a lower price proposed while the bank confirms a mandate is debited after a new mandate", async () => {
  const dora = await createPerson(world.ctx, "Dora");
  subscriptionId = (await paidSubscription(world, dora, ana)).purchaseId;
  bruno = dora;
  const code = await mandateCodeOf(
    world,
    (await createPixMandate(world.ctx, memberIds())).chargeId,
  );
  await proposedPrice(world, ana, 1_500);
  await atBank(world, `recurring/${code.recurringPixId}/approve`);
  await world.drain();
  await advanceSubscription(world.ctx, { subscriptionId });
  expect(await row()).toMatchObject({ amountCents: 1_500, recurringPixId: code.mandateId });
  expect(await pixMandateOffer(world.ctx, memberIds())).toMatchObject({
    terms: { todayCents: 1_500, amountCents: 1_500, ceilingCents: 1_500 },
  });
  const next = await mandateCodeOf(
    world,
    (await createPixMandate(world.ctx, memberIds())).chargeId,
  );
  await atBank(world, `recurring/${next.recurringPixId}/approve`);
  await world.drain();
  expect(await row()).toMatchObject({ recurringPixId: next.mandateId });
  expect(await debited()).toEqual([1_500]);
  await expect(createPixMandate(world.ctx, memberIds())).rejects.toThrow(PixMandateAlreadyActive);
});

test("a price below a fixed mandate needs consent too, and waits for a new mandate", async () => {
  await proposedPrice(world, ana, 1_500);
  expect(await view()).toMatchObject({ state: "asked", needsMandate: true });
  expect(await row()).toMatchObject({ amountCents: 2_000 });
});
