import { withLinkMark } from "#app/lib/link-mark.ts";
import type { Context } from "#app/domain/context.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import type { CheckoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import { purchasableSingle } from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import { tipTarget } from "#app/domain/purchases/tips/queries.server.ts";
import { decideAbandonment } from "#app/domain/purchases/checkout/rules.ts";
import { OTHER_AMOUNT } from "#app/domain/purchases/tips/schema.ts";
import { PIX_MANDATE_CHOICE } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { tipPath } from "#app/components/tips/tip-link.tsx";
import { isLive, isPaymentDue } from "#app/domain/subscriptions/rules.ts";
import { aheadShown } from "./prepay.server.ts";
import { couponShown } from "./coupon.server.ts";

/**
 * Where an unpaid purchase is tried again. `fields` is the form that one tap sends there, or null
 * if the payer chooses again. `label` replaces the text of the link.
 */
export type Again = { path: string; fields: Record<string, string> | null; label?: string };

/**
 * Returns where an unpaid purchase can be bought again at the same price. Null when it is no longer
 * sold.
 */
export async function againAt(
  ctx: Context,
  asked: { memberId: string; charge: CheckoutCharge },
): Promise<Again | null> {
  const again = await unmarkedAgainAt(ctx, asked);
  const isCheckout = again !== null && /^\/(checkout|plan|space)\b/.test(again.path);
  return isCheckout ? { ...again, path: withLinkMark(again.path, asked.charge.linkSlug) } : again;
}

async function unmarkedAgainAt(
  ctx: Context,
  { memberId, charge }: { memberId: string; charge: CheckoutCharge },
): Promise<Again | null> {
  const { single, tip, gift, change, planId, interval, amountCents, couponCode, automatic } =
    charge;
  if (automatic && charge.renewsSubscriptionId)
    return {
      path: `/settings/subscriptions/${charge.renewsSubscriptionId}/payment-method/automatic`,
      fields: {},
    };
  // The price difference depends on the days left. The page of the plan change calculates it again.
  if (change)
    return {
      path: `/settings/subscriptions/${change.subscriptionId}/plan/${change.planPriceId}`,
      fields: null,
    };
  if (tip) {
    const fields = {
      amount: OTHER_AMOUNT,
      other: (amountCents / 100).toFixed(2),
      message: tip.message,
      method: charge.method,
    };
    return (await tipTarget(ctx, { key: charge.creatorUsername, memberId }))
      ? { path: tipPath(charge.creatorUsername), fields }
      : null;
  }
  if (single) {
    const sold = await purchasableSingle(ctx, { memberId, ...single });
    if (!sold || sold.obstacle !== null) return null;
    return {
      path: `/checkout?${single.kind}=${single.targetId}`,
      fields:
        sold.amountCents === amountCents
          ? { method: charge.method, amountCents: String(amountCents) }
          : null,
    };
  }
  if (charge.renewsSubscriptionId && charge.periods > 1)
    return {
      path: `/settings/subscriptions/${charge.renewsSubscriptionId}/ahead`,
      fields: { periods: String(charge.periods), amountCents: String(amountCents) },
    };
  // A live subscription is never started by another charge. Its own page shows what is due.
  if (
    charge.renewsSubscriptionId &&
    charge.currentSubscription &&
    isLive(charge.currentSubscription.status)
  )
    return {
      path: `/settings/subscriptions/${charge.renewsSubscriptionId}`,
      fields: null,
      label: isPaymentDue(charge.currentSubscription.status)
        ? "Ver como pagar"
        : "Ver minha assinatura",
    };
  if (gift) {
    const offered = await planOffer(ctx, {
      planId: gift.planId,
      interval: gift.interval,
      buyerId: memberId,
    });
    return offered?.availability === "open"
      ? { path: `/plan/${gift.planId}/gift?interval=${gift.interval}`, fields: null }
      : null;
  }
  if (!planId) return null;
  const offer = await planOffer(ctx, { planId, interval, buyerId: memberId });
  const coupon: Record<string, string> = {
    ...(couponCode === null ? {} : { coupon: couponCode }),
    ...(charge.periods > 1 ? { periods: String(charge.periods) } : {}),
  };
  const search = new URLSearchParams({
    plan: planId,
    ...(interval ? { interval } : {}),
    ...coupon,
  });
  const shown = offer ? await couponShown(ctx, { memberId, offer, code: couponCode }) : null;
  const ahead = offer ? aheadShown(ctx, { offer, coupon: shown, periods: charge.periods }) : null;
  const isSame =
    offer?.availability === "open" &&
    (ahead?.chosen?.amountCents ?? shown?.discount?.firstCents ?? offer.price.amountCents) ===
      amountCents;
  return {
    path: `/checkout?${search.toString()}`,
    fields:
      isSame && !charge.followsGiven
        ? {
            planPriceId: offer.price.id,
            method: automatic ? PIX_MANDATE_CHOICE : charge.method,
            amountCents: String(amountCents),
            ...coupon,
          }
        : null,
  };
}

/**
 * Where the payer of an unpaid charge goes instead of paying it: another way to pay, and giving up.
 * Null where there is neither: it is paid, or the bank is answering.
 */
export async function otherWays(
  ctx: Context,
  { memberId, charge }: { memberId: string; charge: CheckoutCharge },
): Promise<{ otherPath: string | null; abandonPath: string; abandonLabel?: string } | null> {
  const step = decideAbandonment(charge);
  if (step === null) return null;
  const subscription = `/settings/subscriptions/${charge.renewsSubscriptionId ?? ""}`;
  // Its own card offers the other way already. A canceled one was given up before.
  if (step === "leave")
    return {
      otherPath: null,
      abandonPath: `/space/${charge.creatorUsername}`,
      ...(charge.status === "canceled"
        ? { abandonLabel: `Ver a página de ${charge.creatorName}` }
        : {}),
    };
  if (step === "cancel_subscription")
    return {
      otherPath: `${subscription}/payment-method`,
      abandonPath: `${subscription}/cancellation`,
    };
  return {
    otherPath: (await againAt(ctx, { memberId, charge }))?.path ?? null,
    abandonPath: `/checkout/${charge.id}/abandonment`,
  };
}

/** What a charge pays for, as its page says it. */
export function chargeTitle({
  single,
  tip,
  gift,
  change,
  planName,
  description,
}: Pick<CheckoutCharge, "single" | "tip" | "gift" | "change" | "planName" | "description">) {
  const kind: "tip" | "gift" | "change" | "plan" = tip
    ? "tip"
    : gift
      ? "gift"
      : change
        ? "change"
        : "plan";
  return {
    kind: single?.kind ?? kind,
    title: single?.title ?? planName ?? gift?.planName ?? description,
    refundText: single?.kind === "event" ? refundRuleText(single.refundHours) : null,
  };
}
