import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestPaymentCoolingOffRefund } from "#app/domain/billing/refunds/commands/cooling-off.server.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { requestTipCoolingOffRefund } from "#app/domain/purchases/tips/commands/tips.server.ts";
import {
  PurchaseNotFound,
  PurchaseAlreadyEnded,
  PurchaseCoolingOffExpired,
} from "#app/domain/purchases/errors.ts";
import { tipRow } from "#app/domain/purchases/tips/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { pendingPixTip, TIP_CENTS, paidTip } from "#tests/support/tips.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const notificationsFor = async (personId: string) =>
  (
    await world.ctx.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.personId, personId), eq(notifications.kind, "tip.given")))
  ).map(({ body }) => body);
const statusOf = async (chargeId: string) => (await chargeRow(world.ctx, { chargeId }))?.status;

describe("a late payment of a tip", () => {
  const late = async () => {
    const waiting = await pendingPixTip(world, bruno, ana);
    await world.advance(2 * HOUR_MS);
    await world.tick();
    expect(await statusOf(waiting.chargeId)).toBe("expired");
    return waiting;
  };
  const payLate = async ({ providerChargeId }: { providerChargeId: string }) => {
    expect((await world.console(`/sandbox/charges/${providerChargeId}/pay`)).status).toBe(200);
    await world.drain();
    await world.tick();
  };

  test("still gives the tip", async () => {
    const waiting = await late();
    await payLate(waiting);
    expect(await statusOf(waiting.chargeId)).toBe("succeeded");
    expect(await notificationsFor(ana.id)).toHaveLength(1);
  });

  test("is refunded whole after another payment replaced it, and its page never says that it was given", async () => {
    const waiting = await late();
    const { charge } = await paidTip(world, bruno, ana);
    const shown = async (chargeId: string) =>
      (await checkoutCharge(world.ctx, { memberId: bruno.id, chargeId }))?.tip;
    expect(await shown(charge.id)).toEqual({ message: "", isHolding: true });
    await payLate(waiting);
    expect(await shown(waiting.chargeId)).toEqual({ message: "", isHolding: false });
    expect(await refundsOfCharge(world.ctx, waiting.chargeId)).toEqual([
      { status: "succeeded", amountCents: TIP_CENTS },
    ]);
    expect(await notificationsFor(ana.id)).toHaveLength(1);
  });

  test("paid late gives the tip, and the payment of a newer open checkout is refunded", async () => {
    const waiting = await late();
    const second = await pendingPixTip(world, bruno, ana);
    await payLate(waiting);
    await payAtBank(world, second);
    await world.drain();
    await world.tick();
    expect(await statusOf(waiting.chargeId)).toBe("succeeded");
    expect(await refundsOfCharge(world.ctx, second.chargeId)).toEqual([
      { status: "succeeded", amountCents: TIP_CENTS },
    ]);
  });

  test("is refunded when its recipient was banned meanwhile", async () => {
    const waiting = await pendingPixTip(world, bruno, ana);
    await banPerson(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: ana.id,
      reason: "golpe",
    });
    await payAtBank(world, waiting);
    await world.drain();
    await world.tick();
    expect(await refundsOfCharge(world.ctx, waiting.chargeId)).toEqual([
      { status: "succeeded", amountCents: TIP_CENTS },
    ]);
    expect(await notificationsFor(ana.id)).toEqual([]);
  });
});

describe("the refund of a tip", () => {
  test("is given within seven days on the giver's request, once, in full and with the fee", async () => {
    const { ctx } = world;
    const { charge } = await paidTip(world, bruno, ana);
    await expect(
      requestTipCoolingOffRefund(ctx, { personId: ana.id, tipId: charge.purchaseId }),
    ).rejects.toThrow(PurchaseNotFound);
    await world.advance(6 * DAY_MS);
    await requestPaymentCoolingOffRefund(ctx, { payerId: bruno.id, chargeId: charge.id });
    await world.drain();
    await world.tick();
    expect(await refundsOfCharge(ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: TIP_CENTS },
    ]);
    expect(await tipRow(ctx, { tipId: charge.purchaseId })).toMatchObject({
      endedReason: "regret",
    });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 0,
    });
    await expect(
      requestPaymentCoolingOffRefund(ctx, { payerId: bruno.id, chargeId: charge.id }),
    ).rejects.toThrow(PurchaseAlreadyEnded);
  });

  test("is made once for four clicks at once, and refused after seven days", async () => {
    const { ctx } = world;
    const { charge } = await paidTip(world, bruno, ana);
    await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        requestPaymentCoolingOffRefund(ctx, { payerId: bruno.id, chargeId: charge.id }),
      ),
    );
    await world.tick();
    expect(await refundsOfCharge(ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: TIP_CENTS },
    ]);
    const later = await paidTip(world, bruno, ana);
    await world.advance(8 * DAY_MS);
    await expect(
      requestPaymentCoolingOffRefund(ctx, { payerId: bruno.id, chargeId: later.charge.id }),
    ).rejects.toThrow(PurchaseCoolingOffExpired);
  });

  test("is made by the recipient, first a part and then the rest", async () => {
    const { ctx } = world;
    const { charge } = await paidTip(world, bruno, ana);
    for (const amountCents of [700, 1_300]) {
      await refundCharge(ctx, {
        sellerId: ana.id,
        decidedBy: ana.id,
        chargeId: charge.id,
        refundId: ctx.newId(),
        amountCents,
        reason: "",
      });
      await world.tick();
    }
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: TIP_CENTS,
      refundedFeeCents: 100,
    });
    expect(await tipRow(ctx, { tipId: charge.purchaseId })).toMatchObject({
      endedReason: "refunded",
    });
  });

  test("is made by the bank when its dispute is lost", async () => {
    const { ctx } = world;
    const { charge } = await paidTip(world, bruno, ana);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    expect(await statusOf(charge.id)).toBe("disputed");
    await world.console(`/sandbox/disputes/${String(opened.body.id)}/lose`);
    await world.drain();
    expect(await statusOf(charge.id)).toBe("dispute_lost");
    expect(await tipRow(ctx, { tipId: charge.purchaseId })).toMatchObject({
      endedReason: "dispute_lost",
    });
  });
});
