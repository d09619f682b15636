import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { LinkExpired, TooManyLinkActions } from "./errors.ts";
import { openedLink } from "./queries.server.ts";
import { LINK_RATE_LIMITS } from "./rules.ts";
import type { LinkAction, LinkParams } from "./schema.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";

const ACTS: Record<LinkAction, (ctx: Context, reference: MemberSubscriptionRef) => Promise<void>> =
  {
    pause: pauseSubscription,
    cancel: cancelSubscription,
    resume: resumeSubscription,
    reactivate: reactivateSubscription,
  };

/**
 * Performs the action of a signed email link, for whoever holds it: only that action on that
 * subscription. Refuses LinkExpired, TooManyLinkActions, and what the action itself refuses.
 * Source: domain rules, "Subscriptions", "Reminders".
 */
export async function performLinkAction(ctx: Context, address: LinkParams): Promise<void> {
  const opened = await openedLink(ctx, address);
  if (!opened) throw new LinkExpired();
  await countAction(
    ctx,
    { act: "subscription-link", personId: opened.fanId, limits: LINK_RATE_LIMITS },
    () => new TooManyLinkActions(),
  );
  await ACTS[address.act](ctx, { fanId: opened.fanId, subscriptionId: address.subscriptionId });
}
