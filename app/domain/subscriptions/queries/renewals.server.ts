import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { charges } from "#drizzle/schema/payments.ts";

/** More than can wait at once: a period has one. */
const MOST_OPEN = 10;
const WAITING = ["created", "awaiting_payment", "requires_action", "processing"];

/** Renewals of a subscription that may still be paid, oldest first. */
export async function openRenewals(ctx: Context, { subscriptionId }: { subscriptionId: string }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(and(eq(charges.purchaseKind, "subscription"), eq(charges.purchaseId, subscriptionId), isNotNull(charges.periodStartsAt), inArray(charges.status, WAITING)))
    .orderBy(asc(charges.createdAt))
    .limit(MOST_OPEN);
  return rows.map((row) => row.id);
}
