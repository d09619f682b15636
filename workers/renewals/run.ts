import { closeCardAttempt } from "#app/domain/billing/commands/keep-card.server.ts";
import {
  describeSavedMethod,
  forgetRemovedMethods,
  forgetSavedMethod,
} from "#app/domain/billing/commands/saved-methods.server.ts";
import {
  cardAttemptsToClose,
  methodsToDescribe,
  methodsToForget,
} from "#app/domain/billing/queries/billing.server.ts";
import type { Context, Queues } from "#app/domain/context.ts";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { deletionsDue } from "#app/domain/deletion/queries/deletions.server.ts";
import {
  advanceDocuments,
  tellOfLateContests,
} from "#app/domain/documents/commands/calendar.server.ts";
import { forgetArchivedDocuments } from "#app/domain/documents/commands/erasure.server.ts";
import { forgetTakers } from "#app/domain/fiscal/commands.server.ts";
import { askRegistry } from "#app/domain/documents/commands/registry.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { documentsDue } from "#app/domain/documents/queries.server.ts";
import { documentsToAsk } from "#app/domain/documents/queries/registry.server.ts";
import { FISCAL_YEARS } from "#app/domain/deletion/rules.ts";
import { chargesToAsk } from "#app/domain/payments/queries.server.ts";
import { chargesToConfirm } from "#app/domain/payments/queries/to-confirm.server.ts";
import { LEFT_AT_BANK_MS } from "#app/domain/payments/rules/to-confirm.ts";
import { tellFullPrice } from "#app/domain/plans/commands/coupons.server.ts";
import { fullPricesToTell } from "#app/domain/plans/queries/coupons.server.ts";
import { vacationsToSweep } from "#app/domain/plans/queries/vacations.server.ts";
import { closePurchase } from "#app/domain/purchases/commands/end.server.ts";
import { reconcileCharge } from "#app/domain/payments/commands/request.server.ts";
import { notifyUnconfirmedCharge } from "#app/domain/payments/commands/to-confirm.server.ts";
import { settlementSnapshots } from "#app/domain/purchases/queries/settlement-snapshots.server.ts";
import { purchasesToClose } from "#app/domain/purchases/queries.server.ts";
import { forgetFormerEmails } from "#app/domain/identity/commands/email.server.ts";
import { forgetSetbacks } from "#app/domain/setbacks/commands.server.ts";
import { enqueueDue } from "#app/domain/subscriptions/commands/renewal/enqueue.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/commands/renewal/renew.server.ts";
import { sweepVacation } from "#app/domain/subscriptions/commands/vacation/sweep.server.ts";
import { isOverdue } from "#app/domain/subscriptions/rules/calendar.ts";
import { closeSubscription } from "#app/domain/subscriptions/commands/ending/close.server.ts";
import { expireComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import {
  advanceTrialSetup,
  forgetTrialCard,
  tellTrialToConfirm,
} from "#app/domain/subscriptions/commands/trial/setup.server.ts";
import { beginPaidPlan } from "#app/domain/subscriptions/commands/plan-change/later.server.ts";
import { subscriptionsOfBanned } from "#app/domain/subscriptions/queries/ending/closing.server.ts";
import { compsDue } from "#app/domain/subscriptions/queries/comps.server.ts";
import { settleAuthorisation } from "#app/domain/subscriptions/commands/automatic/authorisation.server.ts";
import {
  retryDebit,
  takeDebitBack,
} from "#app/domain/subscriptions/commands/automatic/debits.server.ts";
import { authorisationStandings } from "#app/domain/subscriptions/queries/automatic/authorisation-standing.server.ts";
import {
  authorisationsToAsk,
  debitsToRetry,
  debitsToTakeBack,
} from "#app/domain/subscriptions/queries/automatic/authorisations.server.ts";
import {
  trialCardsToForget,
  trialSetupsToAsk,
  trialSetupsToConfirm,
} from "#app/domain/subscriptions/queries/trials.server.ts";
import {
  remindPriceAsk,
  tellPriceAsk,
} from "#app/domain/subscriptions/commands/price/ask.server.ts";
import {
  priceAsksToRemind,
  priceAsksToTell,
} from "#app/domain/subscriptions/queries/price/asks.server.ts";
import { planChangesDue } from "#app/domain/subscriptions/queries/plan-change/changes.server.ts";
import { addDays, addMonths, DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { eachDue, eachRead, enqueuesDue, once, runSteps } from "#workers/steps.ts";
import type { Step } from "#workers/steps.ts";
import { FALSE_AGE_STEPS } from "./false-ages.ts";
import { GIFT_STEPS } from "./gifts.ts";

/**
 * A queue takes 5,000 messages a second, and the database some tens of renewals: what is sent in a
 * run is done before the next, and a million due are in nine hours.
 */
export const RENEWALS_PER_RUN = 10_000;
const VACATIONS_LIMIT = 100;
const COMPS_LIMIT = 200;
const PLAN_CHANGES_LIMIT = 200;
const ASK_LIMIT = 200;
/** Charges, and authorisations, read in one call, of each what it pays for. */
const CHARGES_READ = 20;
const PRICE_ASKS_LIMIT = 10;
const PRICE_REMINDERS_LIMIT = 200;
const CLOSINGS_LIMIT = 200;
const DELETIONS_LIMIT = 500;
const FORGET_LIMIT = 100;
const PAPERS_LIMIT = 200;
/** Few numbers are ever contested; each is told once. */
const CONTESTS_LIMIT = 20;
const REGISTRY_LIMIT = 50;
const CARDS_LIMIT = 50;
const FULL_PRICES_LIMIT = 200;
const AUTOMATIC_LIMIT = 100;
/** How long before it the first full price after a coupon is told. */
const FULL_PRICE_DAYS = 7;
/** How long one that rests may stay untold: more than a pause takes. */
const PAUSED_DAYS = 40;
/** How long an answer of the provider may stay unknown before it is asked again. */
const UNCLEAR_FOR_MS = MINUTE_MS;

type RenewalMessage = Omit<Parameters<Queues["renewals"]["send"]>[0], "version">;

/** A step for each of the debits that are due, read with what they pay for. */
const eachDebit = ({
  due,
  each,
}: {
  due(ctx: Context, now: Instant): Promise<string[]>;
  each: typeof takeDebitBack;
}): Step =>
  eachRead("renewals.debit_unclear", {
    due,
    size: CHARGES_READ,
    read: (ctx, chargeIds) => settlementSnapshots(ctx, { chargeIds }),
    each: (ctx, chargeId, snapshot) => each(ctx, { chargeId, snapshot }),
  });

/**
 * Pix Automático: authorisations are asked about and ended, refused debits tried again, and those
 * that nobody wants any more taken back.
 */
const AUTOMATIC_STEPS: readonly Step[] = [
  eachRead("renewals.authorisation_unclear", {
    due: (ctx, now) =>
      authorisationsToAsk(ctx, {
        askedBefore: now - UNCLEAR_FOR_MS,
        quietSince: now - DAY_MS,
        now,
        limit: AUTOMATIC_LIMIT,
      }),
    size: CHARGES_READ,
    read: (ctx, authorisationIds) => authorisationStandings(ctx, { authorisationIds }),
    each: (ctx, authorisationId, read) =>
      settleAuthorisation(ctx, { authorisationId, ...(read ? { read } : {}) }),
  }),
  eachDebit({
    due: (ctx, now) =>
      debitsToTakeBack(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: AUTOMATIC_LIMIT }),
    each: takeDebitBack,
  }),
  eachDebit({ due: (ctx) => debitsToRetry(ctx, { limit: AUTOMATIC_LIMIT }), each: retryDebit }),
];

/** Cards are named, and forgotten. */
const CARD_STEPS: readonly Step[] = [
  eachDue("renewals.trial_card_unclear", {
    due: (ctx) => trialCardsToForget(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, setupId) => forgetTrialCard(ctx, { setupId }),
  }),
  eachDue("renewals.card_unclear", {
    due: (ctx) => methodsToDescribe(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, methodId) => describeSavedMethod(ctx, { methodId }),
  }),
  eachDue("renewals.card_unclear", {
    due: (ctx, now) => cardAttemptsToClose(ctx, { before: now - DAY_MS, limit: CARDS_LIMIT }),
    each: (ctx, attemptId) => closeCardAttempt(ctx, { attemptId }),
  }),
  eachDue("renewals.card_unclear", {
    due: (ctx) => methodsToForget(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, methodId) => forgetSavedMethod(ctx, { methodId }),
  }),
];

const STEPS: readonly Step[] = [
  eachDue("renewals.plan_change_failed", {
    due: (ctx, now) => planChangesDue(ctx, { now, limit: PLAN_CHANGES_LIMIT }),
    each: (ctx, planChangeId) => beginPaidPlan(ctx, { planChangeId }),
  }),
  enqueuesDue("renewals.enqueue_failed", {
    due: (ctx, now) => vacationsToSweep(ctx, { now, limit: VACATIONS_LIMIT }),
    send: (ctx, ids) =>
      ctx.queues.renewals.sendAll(ids.map((id) => ({ version: 1, type: "vacation.sweep", id }))),
  }),
  once("renewals.enqueue_failed", (ctx, hasRoom) =>
    enqueueDue(ctx, { limit: RENEWALS_PER_RUN, hasRoom }),
  ),
  eachRead("renewals.charge_unclear", {
    due: (ctx, now) =>
      chargesToAsk(ctx, { now, askedBefore: now - UNCLEAR_FOR_MS, limit: ASK_LIMIT }),
    size: CHARGES_READ,
    read: (ctx, chargeIds) => settlementSnapshots(ctx, { chargeIds }),
    each: (ctx, chargeId, snapshot) => reconcileCharge(ctx, { chargeId, snapshot }),
  }),
  eachDue("renewals.charge_unclear", {
    due: (ctx, now) =>
      chargesToConfirm(ctx, { now, since: now - LEFT_AT_BANK_MS, limit: ASK_LIMIT }),
    each: (ctx, chargeId) => notifyUnconfirmedCharge(ctx, { chargeId }),
  }),
  ...AUTOMATIC_STEPS,
  eachDue("renewals.trial_card_unclear", {
    due: (ctx, now) =>
      trialSetupsToAsk(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: CARDS_LIMIT }),
    each: (ctx, setupId) => advanceTrialSetup(ctx, { setupId }),
  }),
  eachDue("renewals.trial_card_unclear", {
    due: (ctx, now) =>
      trialSetupsToConfirm(ctx, { now, since: now - LEFT_AT_BANK_MS, limit: CARDS_LIMIT }),
    each: (ctx, setupId) => tellTrialToConfirm(ctx, { setupId }),
  }),
  eachDue("renewals.purchase_close_failed", {
    due: (ctx, now) => purchasesToClose(ctx, { now, limit: CLOSINGS_LIMIT }),
    each: (ctx, purchaseId) => closePurchase(ctx, { purchaseId, because: "removed" }),
  }),
  ...GIFT_STEPS,
  ...FALSE_AGE_STEPS,
  eachDue("renewals.subscription_close_failed", {
    kind: "seller_closed",
    due: (ctx, now) =>
      subscriptionsOfBanned(ctx, { bannedBefore: now - DAY_MS, limit: CLOSINGS_LIMIT }),
    each: (ctx, subscriptionId) =>
      closeSubscription(ctx, { subscriptionId, because: "creator_left" }),
  }),
  eachDue("renewals.comp_end_failed", {
    due: (ctx, now) => compsDue(ctx, { now, limit: COMPS_LIMIT }),
    each: (ctx, subscriptionId) => expireComp(ctx, { subscriptionId }),
  }),
  eachDue("renewals.full_price_failed", {
    kind: "full_price",
    due: (ctx, now) =>
      fullPricesToTell(ctx, {
        from: addDays(now, -PAUSED_DAYS),
        until: addDays(now, FULL_PRICE_DAYS),
        limit: FULL_PRICES_LIMIT,
      }),
    each: (ctx, subscriptionId) => tellFullPrice(ctx, { subscriptionId }),
  }),
  eachDue("renewals.price_ask_failed", {
    due: (ctx) => priceAsksToTell(ctx, { limit: PRICE_ASKS_LIMIT }),
    each: (ctx, askId) => tellPriceAsk(ctx, { askId }),
  }),
  eachDue("renewals.price_reminder_failed", {
    kind: "price_reminder",
    due: (ctx, now) => priceAsksToRemind(ctx, { now, limit: PRICE_REMINDERS_LIMIT }),
    each: (ctx, subscriptionId) => remindPriceAsk(ctx, { subscriptionId }),
  }),
  ...CARD_STEPS,
  eachDue("renewals.deletion_failed", {
    due: (ctx, now) => deletionsDue(ctx, { now, limit: DELETIONS_LIMIT }),
    each: (ctx, deletionId) => advanceDeletion(ctx, { deletionId }),
  }),
  once("renewals.forgetting_failed", forgetRemovedMethods),
  once("renewals.forgetting_failed", forgetSetbacks),
  once("renewals.forgetting_failed", forgetTakers),
  once("renewals.forgetting_failed", forgetFormerEmails),
  eachDue("renewals.registry_silent", {
    kind: "registry",
    due: async (ctx, now) =>
      ctx.registry ? await documentsToAsk(ctx, { now, limit: REGISTRY_LIMIT }) : [],
    each: (ctx, personId) => askRegistry(ctx, { personId, moderatorId: null }),
  }),
  eachDue("renewals.documents_failed", {
    due: (ctx, now) => documentsDue(ctx, { now, limit: PAPERS_LIMIT }),
    each: (ctx, personId) => advanceDocuments(ctx, { personId }),
  }),
  once("renewals.contests_failed", (ctx) =>
    tellOfLateContests(ctx, { moderatorIds: () => moderatorIds(ctx), limit: CONTESTS_LIMIT }),
  ),
  once("renewals.forgetting_failed", (ctx) =>
    forgetArchivedDocuments(ctx, {
      before: addMonths(ctx.now(), -12 * FISCAL_YEARS),
      limit: FORGET_LIMIT,
    }),
  ),
];

/**
 * What the calendar asks for: plans that were paid for a period begin with it, subscribers of who
 * is on vacation are moved page by page, renewals and expiries are handed to their queue; charges
 * that ran out or went silent are asked about, as is Pix Automático; what was bought or subscribed
 * and is gone is given back, as is what was paid to who told a false age; gifts are delivered, and
 * given back when nobody claims them; courtesies end; new prices are asked for, and discounts that
 * end told; cards are named, and forgotten; deletions go on; of documents that wait long or end
 * their owners are told. See `runSteps` for what a step leaves to the others.
 */
export async function runRenewals(ctx: Context): Promise<void> {
  await runSteps(ctx, STEPS);
}

/**
 * What the calendar's cron asked for of one subscription, or one vacation. What comes too late is
 * left to the message that came, or comes, after it.
 */
export async function renew(ctx: Context, { type, id, until }: RenewalMessage): Promise<void> {
  if (type === "vacation.sweep") return await sweepVacation(ctx, { vacationId: id });
  if (!isOverdue(until, ctx.now())) await advanceSubscription(ctx, { subscriptionId: id });
}
