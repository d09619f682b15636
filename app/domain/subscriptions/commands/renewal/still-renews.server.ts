import { and, eq, sql } from "drizzle-orm";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { standsAsRead } from "#app/domain/subscriptions/commands/plan-change/renewal.server.ts";

/**
 * The conditional statement by which nothing is asked of who canceled, paused, set another plan,
 * chose another way to pay or answered for another price a moment ago, or while the difference of
 * another plan may be paid. What renews is asked for in the way that stands when its charge is
 * written: a card that was removed by then pays nothing.
 */
export function stillRenewsStatement(
  ctx: Context,
  { subscription, change, consent }: Pick<PurchaseFacts, "subscription" | "change" | "consent">,
): Write {
  const { id, status, planPriceId, currentPeriodEndsAt, method, savedMethodId, recurringPixId } =
    subscription;
  return exactlyOne(
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
          standsAsRead({ subscription, change, consent }),
        ),
      ),
  );
}
