import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { taxIdRequestKey } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { isNextPeriodDebited } from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";
import { nextPlanName } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { stillRenewsStatement } from "./still-renews.server.ts";

/**
 * Notifies once that a CPF or CNPJ is missing, instead of requesting a code or debit in vain. When
 * it is given, the calendar checks again (trigger `billing_details_calendar`).
 */
export async function requestTaxId(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
): Promise<void> {
  const { subscription, creatorName, nextPaymentCents: amountCents } = subscriptionSnapshot;
  const { id: subscriptionId, fanId, status } = subscription;
  const renewsAt = subscription.currentPeriodEndsAt ?? 0;
  const key = taxIdRequestKey(subscriptionId, renewsAt);
  await commit(ctx.db, [
    stillRenewsStatement(ctx, subscriptionSnapshot),
    announce<RenewalMessage>(ctx, key, {
      type: "subscription.tax_id_missing",
      subscriptionId,
      fanId,
      creatorName,
      planName: nextPlanName(subscriptionSnapshot),
      amountCents,
      renewsAt,
      isTrial: status === "trialing",
      isAutomatic: isNextPeriodDebited(ctx, subscriptionSnapshot),
      appOrigin: ctx.settings.appOrigin,
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}
