import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/floods/commands.server.ts";
import { LinkExpired, TooManyLinkActions } from "#app/domain/subscriptions/errors/links.ts";
import { openedLink } from "#app/domain/subscriptions/queries/links.server.ts";
import { LINK_RATE_LIMITS } from "#app/domain/subscriptions/rules/links.ts";
import type { LinkAction, LinkParams } from "#app/domain/subscriptions/schema/links.ts";
import { cancelSubscription, reactivateSubscription } from "./ending/cancel.server.ts";
import type { MemberSubscriptionRef } from "./own.server.ts";
import { pauseSubscription, resumeSubscription } from "./pause.server.ts";

const ACTS: Record<LinkAction, (ctx: Context, mine: MemberSubscriptionRef) => Promise<void>> = {
  pause: pauseSubscription,
  cancel: cancelSubscription,
  resume: resumeSubscription,
  reactivate: reactivateSubscription,
};

/**
 * Does what a signed link of a letter is for, by whoever holds it, as its person would: nothing but
 * that act on that subscription. Refuses LinkOver, TooManyLinkActs, and what the act itself
 * refuses. Source: domain rules, "Subscriptions", "Reminders".
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
