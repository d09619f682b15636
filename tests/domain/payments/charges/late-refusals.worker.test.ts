import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { startDebtPayment } from "#app/domain/payments/debts/commands/debts.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { purchaseRow } from "#app/domain/purchases/queries.server.ts";
import { tipRow } from "#app/domain/purchases/tips/queries.server.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createDebtor } from "#tests/support/debtor.ts";
import { giftRow, pendingPixGift } from "#tests/support/gifts.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import type { PendingCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { otherPlan, subscriptionOfId, openUpgrade } from "#tests/support/plan-changes.ts";
import { pendingPixPurchase, soldCollection, soldPost } from "#tests/support/purchases.ts";
import { pendingPixTip } from "#tests/support/tips.ts";

let world: World;
let ctx: Context;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
});
afterEach(() => expectInvariantsToHold(ctx));

/** A pending charge, and the current state of what it pays for. */
type Paying = PendingCheckout & { currentState: () => Promise<unknown> };
const paying = (
  waiting: PendingCheckout,
  currentState: (purchaseId: string) => Promise<unknown>,
): Paying => ({
  ...waiting,
  currentState: async () => await currentState((await chargeRow(ctx, waiting))?.purchaseId ?? ""),
});

const kinds: Record<string, () => Promise<Paying>> = {
  subscription: async () =>
    paying(
      await pixCheckout(world, await createPerson(ctx, "Bruno"), await createSeller(ctx)),
      async (id) => (await subscriptionOfId(ctx, id)).status,
    ),
  plan_change: async () => {
    const ana = await createSeller(ctx, { amountCents: 3_000 });
    const palco = await otherPlan(ctx, ana.id, { monthly: 6_000 });
    const bruno = await createPerson(ctx, "Bruno");
    const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
    const { id, providerChargeId } = await openUpgrade(ctx, {
      subscriptionId,
      fanId: bruno.id,
      planPriceId: palco.prices.monthly,
    });
    return paying(
      { chargeId: id, providerChargeId },
      async () => (await subscriptionOfId(ctx, subscriptionId)).amountCents,
    );
  },
  post: async () =>
    paying(
      await pendingPixPurchase(
        world,
        await createPerson(ctx, "Bruno"),
        (await soldPost(ctx, await createSeller(ctx))).postId,
      ),
      bought,
    ),
  collection: async () => {
    const ana = await createSeller(ctx);
    const { collectionId } = await soldCollection(ctx, ana, [(await soldPost(ctx, ana)).postId]);
    return paying(
      await pendingPixPurchase(world, await createPerson(ctx, "Bruno"), collectionId, "collection"),
      bought,
    );
  },
  tip: async () =>
    paying(
      await pendingPixTip(world, await createPerson(ctx, "Bruno"), await createSeller(ctx)),
      async (tipId) => stateOf((await tipRow(ctx, { tipId })) ?? {}),
    ),
  gift: async () =>
    paying(
      await pendingPixGift(world, await createPerson(ctx, "Bruno"), await createSeller(ctx)),
      async (giftId) => stateOf(await giftRow(world, { giftId })),
    ),
  debt: async () => {
    const { id: creatorId } = await createDebtor(world);
    const { chargeId } = await startDebtPayment(ctx, { creatorId, amountCents: 1_890 });
    return paying(
      { chargeId, providerChargeId: (await chargeRow(ctx, { chargeId }))?.providerChargeId ?? "" },
      async () => (await creatorBalances(ctx, { creatorId })).owedCents,
    );
  },
};

const stateOf = ({
  boughtAt,
  paidAt = boughtAt,
  endedReason,
}: {
  boughtAt?: number | null;
  paidAt?: number | null;
  endedReason?: string | null;
}) => [typeof paidAt, endedReason];
const bought = async (purchaseId: string) =>
  stateOf((await purchaseRow(ctx, { purchaseId })) ?? {});

const REFUSED = "not_today";

describe.each(Object.entries(kinds))("a late refusal of a charge of a %s", (_, open) => {
  test.each<ProviderCharge["status"]>(["succeeded", "expired", "canceled"])(
    "changes nothing once it is %s, whoever writes first",
    async (status) => {
      const charge = await open();
      /** The provider's update arrives by another webhook event. */
      async function moveOn(): Promise<void> {
        if (status === "succeeded") await payAtBank(world, charge);
        const providerCharge = await world.ctx.payments.chargeById(charge.providerChargeId);
        await settleCharge(ctx, {
          chargeId: charge.chargeId,
          providerCharge: { ...providerCharge, status },
        });
      }
      const refuse = (on: Context) =>
        settleCharge(on, { chargeId: charge.chargeId, refusedCode: REFUSED });
      expect(await refuse(interleaveBeforeWrite(ctx, moveOn, /^update "charges"/))).toBe(status);
      const before = await charge.currentState();
      expect(await refuse(ctx)).toBe(status);
      await world.drain();
      expect(await charge.currentState()).toEqual(before);
      expect(await chargeRow(ctx, charge)).toMatchObject({ status, failureCode: null });
    },
  );

  test("ends a pending charge, once", async () => {
    const charge = await open();
    const refuse = () => settleCharge(ctx, { chargeId: charge.chargeId, refusedCode: REFUSED });
    expect(await Promise.all([refuse(), refuse()])).toEqual(["failed", "failed"]);
    expect(await chargeRow(ctx, charge)).toMatchObject({ status: "failed", failureCode: REFUSED });
  });
});
