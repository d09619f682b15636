import type { Context } from "#app/domain/context.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import {
  SubscriptionMethodNotOffered,
  TooManyDeclines,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { isPixMandateOffered } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/checkout/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import type { AgreedSubscription, SubscriptionCheckout } from "./offer.server.ts";

/**
 * Checks that a checkout can be paid. Refuses SubscriptionMethodNotOffered, TooManyOpenPayments,
 * SavedCardRemoved, TooManyDeclines.
 */
export async function enforcePayable(
  ctx: Context,
  checkout: SubscriptionCheckout,
  { amountCents, offer }: Pick<AgreedSubscription, "amountCents" | "offer">,
): Promise<void> {
  // A mandate's debits are counted from the day of its code, so it cannot start later.
  const isAutomaticRefused =
    checkout.isAutomatic && (offer.follows !== null || !isPixMandateOffered(ctx));
  if (
    !methodsForPrice(amountCents).includes(checkout.method) ||
    !isMethodOffered(checkout.method, ctx) ||
    isAutomaticRefused
  )
    throw new SubscriptionMethodNotOffered({ method: checkout.method, amountCents });
  await enforceOpenCheckoutLimit(ctx, checkout);
  await requireSavedCard(ctx, {
    memberId: checkout.memberId,
    savedMethodId: checkout.savedMethodId ?? null,
  });
  if (
    paymentMethods[checkout.method].limitsDeclines &&
    (await declinesCount(ctx, { payerId: checkout.memberId, since: ctx.now() - HOUR_MS })) >=
      DECLINES_LIMIT
  )
    throw new TooManyDeclines();
}

/** Refuses TooManyOpenPayments. */
export async function enforceOpenCheckoutLimit(
  ctx: Context,
  { memberId }: Pick<SubscriptionCheckout, "memberId">,
): Promise<void> {
  if ((await openChargesCount(ctx, { payerId: memberId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT)
    throw new TooManyOpenPayments();
}
