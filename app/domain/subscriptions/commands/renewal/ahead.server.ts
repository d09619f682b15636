import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { newChargeStatement } from "#app/domain/payments/commands/charges.server.ts";
import { joinedOrLetGo, startedOf } from "#app/domain/payments/commands/open-attempt.server.ts";
import type { Joined } from "#app/domain/payments/commands/open-attempt.server.ts";
import { refuseWithoutTaxId } from "#app/domain/payments/commands/payer-tax-id.server.ts";
import { requestCharge } from "#app/domain/payments/commands/request.server.ts";
import { retryOnConflict } from "#app/domain/payments/commands/retry-on-conflict.server.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/rules/methods.ts";
import { CreatorAway } from "#app/domain/plans/errors/vacations.ts";
import {
  AgeNotChecked,
  LeavingBuysNothing,
  MethodNotOffered,
  PageShut,
  PaymentDeclined,
  PlanPriceChanged,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { NotPayableAhead, TooManyAhead } from "#app/domain/subscriptions/errors/ahead.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import {
  aheadCodesCount,
  openForPeriod,
} from "#app/domain/subscriptions/queries/checkout.server.ts";
import {
  aheadChoices,
  mayPayAhead,
  subscriptionDescription,
} from "#app/domain/subscriptions/rules/ahead.ts";
import type { AheadChoice } from "#app/domain/subscriptions/rules/ahead.ts";
import { nextTerms } from "#app/domain/subscriptions/rules/plan-changes.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Mine } from "#app/domain/subscriptions/commands/own.server.ts";
import { agreedStatements } from "#app/domain/subscriptions/commands/price/renewal.server.ts";
import { stillRenewsStatement } from "./still-renews.server.ts";
import { settleVacation } from "#app/domain/subscriptions/commands/vacation/move.server.ts";

/** Codes that one subscription may ask for in a day: each takes the one before back at the provider. */
const CODES_A_DAY = 20;

/**
 * The ways to pay the next periods of one's own subscription now; none where there is no way.
 * Refuses SubscriptionNotFound.
 */
export async function aheadChoicesOf(
  ctx: Context,
  { fanId, subscriptionId }: Mine,
): Promise<{ facts: PurchaseFacts; choices: AheadChoice[] }> {
  const facts = await purchaseFacts(ctx, { subscriptionId });
  if (!facts || facts.subscription.fanId !== fanId) throw new SubscriptionNotFound();
  const { subscription, couponNow } = facts;
  const { currentPeriodEndsAt: startsAt, startedAt, anchorAt } = subscription;
  const now = ctx.now();
  // What is set for the next period has another price; it is undone first, or begins.
  const isOpen =
    facts.change === null &&
    facts.awayUntil === null &&
    mayPayAhead(subscription, now) &&
    startsAt !== null &&
    startedAt !== null &&
    isMethodOffered("pix", ctx);
  return {
    facts,
    choices: isOpen
      ? aheadChoices(nextTerms(subscription, null, facts.agreed), {
          anchorAt: anchorAt ?? startedAt,
          startsAt,
          coupon: couponNow,
          now,
        })
      : [],
  };
}

/**
 * Asks for one Pix that pays the next `periods` of a live subscription, from the end of what is
 * paid. The code of its next renewal is taken back first: a period has one charge. A second ask for
 * as much joins the first. Refuses SubscriptionNotFound (also for somebody else's), PageShut,
 * CreatorAway, LeavingBuysNothing, MethodNotOffered, NotPayableAhead, PlanPriceChanged,
 * TaxIdRequired, TooManyAhead. Source: domain rules, "Subscriptions", and
 * docs/decisions/money/keep-paid-periods-as-rows-that-move.md.
 */
export async function payAhead(
  ctx: Context,
  {
    periods,
    amountCents,
    ...mine
  }: Mine & { periods: number; /** What was shown. */ amountCents?: Cents | undefined },
): Promise<Joined> {
  await settleVacation(ctx, mine);
  const opened = await retryOnConflict(async () => {
    const { facts, choice } = await agreedOn(ctx, { ...mine, periods, amountCents });
    const openNow = () =>
      openForPeriod(ctx, { subscriptionId: mine.subscriptionId, startsAt: choice.startsAt });
    const open = await openNow();
    const joined = open
      ? await joinedOrLetGo(ctx, {
          wish: { method: "pix", amountCents: choice.amountCents, hasCardToken: false },
          open,
          openNow,
        })
      : null;
    return joined ? { joined } : await openAhead(ctx, facts, choice);
  });
  return "joined" in opened ? startedOf(opened.joined) : await askProvider(ctx, opened);
}

async function agreedOn(
  ctx: Context,
  { periods, amountCents, ...mine }: Mine & { periods: number; amountCents: Cents | undefined },
): Promise<{ facts: PurchaseFacts; choice: AheadChoice }> {
  const { facts, choices } = await aheadChoicesOf(ctx, mine);
  if (facts.isShut) throw new PageShut();
  if (facts.awayUntil !== null) throw new CreatorAway(facts.awayUntil);
  if (facts.isAgeClosed) throw new AgeNotChecked();
  if (facts.isPayerLeaving) throw new LeavingBuysNothing();
  const choice = choices.find(({ count }) => count === periods);
  if (!choice) throw new NotPayableAhead();
  if (!isMethodOffered("pix", ctx))
    throw new MethodNotOffered({ method: "pix", amountCents: choice.amountCents });
  if (amountCents !== undefined && amountCents !== choice.amountCents)
    throw new PlanPriceChanged(choice.amountCents);
  await refuseWithoutTaxId(ctx, { payerId: mine.fanId, method: "pix" });
  if (
    (await aheadCodesCount(ctx, {
      subscriptionId: mine.subscriptionId,
      since: ctx.now() - DAY_MS,
    })) >= CODES_A_DAY
  )
    throw new TooManyAhead();
  return { facts, choice };
}

type Opened = { chargeId: string; facts: PurchaseFacts; choice: AheadChoice; expiresAt: number };

async function openAhead(ctx: Context, facts: PurchaseFacts, choice: AheadChoice): Promise<Opened> {
  const { subscription } = facts;
  const chargeId = ctx.newId();
  const expiresAt = ctx.now() + paymentMethods.pix.checkoutExpiresAfterMs;
  const { count, startsAt, endsAt, amountCents, periodsCents } = choice;
  await commit(ctx.db, [
    stillRenewsStatement(ctx, facts),
    ...agreedStatements(ctx, facts),
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
  { chargeId, facts, choice, expiresAt }: Opened,
): Promise<Joined> {
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
  { plan, creatorName, subscription: { interval } }: PurchaseFacts,
  periods: number,
): string => subscriptionDescription({ planName: plan.name, creatorName, interval, periods });
