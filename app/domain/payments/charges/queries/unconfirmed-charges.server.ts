import { and, eq, gt, lte, not, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isAnnounced } from "#app/domain/outbox.server.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";

/**
 * Lists first payments that have waited for the payer's bank since before `since` without a
 * reminder, oldest first. Renewals have their own notifications (`dunningStatements`).
 */
export async function chargesAwaitingConfirmation(
  ctx: Context,
  { now, since, limit }: { now: Instant; since: Instant; limit: number },
): Promise<string[]> {
  const isRenewal = sql`(${charges.purchaseKind} = 'subscription' AND ${charges.periodStartsAt} IS NOT NULL)`;
  // The format of `confirmationReminderKey`.
  const isNotified = isAnnounced(sql`'charge:' || ${charges.id} || ':to_confirm'`);
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        eq(charges.status, "requires_action"),
        lte(charges.createdAt, since),
        gt(charges.expiresAt, now),
        not(isRenewal),
        not(isNotified),
        isRetryDue(ctx, charges.id),
      ),
    )
    .orderBy(charges.askedAt)
    .limit(limit);
  return rows.map((row) => row.id);
}
