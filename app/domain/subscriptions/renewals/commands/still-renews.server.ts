import { and, eq, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { renewalTermsUnchanged } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";

/**
 * The guard statement that stops a charge or reminder after a recent change by the member: a
 * cancellation, pause, plan change, new method or price answer. It also stops it while a plan
 * change's difference may be paid. The charge uses the method current when it is written, so a
 * removed card pays nothing.
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
