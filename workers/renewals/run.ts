import { closeCardAttempt } from "#app/domain/billing/commands/keep-card.server.ts";
import { describeSavedMethod, forgetRemovedMethods, forgetSavedMethod } from "#app/domain/billing/commands/saved-methods.server.ts";
import { cardAttemptsToClose, methodsToDescribe, methodsToForget } from "#app/domain/billing/queries/billing.server.ts";
import type { Context } from "#app/domain/context.ts";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { deletionsDue } from "#app/domain/deletion/queries/deletions.server.ts";
import { advanceDocuments } from "#app/domain/documents/commands/calendar.server.ts";
import { forgetArchivedDocuments } from "#app/domain/documents/commands/erasure.server.ts";
import { documentsDue } from "#app/domain/documents/queries.server.ts";
import { FISCAL_YEARS } from "#app/domain/deletion/rules.ts";
import { chargesToAsk } from "#app/domain/payments/queries.server.ts";
import { chargesToConfirm } from "#app/domain/payments/queries/to-confirm.server.ts";
import { LEFT_AT_BANK_MS } from "#app/domain/payments/rules/to-confirm.ts";
import { tellFullPrice } from "#app/domain/plans/commands/coupons.server.ts";
import { fullPricesToTell } from "#app/domain/plans/queries/coupons.server.ts";
import { vacationsToSweep } from "#app/domain/plans/queries/vacations.server.ts";
import { closePurchase } from "#app/domain/purchases/commands/end.server.ts";
import { reconcileCharge, tellToConfirm } from "#app/domain/purchases/commands/settle.server.ts";
import { purchasesToClose } from "#app/domain/purchases/queries.server.ts";
import { forgetSetbacks } from "#app/domain/setbacks/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/commands/close.server.ts";
import { expireComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { advanceTrialSetup, forgetTrialCard } from "#app/domain/subscriptions/commands/trial-setup.server.ts";
import { beginPaidPlan } from "#app/domain/subscriptions/commands/plan-change-later.server.ts";
import { subscriptionsDue } from "#app/domain/subscriptions/queries.server.ts";
import { subscriptionsOfBanned } from "#app/domain/subscriptions/queries/closing.server.ts";
import { compsDue } from "#app/domain/subscriptions/queries/comps.server.ts";
import { settleAuthorisation } from "#app/domain/subscriptions/commands/authorisation.server.ts";
import { retryDebit, takeDebitBack } from "#app/domain/subscriptions/commands/debits.server.ts";
import { authorisationsToAsk, debitsToRetry, debitsToTakeBack } from "#app/domain/subscriptions/queries/automatic.server.ts";
import { trialCardsToForget, trialSetupsToAsk } from "#app/domain/subscriptions/queries/trials.server.ts";
import { remindPriceAsk, tellPriceAsk } from "#app/domain/subscriptions/commands/price-ask.server.ts";
import { priceAsksToRemind, priceAsksToTell } from "#app/domain/subscriptions/queries/price-asks.server.ts";
import { planChangesDue } from "#app/domain/subscriptions/queries/plan-changes.server.ts";
import { addDays, addMonths, DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { forEachQuietly } from "#workers/consume.ts";
import { runFalseAges } from "./false-ages.ts";
import { runGifts } from "./gifts.ts";

const DUE_LIMIT = 500;
const VACATIONS_LIMIT = 100;
const COMPS_LIMIT = 200;
const PLAN_CHANGES_LIMIT = 200;
const ASK_LIMIT = 200;
const PRICE_ASKS_LIMIT = 10;
const PRICE_REMINDERS_LIMIT = 200;
const CLOSINGS_LIMIT = 200;
const DELETIONS_LIMIT = 500;
const FORGET_LIMIT = 100;
const PAPERS_LIMIT = 200;
const CARDS_LIMIT = 50;
const FULL_PRICES_LIMIT = 200;
const AUTOMATIC_LIMIT = 100;
/** How long before it the first full price after a coupon is told. */
const FULL_PRICE_DAYS = 7;
/** How long one that rests may stay untold: more than a pause takes. */
const PAUSED_DAYS = 40;
/** How long an answer of the provider may stay unknown before it is asked again. */
const UNCLEAR_FOR_MS = MINUTE_MS;

/** What the calendar asks for: deletions go on, plans that were paid for a period begin with it, subscribers of who is on vacation are moved page by page, renewals and expiries are enqueued one by one; courtesies end; gifts are delivered, and given back when nobody claims them; new prices are asked for, and discounts that end told; charges that ran out or went silent are asked about, as is Pix Automático; what was bought or subscribed and is gone is given back, as is what was paid to who told a false age; cards are named, and forgotten; of documents that wait long or end their owners are told. */
export async function runRenewals(ctx: Context): Promise<void> {
  const now = ctx.now();
  const begun = await planChangesDue(ctx, { now, limit: PLAN_CHANGES_LIMIT });
  await forEachQuietly(ctx, "renewals.plan_change_failed", begun, (planChangeId) => beginPaidPlan(ctx, { planChangeId }));
  for (const id of await vacationsToSweep(ctx, { now, limit: VACATIONS_LIMIT })) await ctx.queues.renewals.send({ version: 1, type: "vacation.sweep", id });
  for (const id of await subscriptionsDue(ctx, { now, limit: DUE_LIMIT })) {
    await ctx.queues.renewals.send({ version: 1, type: "subscription.renew", id });
  }
  const fullPrices = await fullPricesToTell(ctx, { from: addDays(now, -PAUSED_DAYS), until: addDays(now, FULL_PRICE_DAYS), limit: FULL_PRICES_LIMIT });
  await forEachQuietly(ctx, "renewals.full_price_failed", fullPrices, (subscriptionId) => tellFullPrice(ctx, { subscriptionId }), "full_price");
  const asks = await priceAsksToTell(ctx, { limit: PRICE_ASKS_LIMIT });
  await forEachQuietly(ctx, "renewals.price_ask_failed", asks, (askId) => tellPriceAsk(ctx, { askId }));
  const unanswered = await priceAsksToRemind(ctx, { now, limit: PRICE_REMINDERS_LIMIT });
  await forEachQuietly(ctx, "renewals.price_reminder_failed", unanswered, (subscriptionId) => remindPriceAsk(ctx, { subscriptionId }), "price_reminder");
  const comps = await compsDue(ctx, { now, limit: COMPS_LIMIT });
  await forEachQuietly(ctx, "renewals.comp_end_failed", comps, (subscriptionId) => expireComp(ctx, { subscriptionId }));
  const setups = await trialSetupsToAsk(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: CARDS_LIMIT });
  await forEachQuietly(ctx, "renewals.trial_card_unclear", setups, (setupId) => advanceTrialSetup(ctx, { setupId }));
  const unused = await trialCardsToForget(ctx, { limit: CARDS_LIMIT });
  await forEachQuietly(ctx, "renewals.trial_card_unclear", unused, (setupId) => forgetTrialCard(ctx, { setupId }));
  const overdue = await chargesToAsk(ctx, { now, askedBefore: now - UNCLEAR_FOR_MS, limit: ASK_LIMIT });
  await forEachQuietly(ctx, "renewals.charge_unclear", overdue, (chargeId) => reconcileCharge(ctx, { chargeId }));
  const waiting = await chargesToConfirm(ctx, { now, since: now - LEFT_AT_BANK_MS, limit: ASK_LIMIT });
  await forEachQuietly(ctx, "renewals.charge_unclear", waiting, (chargeId) => tellToConfirm(ctx, { chargeId }));
  await runAutomatic(ctx);
  const gone = await purchasesToClose(ctx, { now, limit: CLOSINGS_LIMIT });
  await forEachQuietly(ctx, "renewals.purchase_close_failed", gone, (purchaseId) => closePurchase(ctx, { purchaseId, because: "removed" }));
  await runGifts(ctx);
  await runFalseAges(ctx);
  const shut = await subscriptionsOfBanned(ctx, { bannedBefore: now - DAY_MS, limit: CLOSINGS_LIMIT });
  await forEachQuietly(ctx, "renewals.subscription_close_failed", shut, (subscriptionId) => closeSubscription(ctx, { subscriptionId, because: "creator_left" }), "seller_closed");
  const unknown = await methodsToDescribe(ctx, { limit: CARDS_LIMIT });
  await forEachQuietly(ctx, "renewals.card_unclear", unknown, (methodId) => describeSavedMethod(ctx, { methodId }));
  const left = await cardAttemptsToClose(ctx, { before: now - DAY_MS, limit: CARDS_LIMIT });
  await forEachQuietly(ctx, "renewals.card_unclear", left, (attemptId) => closeCardAttempt(ctx, { attemptId }));
  const removed = await methodsToForget(ctx, { limit: CARDS_LIMIT });
  await forEachQuietly(ctx, "renewals.card_unclear", removed, (methodId) => forgetSavedMethod(ctx, { methodId }));
  const deletions = await deletionsDue(ctx, { now, limit: DELETIONS_LIMIT });
  await forEachQuietly(ctx, "renewals.deletion_failed", deletions, (deletionId) => advanceDeletion(ctx, { deletionId }));
  await forgetRemovedMethods(ctx);
  await forgetSetbacks(ctx);
  const papers = await documentsDue(ctx, { now, limit: PAPERS_LIMIT });
  await forEachQuietly(ctx, "renewals.documents_failed", papers, (personId) => advanceDocuments(ctx, { personId }));
  await forgetArchivedDocuments(ctx, { before: addMonths(now, -12 * FISCAL_YEARS), limit: FORGET_LIMIT });
}

/** Pix Automático: authorisations are asked about and ended, refused debits tried again, and those that nobody wants any more taken back. */
async function runAutomatic(ctx: Context): Promise<void> {
  const now = ctx.now();
  const unclear = await authorisationsToAsk(ctx, { askedBefore: now - UNCLEAR_FOR_MS, quietSince: now - DAY_MS, now, limit: AUTOMATIC_LIMIT });
  await forEachQuietly(ctx, "renewals.authorisation_unclear", unclear, (authorisationId) => settleAuthorisation(ctx, { authorisationId }));
  const unwanted = await debitsToTakeBack(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: AUTOMATIC_LIMIT });
  await forEachQuietly(ctx, "renewals.debit_unclear", unwanted, (chargeId) => takeDebitBack(ctx, { chargeId }));
  const refused = await debitsToRetry(ctx, { limit: AUTOMATIC_LIMIT });
  await forEachQuietly(ctx, "renewals.debit_unclear", refused, (chargeId) => retryDebit(ctx, { chargeId }));
}
