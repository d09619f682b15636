import { stepPerRow, stepPerLoadedRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { expireComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { settleMandate } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { startPrepaidPlan } from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { notifyPriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { remindPriceChange } from "#app/domain/subscriptions/price-changes/commands/reminder.server.ts";
import { enqueueDueSubscriptions } from "#app/domain/subscriptions/renewals/commands/enqueue.server.ts";
import {
  advanceTrialSetup,
  forgetTrialCard,
  remindTrialCardConfirmation,
} from "#app/domain/subscriptions/trials/commands/setup.server.ts";
import { loadMandateSnapshots } from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import { mandatesToReconcile } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import { expiredComps } from "#app/domain/subscriptions/comps/queries.server.ts";
import { subscriptionsOfBanned } from "#app/domain/subscriptions/coverage/queries.server.ts";
import { duePlanChanges } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import {
  priceChangesToRemind,
  priceChangesToNotify,
} from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import {
  trialCardsToForget,
  trialSetupsToReconcile,
  trialSetupsAwaitingConfirmation,
} from "#app/domain/subscriptions/trials/queries.server.ts";
import { CONFIRMATION_REMINDER_AFTER_MS } from "#app/domain/payments/charges/rules/confirmation-reminder.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";

/**
 * A queue takes 5,000 messages a second, and the database some tens of renewals. Each run's
 * messages are done before the next run, and a million due renewals take nine hours.
 */
export const RENEWALS_PER_RUN = 10_000;
const PLAN_CHANGES_LIMIT = 200;
const AUTOMATIC_LIMIT = 100;
/** Mandates read in one call, each with what it pays for. */
const AUTHORISATIONS_READ = 20;
const CARDS_LIMIT = 50;
const CLOSINGS_LIMIT = 200;
const COMPS_LIMIT = 200;
const PRICE_ASKS_LIMIT = 10;
const PRICE_REMINDERS_LIMIT = 200;
/** How long an unclear answer of the provider may last before it is asked again. */
const UNCLEAR_FOR_MS = MINUTE_MS;

/** The scheduled steps of subscriptions. */
export const subscriptionSteps = {
  beginPaidPlans: stepPerRow({
    name: "subscriptions.begin_paid_plans",
    event: "renewals.plan_change_failed",
    due: (ctx, now) => duePlanChanges(ctx, { now, limit: PLAN_CHANGES_LIMIT }),
    each: (ctx, planChangeId) => startPrepaidPlan(ctx, { planChangeId }),
  }),
  enqueueRenewals: {
    name: "subscriptions.enqueue_renewals",
    event: "renewals.enqueue_failed",
    run: (ctx, hasRoom) => enqueueDueSubscriptions(ctx, { limit: RENEWALS_PER_RUN, hasRoom }),
  },
  closeOfBanned: stepPerRow({
    name: "subscriptions.close_of_banned",
    event: "renewals.subscription_close_failed",
    kind: "seller_closed",
    due: (ctx, now) =>
      subscriptionsOfBanned(ctx, { bannedBefore: now - DAY_MS, limit: CLOSINGS_LIMIT }),
    each: (ctx, subscriptionId) =>
      closeSubscription(ctx, { subscriptionId, because: "creator_left" }),
  }),
  expireComps: stepPerRow({
    name: "subscriptions.expire_comps",
    event: "renewals.comp_end_failed",
    due: (ctx, now) => expiredComps(ctx, { now, limit: COMPS_LIMIT }),
    each: (ctx, subscriptionId) => expireComp(ctx, { subscriptionId }),
  }),
} satisfies Record<string, Step>;

/** The scheduled steps of Pix mandates: asking the provider and ending them. */
export const pixMandateSteps = {
  settleAuthorisations: stepPerLoadedRow({
    name: "subscriptions.settle_authorisations",
    event: "renewals.authorisation_unclear",
    due: (ctx, now) =>
      mandatesToReconcile(ctx, {
        askedBefore: now - UNCLEAR_FOR_MS,
        quietSince: now - DAY_MS,
        now,
        limit: AUTOMATIC_LIMIT,
      }),
    size: AUTHORISATIONS_READ,
    read: (ctx, mandateIds) => loadMandateSnapshots(ctx, { mandateIds }),
    each: (ctx, mandateId, read) => settleMandate(ctx, { mandateId, ...(read ? { read } : {}) }),
  }),
} satisfies Record<string, Step>;

/** The scheduled steps of trial cards: asking, reminding and removing. */
export const trialSteps = {
  advanceSetups: stepPerRow({
    name: "trials.advance_setups",
    event: "renewals.trial_card_unclear",
    due: (ctx, now) =>
      trialSetupsToReconcile(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: CARDS_LIMIT }),
    each: (ctx, setupId) => advanceTrialSetup(ctx, { setupId }),
  }),
  remindToConfirm: stepPerRow({
    name: "trials.remind_to_confirm",
    event: "renewals.trial_card_unclear",
    due: (ctx, now) =>
      trialSetupsAwaitingConfirmation(ctx, {
        now,
        since: now - CONFIRMATION_REMINDER_AFTER_MS,
        limit: CARDS_LIMIT,
      }),
    each: (ctx, setupId) => remindTrialCardConfirmation(ctx, { setupId }),
  }),
  forgetCards: stepPerRow({
    name: "trials.forget_cards",
    event: "renewals.trial_card_unclear",
    due: (ctx) => trialCardsToForget(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, setupId) => forgetTrialCard(ctx, { setupId }),
  }),
} satisfies Record<string, Step>;

/** The scheduled steps of price changes: notifying and reminding. */
export const priceChangeSteps = {
  ask: stepPerRow({
    name: "price_changes.ask",
    event: "renewals.price_ask_failed",
    due: (ctx) => priceChangesToNotify(ctx, { limit: PRICE_ASKS_LIMIT }),
    each: (ctx, askId) => notifyPriceChange(ctx, { askId }),
  }),
  remind: stepPerRow({
    name: "price_changes.remind",
    event: "renewals.price_reminder_failed",
    kind: "price_reminder",
    due: (ctx, now) => priceChangesToRemind(ctx, { now, limit: PRICE_REMINDERS_LIMIT }),
    each: (ctx, subscriptionId) => remindPriceChange(ctx, { subscriptionId }),
  }),
} satisfies Record<string, Step>;
