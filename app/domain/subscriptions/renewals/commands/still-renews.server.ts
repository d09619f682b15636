import { and, eq, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { renewalTermsUnchanged } from "#app/domain/subscriptions/plan-changes/commands/renewal.server.ts";

/**
 * The conditional statement by which nothing is asked of who canceled, paused, set another plan,
 * chose another way to pay or answered for another price a moment ago, or while the difference of
 * another plan may be paid. What renews is asked for in the way that stands when its charge is
 * written: a card that was removed by then pays nothing.
 */
export function stillRenewsStatement(
  ctx: Context,
  {
    subscription,
    change,
    consent,
  }: Pick<SubscriptionSnapshot, "subscription" | "change" | "consent">,
): BatchWrite {
  const { id, status, planPriceId, currentPeriodEndsAt, method, savedMethodId, recurringPixId } =
    subscription;
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ updatedAt: ctx.now() })
      .where(
        and(
          eq(subscriptions.id, id),
          eq(subscriptions.status, status),
          eq(subscriptions.planPriceId, planPriceId),
          eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
          eq(subscriptions.method, method),
          sql`${subscriptions.savedMethodId} IS ${savedMethodId}`,
          sql`${subscriptions.recurringPixId} IS ${recurringPixId}`,
          renewalTermsUnchanged({ subscription, change, consent }),
        ),
      ),
  );
}
