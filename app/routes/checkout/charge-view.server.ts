import { mediaUrl } from "#app/domain/media/rules.ts";
import type { Context } from "#app/domain/context.ts";
import type { CheckoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import {
  chargeTopic,
  isAwaitingPayment,
  isRefundable,
  isUnpaid,
} from "#app/domain/payments/rules.ts";
import { sharedPixToken } from "#app/domain/payments/shared-pix/queries.server.ts";
import { sharedPixPath } from "#app/domain/payments/shared-pix/rules.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import { giverGiftPath } from "#app/domain/purchases/gifts/rules.ts";
import { purchasedContentPath } from "#app/domain/purchases/rules.ts";
import { isNewSubscription, paymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import type { PaymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import { pixMandateState } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import type { PixMandateState } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { givesAccess } from "#app/domain/subscriptions/rules.ts";
import { quoted } from "#app/domain/text.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { afterPayment, NOTHING_AFTER_PAYMENT } from "#app/http/checkout/after-payment.server.ts";
import { originPost } from "#app/http/checkout/origin-post.server.ts";
import { paymentPageState } from "#app/http/checkout/status-topic.ts";
import { listensUntil, pixShown } from "./pix-view.server.ts";
import { againAt, chargeTitle, otherWays } from "./retry.server.ts";

type Payer = { request: Request; member: { id: string; name: string } };

/** What the page of a charge shows. */
export type ChargeView = Awaited<ReturnType<typeof chargeView>>;

/** Reads what the page of a charge shows to its payer. */
export async function chargeView(ctx: Context, charge: CheckoutCharge, { request, member }: Payer) {
  const {
    creatorAvatarMediaId,
    expiresAt,
    createdAt,
    pixCode,
    single,
    tip,
    gift,
    change,
    automatic,
    isPlanReturning,
    currentSubscription,
    ...shown
  } = charge;
  const memberId = member.id;
  const isPaid = isRefundable(charge.status);
  const isOver = isUnpaid(charge.status) && !isAwaitingPayment(charge.status);
  const answer = automatic ? pixMandateState(automatic) : null;
  const paid = currentSubscription && isPaid ? paymentAccess(currentSubscription, ctx.now()) : null;
  const waits = isAwaitingPayment(charge.status) || (isPaid && answer === "waiting");
  const again = isOver ? await againAt(ctx, { memberId, charge }) : null;
  return {
    ...shown,
    ...(await afterPlanPayment(ctx, charge, { memberId, paid })),
    waits,
    waitedFor: paymentPageState(charge),
    automatic: answer && mandateView(charge, answer),
    creatorPath: `/space/${charge.creatorUsername}`,
    creatorAvatarUrl: creatorAvatarMediaId ? mediaUrl(creatorAvatarMediaId, "320") : null,
    firstName: member.name.split(" ")[0] ?? member.name,
    again,
    ...chargeTitle(charge),
    soldBy:
      paid || (change?.isDone && isPaid)
        ? await originPost(ctx, { request, memberId, creatorUsername: charge.creatorUsername })
        : null,
    otherWays: isOver && !again ? null : await otherWays(ctx, { memberId, charge }),
    boughtPath:
      single?.isBoughtAlready && isUnpaid(charge.status)
        ? purchasedContentPath(single.kind, single.targetId)
        : null,
    isReturning: isPaid && isGivenBack({ isPlanReturning, single, tip, gift, change }),
    paid,
    hasEnded: currentSubscription
      ? !givesAccess(currentSubscription, ctx.now())
      : single?.isHolding === false,
    nextChargeAt: nextChargeAt(charge, { paid, answer }),
    listenAt: waits
      ? await ctx.live.address(chargeTopic(charge.id), listensUntil(ctx.realNow()))
      : null,
    pix: await pixView(ctx, { ...shown, automatic, pixCode, expiresAt, createdAt }),
  };
}

/** The page that shows a paid gift or a bought thing instead of the charge, with its words. */
export function pageOfPaid({
  status,
  single,
  gift,
}: CheckoutCharge): { path: string; message: string } | null {
  if (!isRefundable(status)) return null;
  if (single?.isHolding)
    return {
      path: purchasedContentPath(single.kind, single.targetId),
      message:
        single.kind === "event"
          ? `Pagamento confirmado: você vai. ${quoted(single.title)}.`
          : `Pagamento confirmado: ${quoted(single.title)} é sua.`,
    };
  if (gift?.isHolding)
    return {
      path: giverGiftPath(gift.id),
      message: "Pagamento confirmado: o presente está pronto para entregar.",
    };
  return null;
}

/** What follows the payment of a plan: the welcome of a new subscriber, and where to read. */
async function afterPlanPayment(
  ctx: Context,
  charge: CheckoutCharge,
  { memberId, paid }: { memberId: string; paid: PaymentAccess | null },
) {
  const planId = isRefundable(charge.status) ? charge.planId : null;
  if (planId === null) return { ...NOTHING_AFTER_PAYMENT, isWelcome: false };
  const isWelcome = isNewSubscription(charge, paid);
  const { creatorUsername } = charge;
  return {
    ...(await afterPayment(ctx, { planId, memberId, creatorUsername, isWelcome })),
    isWelcome,
  };
}

/** The Pix mandate that the payer may give with this payment. */
function mandateView({ automatic, interval, amountCents }: CheckoutCharge, state: PixMandateState) {
  if (!automatic || !interval) return null;
  return {
    state,
    todayCents: amountCents,
    amountCents: automatic.amountCents,
    ceilingCents: automatic.ceilingCents,
    interval,
    debitOn: formatDay(instantOfIsoDay(automatic.startsOn)),
  };
}

/** When the next charge comes: by the mandate's first day if there is one. */
function nextChargeAt(
  charge: CheckoutCharge,
  { paid, answer }: { paid: PaymentAccess | null; answer: PixMandateState | null },
): Instant | null {
  const renewsAt = paid ? paid.nextChargeAt : renewsAtOfUnpaid(charge);
  return charge.automatic && renewsAt !== null && answer !== "none"
    ? instantOfIsoDay(charge.automatic.startsOn)
    : renewsAt;
}

/** When what an awaited payment pays for renews. */
function renewsAtOfUnpaid(charge: CheckoutCharge): Instant | null {
  if (!isAwaitingPayment(charge.status)) return null;
  if (charge.change) return charge.change.coversUntil;
  if (!charge.interval) return null;
  return (
    charge.periodEndsAt ??
    periodEndsAt(charge.beginsAt ?? charge.createdAt, charge.interval, charge.periods)
  );
}

/** Whether the money of a paid charge goes back, since it bought nothing. */
const isGivenBack = ({
  isPlanReturning,
  single,
  gift,
  tip,
  change,
}: Pick<CheckoutCharge, "isPlanReturning" | "single" | "gift" | "tip" | "change">): boolean =>
  isPlanReturning ||
  single !== null ||
  gift !== null ||
  tip?.isHolding === false ||
  change?.isDone === false;

type PixCharge = Pick<
  CheckoutCharge,
  "id" | "status" | "pixCode" | "expiresAt" | "createdAt" | "automatic"
>;

/** The Pix code that waits for its payment, with the link that lets somebody else pay it. */
async function pixView(
  ctx: Context,
  { id: chargeId, status, pixCode, expiresAt, createdAt, automatic }: PixCharge,
) {
  if (status !== "awaiting_payment" || pixCode === null || expiresAt === null) return null;
  return {
    ...pixShown({ pixCode, expiresAt, createdAt }, ctx.now()),
    shareUrl: automatic
      ? null
      : ctx.settings.appOrigin + sharedPixPath(await sharedPixToken(ctx, { chargeId })),
  };
}
