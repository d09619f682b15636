import { eq } from "drizzle-orm";
import { REFUNDS_LIMIT } from "#app/domain/billing/refunds/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { RefundRecourse } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  endAfterRefund,
  loadEndSnapshot,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { refunds } from "#drizzle/schema/payments.ts";

/** How the refunds of a charge stand, as many as decide whether there may be another. */
export async function refundStates(ctx: Context, { chargeId }: { chargeId: string }) {
  return await ctx.db
    .select({ status: refunds.status })
    .from(refunds)
    .where(eq(refunds.chargeId, chargeId))
    .limit(REFUNDS_LIMIT);
}

/**
 * From where a refund of `charge` would be taken now: what it still has to be released, then what
 * its seller may withdraw (centavos).
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
 * What giving all of a payment back ends: what was bought once, a subscription with `alsoCents` of
 * its other payments back, only the periods that it paid for and that did not begin, a change of
 * its plan, nothing that runs, or nothing because a tip opens nothing.
 */
export type RefundConsequence = {
  ends: "purchase" | "subscription" | "period" | "plan_change" | "gift" | "nothing" | "no_access";
  alsoCents: Cents;
};

/** What giving all of `charge` back would end now. */
export async function refundConsequence(
  ctx: Context,
  { id, purchaseKind, purchaseId }: { id: string; purchaseKind: string; purchaseId: string },
): Promise<RefundConsequence> {
  if (purchaseKind === "tip") return { ends: "no_access", alsoCents: 0 };
  if (purchaseKind === "gift") return { ends: "gift", alsoCents: 0 };
  if (purchaseKind === "plan_change") return { ends: "plan_change", alsoCents: 0 };
  if (purchaseKind !== "subscription") return { ends: "purchase", alsoCents: 0 };
  const facts = await loadEndSnapshot(ctx, { subscriptionId: purchaseId, chargeId: id });
  const { currentPeriodEndsAt: endsAt = null } =
    (await subscriptionRow(ctx, { subscriptionId: purchaseId })) ?? {};
  const ending = endAfterRefund(facts, { endsAt, chargeId: id, now: ctx.now() });
  if (ending.kind !== "subscription") return { ends: ending.kind, alsoCents: 0 };
  return {
    ends: "subscription",
    alsoCents: ending.unused.reduce((sum, { amountCents }) => sum + amountCents, 0),
  };
}
