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
): Promise<{ facts: SubscriptionSnapshot; choices: PrepayOption[] }> {
  const facts = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!facts || facts.subscription.fanId !== fanId) throw new SubscriptionNotFound();
  const { subscription, couponNow } = facts;
  const { currentPeriodEndsAt: startsAt, startedAt, anchorAt } = subscription;
  const now = ctx.now();
  // A scheduled plan change has another price: it has to be undone, or to start, first.
  const isOpen =
    facts.change === null &&
    facts.awayUntil === null &&
    canPrepay(subscription, now) &&
    startsAt !== null &&
    startedAt !== null &&
    isMethodOffered("pix", ctx);
  return {
    facts,
    choices: isOpen
      ? prepayOptions(nextTerms(subscription, null, facts.agreed), {
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
    ...mine
  }: MemberSubscriptionRef & {
    periods: number;
    /** The amount that was shown. */ amountCents?: Cents | undefined;
  },
): Promise<JoinedCheckout> {
  await applyPendingVacation(ctx, mine);
  const opened = await retryOnConflict(async () => {
    const { facts, choice } = await agreedOn(ctx, { ...mine, periods, amountCents });
    const openNow = () =>
      openChargeForPeriod(ctx, { subscriptionId: mine.subscriptionId, startsAt: choice.startsAt });
    const open = await openNow();
    const joined = open
      ? await joinOrCancelOpenCheckout(ctx, {
          wish: { method: "pix", amountCents: choice.amountCents, hasCardToken: false },
          open,
          openNow,
        })
      : null;
    return joined ? { joined } : await openAhead(ctx, facts, choice);
  });
  return "joined" in opened ? toCheckoutStart(opened.joined) : await askProvider(ctx, opened);
}

async function agreedOn(
  ctx: Context,
  {
    periods,
    amountCents,
    ...mine
  }: MemberSubscriptionRef & { periods: number; amountCents: Cents | undefined },
): Promise<{ facts: SubscriptionSnapshot; choice: PrepayOption }> {
  const { facts, choices } = await prepayOptionsOf(ctx, mine);
  if (facts.isShut) throw new PageClosed();
  if (facts.awayUntil !== null) throw new CreatorOnVacation(facts.awayUntil);
  if (facts.isAgeClosed) throw new AgeNotVerified();
  if (facts.isPayerLeaving) throw new LeavingMemberCannotSubscribe();
  const choice = choices.find(({ count }) => count === periods);
  if (!choice) throw new CannotPrepay();
  if (!isMethodOffered("pix", ctx))
    throw new SubscriptionMethodNotOffered({ method: "pix", amountCents: choice.amountCents });
  if (amountCents !== undefined && amountCents !== choice.amountCents)
    throw new PlanPriceChanged(choice.amountCents);
  await requirePayerTaxId(ctx, { payerId: mine.fanId, method: "pix" });
  if (
    (await prepaidCodesCount(ctx, {
      subscriptionId: mine.subscriptionId,
      since: ctx.now() - DAY_MS,
    })) >= CODES_A_DAY
  )
    throw new TooManyPrepaidCodes();
  return { facts, choice };
}

type OpenedPrepayment = {
  chargeId: string;
  facts: SubscriptionSnapshot;
  choice: PrepayOption;
  expiresAt: number;
};

async function openAhead(
  ctx: Context,
  facts: SubscriptionSnapshot,
  choice: PrepayOption,
): Promise<OpenedPrepayment> {
  const { subscription } = facts;
  const chargeId = ctx.newId();
  const expiresAt = ctx.now() + paymentMethods.pix.checkoutExpiresAfterMs;
  const { count, startsAt, endsAt, amountCents, periodsCents } = choice;
  await commit(ctx.db, [
    stillRenewsStatement(ctx, facts),
    ...applyAgreedPriceStatements(ctx, facts),
    newChargeStatement(ctx, {
      id: chargeId,
      payerId: subscription.fanId,
      creatorId: subscription.creatorId,
      purchaseKind: "subscription",
      purchaseId: subscription.id,
      description: descriptionOf(facts, count),
      amountCents,
      method: "pix",
      expiresAt,
      period: { startsAt, endsAt },
      periodsCents,
    }),
  ]);
  return { chargeId, facts, choice, expiresAt };
}

async function askProvider(
  ctx: Context,
  { chargeId, facts, choice, expiresAt }: OpenedPrepayment,
): Promise<JoinedCheckout> {
  const { status, refusedCode } = await requestCharge(ctx, {
    chargeId,
    amountCents: choice.amountCents,
    description: descriptionOf(facts, choice.count),
    method: "pix",
    expiresAt,
    payerName: facts.fanName,
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
