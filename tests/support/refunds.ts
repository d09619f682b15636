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

/** What is given back of the payments of `fan` to `createSeller`, and what the tests look at. */
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
    /** The payer's bank takes it back for now; whoever needs it applied drains. */
    disputed: async (charge: Charge): Promise<string> => {
      const opened = await of().world.console(
        `/sandbox/charges/${charge.providerChargeId}/dispute`,
      );
      expect(opened.status).toBe(200);
      return String(opened.body.id);
    },
    /** A month paid, and the next one paid three days before it begins. */
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

/** How a command ended, in the words of its refusal. */
export const commandRefusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

/** The provider answers this to refunds until told to be itself again. */
export function stubRefundError(ctx: World["ctx"], error: Error): { itself(): void } {
  const { refund } = ctx.payments;
  ctx.payments.refund = () => Promise.reject(error);
  return { itself: () => void (ctx.payments.refund = refund) };
}

/** Somebody else comes between what the next command read and what it writes. */
export function interleaveBeforeNextWrite({ db }: Context, intruder: () => Promise<unknown>): void {
  const { batch } = db;
  db.batch = (async (statements: Parameters<typeof batch>[0]) => {
    db.batch = batch;
    await intruder();
    return await batch.call(db, statements);
  }) as unknown as typeof batch;
}
