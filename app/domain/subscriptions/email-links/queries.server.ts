import type { Context } from "#app/domain/context.ts";
import { subscriptionWithOwner } from "#app/domain/subscriptions/queries.server.ts";
import type { SubscriptionView } from "#app/domain/subscriptions/queries.server.ts";
import { subscriptionLink, linkSigningPayload } from "./rules.ts";
import type { LinkAction, LinkParams } from "./schema.ts";
import type { Instant } from "#app/domain/time.ts";

const PURPOSE = "coreto subscription link 1";

/** The absolute URL of a signed link, for an email. */
export async function subscriptionLinkUrl(
  ctx: Context,
  act: LinkAction,
  about: { subscriptionId: string; endsAt: Instant },
): Promise<string> {
  const link = subscriptionLink(act, about);
  return `${ctx.settings.appOrigin}/renewal/${act}/${link.subscriptionId}/${link.until}/${await ctx.signer.sign(PURPOSE, linkSigningPayload(link))}`;
}

export type OpenedLink = { fanId: string; subscription: SubscriptionView };

/**
 * The subscription that a link is for, and its fan; null for a link that we did not sign or that
 * expired.
 */
export async function openedLink(
  ctx: Context,
  { signature, ...link }: LinkParams,
): Promise<OpenedLink | null> {
  if (
    link.until <= ctx.now() ||
    !(await ctx.signer.isGenuine(PURPOSE, linkSigningPayload(link), signature))
  )
    return null;
  return await subscriptionWithOwner(ctx, link);
}
