import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { requestPaymentCoolingOffRefund } from "#app/domain/billing/refunds/commands/cooling-off.server.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import type { World } from "./context.ts";
import { paidSubscription } from "./payments.ts";
import { subscriptionOfId } from "./plan-changes.ts";
import type { Seller, TestPerson } from "./people.ts";

type Of = { id: string };

/** Refund commands and reads for the charges that `fan` pays to `seller`. */
export function refundHelpers(of: () => { world: World; seller: Seller; fan: TestPerson }) {
  const ctx = () => of().world.ctx;
  const now = async (charge: Of) => await chargeRow(ctx(), { chargeId: charge.id });
  return {
    now,
    giveBack: (
      charge: Of,
      amountCents: number,
      more: { refundId?: string; sellerId?: string | null } = {},
    ) =>
      refundCharge(ctx(), {
        sellerId: of().seller.id,
        decidedBy: of().seller.id,
        chargeId: charge.id,
        refundId: ctx().newId(),
        amountCents,
        reason: "",
        ...more,
      }),
    regret: (charge: Of) =>
      requestPaymentCoolingOffRefund(ctx(), { payerId: of().fan.id, chargeId: charge.id }),
    rowsOf: (charge: Of) =>
      ctx()
        .db.select()
        .from(refunds)
        .where(eq(refunds.chargeId, charge.id))
        .orderBy(refunds.createdAt, refunds.id),
    live: () => liveSubscription(ctx(), { fanId: of().fan.id, creatorId: of().seller.id }),
    /** Opens a dispute at the provider. Call `drain` to apply its event. */
    disputed: async (charge: Charge): Promise<string> => {
      const opened = await of().world.console(
        `/sandbox/charges/${charge.providerChargeId}/dispute`,
      );
      expect(opened.status).toBe(200);
      return String(opened.body.id);
    },
    /** Pays a month, and its renewal two days before the next period starts. */
    twoMonthsPaid: async (): Promise<[Charge, Charge]> => {
      const { world, fan, seller } = of();
      const first = await paidSubscription(world, fan, seller);
      const { currentPeriodEndsAt } = await subscriptionOfId(ctx(), first.purchaseId);
      await world.advance((currentPeriodEndsAt ?? 0) - 2 * DAY_MS - ctx().now());
      await world.tick();
      const [renewal] = await ctx()
        .db.select()
        .from(charges)
        .where(
          and(eq(charges.purchaseId, first.purchaseId), eq(charges.status, "awaiting_payment")),
        );
      await world.console(`/sandbox/charges/${renewal?.providerChargeId}/pay`);
      await world.drain();
      const second = renewal && (await now(renewal));
      if (second?.status !== "succeeded") throw new Error("the renewal was not paid");
      return [first, second];
    },
  };
}

/** The message with which a command was refused, or "done". */
export const commandRefusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

/** Makes every refund at the provider fail with `error`, until `itself()` restores it. */
export function stubRefundError(ctx: World["ctx"], error: Error): { itself(): void } {
  const { refund } = ctx.payments;
  ctx.payments.refund = () => Promise.reject(error);
  return { itself: () => void (ctx.payments.refund = refund) };
}

/** Runs `intruder` between the reads of the next command and its first write. */
export function interleaveBeforeNextWrite({ db }: Context, intruder: () => Promise<unknown>): void {
  const { batch } = db;
  db.batch = (async (statements: Parameters<typeof batch>[0]) => {
    db.batch = batch;
    await intruder();
    return await batch.call(db, statements);
  }) as unknown as typeof batch;
}
