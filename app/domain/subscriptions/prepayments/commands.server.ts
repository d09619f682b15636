import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { newChargeStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import {
  joinOrCancelOpenCheckout,
  toCheckoutStart,
} from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { requirePayerTaxId } from "#app/domain/payments/charges/commands/payer-tax-id.server.ts";
import { requestCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  AgeNotVerified,
  LeavingMemberCannotSubscribe,
  SubscriptionMethodNotOffered,
  PageClosed,
  PaymentDeclined,
  PlanPriceChanged,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { CannotPrepay, TooManyPrepaidCodes } from "./errors.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  prepaidCodesCount,
  openChargeForPeriod,
} from "#app/domain/subscriptions/checkout/queries.server.ts";
import { prepayOptions, canPrepay, subscriptionDescription } from "./rules.ts";
import type { PrepayOption } from "./rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import { applyAgreedPriceStatements } from "#app/domain/subscriptions/price-changes/commands/renewal.server.ts";
import { stillRenewsStatement } from "#app/domain/subscriptions/renewals/commands/still-renews.server.ts";
import { applyPendingVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";

/** Codes that one subscription may request in a day: each cancels the one before at the provider. */
const CODES_A_DAY = 20;

/**
 * The options to prepay the next periods of a member's subscription; empty when there are none.
 * Refuses SubscriptionNotFound.
 */
export async function prepayOptionsOf(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<{ subscriptionSnapshot: SubscriptionSnapshot; choices: PrepayOption[] }> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId)
    throw new SubscriptionNotFound();
  const { subscription, couponNow } = subscriptionSnapshot;
  const { currentPeriodEndsAt: startsAt, startedAt, anchorAt } = subscription;
  const now = ctx.now();
  // A scheduled plan change has another price: it has to be undone, or to start, first.
  const isOpen =
    subscriptionSnapshot.change === null &&
    subscriptionSnapshot.awayUntil === null &&
    canPrepay(subscription, now) &&
    startsAt !== null &&
    startedAt !== null &&
    isMethodOffered("pix", ctx);
  return {
    subscriptionSnapshot,
    choices: isOpen
      ? prepayOptions(nextTerms(subscription, null, subscriptionSnapshot.agreed), {
          anchorAt: anchorAt ?? startedAt,
          startsAt,
          coupon: couponNow,
          now,
        })
      : [],
  };
}

/**
 * Requests one Pix that prepays the next `periods` of a live subscription, from the end of what is
 * paid. The open code of its next renewal is canceled first: a period has one charge. A second
 * request for the same joins the first. Refuses SubscriptionNotFound (also for another member's),
 * PageClosed, CreatorOnVacation, LeavingMemberCannotSubscribe, SubscriptionMethodNotOffered,
 * CannotPrepay, PlanPriceChanged, TaxIdRequired, TooManyPrepaidCodes. Source: domain rules,
 * "Subscriptions", and docs/decisions/money/keep-paid-periods-as-rows-that-move.md.
 */
export async function prepayPeriods(
  ctx: Context,
  {
    periods,
    amountCents,
    ...reference
  }: MemberSubscriptionRef & {
    periods: number;
    /** The amount that was shown. */ amountCents?: Cents | undefined;
  },
): Promise<JoinedCheckout> {
  await applyPendingVacation(ctx, reference);
  const opened = await retryOnConflict(async () => {
    const { subscriptionSnapshot, choice } = await agreedOn(ctx, {
      ...reference,
      periods,
      amountCents,
    });
    const openNow = () =>
      openChargeForPeriod(ctx, {
        subscriptionId: reference.subscriptionId,
        startsAt: choice.startsAt,
      });
    const open = await openNow();
    const joined = open
      ? await joinOrCancelOpenCheckout(ctx, {
          wish: { method: "pix", amountCents: choice.amountCents, hasCardToken: false },
          open,
          openNow,
        })
      : null;
    return joined ? { joined } : await openAhead(ctx, subscriptionSnapshot, choice);
  });
  return "joined" in opened ? toCheckoutStart(opened.joined) : await askProvider(ctx, opened);
}

async function agreedOn(
  ctx: Context,
  {
    periods,
    amountCents,
    ...reference
  }: MemberSubscriptionRef & { periods: number; amountCents: Cents | undefined },
): Promise<{ subscriptionSnapshot: SubscriptionSnapshot; choice: PrepayOption }> {
  const { subscriptionSnapshot, choices } = await prepayOptionsOf(ctx, reference);
  if (subscriptionSnapshot.isShut) throw new PageClosed();
  if (subscriptionSnapshot.awayUntil !== null)
    throw new CreatorOnVacation(subscriptionSnapshot.awayUntil);
  if (subscriptionSnapshot.isAgeClosed) throw new AgeNotVerified();
  if (subscriptionSnapshot.isPayerLeaving) throw new LeavingMemberCannotSubscribe();
  const choice = choices.find(({ count }) => count === periods);
  if (!choice) throw new CannotPrepay();
  if (!isMethodOffered("pix", ctx))
    throw new SubscriptionMethodNotOffered({ method: "pix", amountCents: choice.amountCents });
  if (amountCents !== undefined && amountCents !== choice.amountCents)
    throw new PlanPriceChanged(choice.amountCents);
  await requirePayerTaxId(ctx, { payerId: reference.fanId, method: "pix" });
  if (
    (await prepaidCodesCount(ctx, {
      subscriptionId: reference.subscriptionId,
      since: ctx.now() - DAY_MS,
    })) >= CODES_A_DAY
  )
    throw new TooManyPrepaidCodes();
  return { subscriptionSnapshot, choice };
}

type OpenedPrepayment = {
  chargeId: string;
  subscriptionSnapshot: SubscriptionSnapshot;
  choice: PrepayOption;
  expiresAt: number;
};

async function openAhead(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  choice: PrepayOption,
): Promise<OpenedPrepayment> {
  const { subscription } = subscriptionSnapshot;
  const chargeId = ctx.newId();
  const expiresAt = ctx.now() + paymentMethods.pix.checkoutExpiresAfterMs;
  const { count, startsAt, endsAt, amountCents, periodsCents } = choice;
  await commit(ctx.db, [
    stillRenewsStatement(ctx, subscriptionSnapshot),
    ...applyAgreedPriceStatements(ctx, subscriptionSnapshot),
    newChargeStatement(ctx, {
      id: chargeId,
      payerId: subscription.fanId,
      creatorId: subscription.creatorId,
      purchaseKind: "subscription",
      purchaseId: subscription.id,
      description: descriptionOf(subscriptionSnapshot, count),
      amountCents,
      method: "pix",
      expiresAt,
      period: { startsAt, endsAt },
      periodsCents,
    }),
  ]);
  return { chargeId, subscriptionSnapshot, choice, expiresAt };
}

async function askProvider(
  ctx: Context,
  { chargeId, subscriptionSnapshot, choice, expiresAt }: OpenedPrepayment,
): Promise<JoinedCheckout> {
  const { status, refusedCode } = await requestCharge(ctx, {
    chargeId,
    amountCents: choice.amountCents,
    description: descriptionOf(subscriptionSnapshot, choice.count),
    method: "pix",
    expiresAt,
    payerName: subscriptionSnapshot.fanName,
    cardToken: null,
    savedMethodId: null,
    saveMethod: false,
  });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return { chargeId, status, nextActionUrl: null };
}

const descriptionOf = (
  { plan, creatorName, subscription: { interval } }: SubscriptionSnapshot,
  periods: number,
): string => subscriptionDescription({ planName: plan.name, creatorName, interval, periods });
