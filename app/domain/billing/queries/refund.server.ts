import { eq } from "drizzle-orm";
import { REFUNDS_LIMIT } from "#app/domain/billing/rules/refunds.ts";
import type { Context } from "#app/domain/context.ts";
import { balanceOf, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { Recourse } from "#app/domain/ledger/rules.ts";
import { pendingOf } from "#app/domain/payments/rules.ts";
import { refunds } from "#drizzle/schema/payments.ts";

/** How the refunds of a charge stand, as many as decide whether there may be another. */
export async function refundStates(ctx: Context, { chargeId }: { chargeId: string }) {
  return await ctx.db.select({ status: refunds.status }).from(refunds).where(eq(refunds.chargeId, chargeId)).limit(REFUNDS_LIMIT);
}

/** From where a refund of `charge` would be taken now: what it still has to be released, then what its seller may withdraw (centavos). */
export async function recourseOf(ctx: Context, charge: Parameters<typeof pendingOf>[0] & { creatorId: string }): Promise<Recourse> {
  const rows = await creatorBalanceRows(ctx, { creatorId: charge.creatorId });
  return { pendingOfChargeCents: pendingOf(charge), availableCents: balanceOf(rows, "creator_available") };
}
