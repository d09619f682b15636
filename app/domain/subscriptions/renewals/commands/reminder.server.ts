import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";
import { renewsByCode } from "#app/domain/payments/methods/rules.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { subscriptionLinkUrl } from "#app/domain/subscriptions/email-links/queries.server.ts";
import type { OpenCode } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { reminderKey } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { subscriptionLink } from "#app/domain/subscriptions/email-links/rules.ts";
import {
  nextPlanName,
  nextTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { isNextPeriodDebited } from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";
import { stillRenewsStatement } from "./still-renews.server.ts";

/**
 * Sends each reminder once, by its key, with the open Pix code if there is one. Sends nothing if
 * the subscription was stopped or paid a moment ago.
 */
export async function remind(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  { leadDays, openCode }: { leadDays: number; openCode: OpenCode | null },
): Promise<void> {
  const { subscription, creatorName, nextPaymentCents: amountCents } = subscriptionSnapshot;
  const {
    id: subscriptionId,
    fanId,
    method,
  } = nextTerms(subscription, subscriptionSnapshot.change, subscriptionSnapshot.agreed);
  const endsAt = subscription.currentPeriodEndsAt ?? 0;
  const about = { subscriptionId, endsAt };
  const key = reminderKey(subscriptionId, endsAt, leadDays);
  const [pauseUrl, cancelUrl] = [
    await subscriptionLinkUrl(ctx, "pause", about),
    await subscriptionLinkUrl(ctx, "cancel", about),
  ];
  const linksUntil = subscriptionLink("cancel", about).until;
  const open = renewsByCode(method) ? openCode : null;
  const code = open && {
    pixCode: open.pixCode,
    payUntil: open.payUntil,
    payUrl: `${ctx.settings.appOrigin}/checkout/${open.chargeId}`,
  };
  await commit(ctx.db, [
    stillRenewsStatement(ctx, subscriptionSnapshot),
    announce<RenewalMessage>(ctx, key, {
      type: "subscription.reminded",
      subscriptionId,
      fanId,
      creatorName,
      planName: nextPlanName(subscriptionSnapshot),
      amountCents: open?.amountCents ?? amountCents,
      method,
      isAutomatic: isNextPeriodDebited(ctx, subscriptionSnapshot),
      isTrial: subscription.status === "trialing",
      isCharged: renewsByCode(method) || subscription.savedMethodId !== null,
      renewsAt: endsAt,
      linksUntil,
      pauseUrl,
      cancelUrl,
      ...(code ? { code } : {}),
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}
