import { eq } from "drizzle-orm";
import { REFUNDS_LIMIT } from "#app/domain/billing/refunds/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { RefundRecourse } from "#app/domain/ledger/rules/legs.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  endAfterRefund,
  loadEndSnapshot,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { refunds } from "#drizzle/schema/payments.ts";

/** Reads the statuses of a charge's refunds, as many as decide whether another is possible. */
export async function refundStates(ctx: Context, { chargeId }: { chargeId: string }) {
  return await ctx.db
    .select({ status: refunds.status })
    .from(refunds)
    .where(eq(refunds.chargeId, chargeId))
    .limit(REFUNDS_LIMIT);
}

/**
 * Returns where a refund of `charge` would be taken from now (centavos). Its pending funds come
 * first, then its seller's available balance.
 */
export async function chargeRefundRecourse(
  ctx: Context,
  charge: { creatorId: string; pendingCents: Cents },
): Promise<RefundRecourse> {
  const rows = await creatorBalanceRows(ctx, { creatorId: charge.creatorId });
  return {
    pendingOfChargeCents: charge.pendingCents,
    availableCents: balanceOfKind(rows, "creator_available"),
  };
}

/**
 * What a full refund of a payment ends. `subscription`: refunds `alsoCents` of its other payments
 * too. `period`: only the periods that it paid for and that have not started. `nothing`: it no
 * longer runs. `no_access`: a tip opens no access.
 */
export type RefundConsequence = {
  ends: "purchase" | "subscription" | "period" | "plan_change" | "gift" | "nothing" | "no_access";
  alsoCents: Cents;
};

/** Returns what a full refund of `charge` would end now. */
export async function refundConsequence(
  ctx: Context,
  { id, purchaseKind, purchaseId }: { id: string; purchaseKind: string; purchaseId: string },
): Promise<RefundConsequence> {
  if (purchaseKind === "tip") return { ends: "no_access", alsoCents: 0 };
  if (purchaseKind === "gift") return { ends: "gift", alsoCents: 0 };
  if (purchaseKind === "plan_change") return { ends: "plan_change", alsoCents: 0 };
  if (purchaseKind !== "subscription") return { ends: "purchase", alsoCents: 0 };
  const snapshot = await loadEndSnapshot(ctx, { subscriptionId: purchaseId, chargeId: id });
  const { currentPeriodEndsAt: endsAt = null } =
    (await subscriptionRow(ctx, { subscriptionId: purchaseId })) ?? {};
  const ending = endAfterRefund(snapshot, { endsAt, chargeId: id, now: ctx.now() });
  if (ending.kind !== "subscription") return { ends: ending.kind, alsoCents: 0 };
  return {
    ends: "subscription",
    alsoCents: ending.unused.reduce((sum, { amountCents }) => sum + amountCents, 0),
  };
}
