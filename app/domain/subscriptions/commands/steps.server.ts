import { eachDue, eachRead } from "#app/domain/setbacks/commands/steps.server.ts";
import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";
import { expireComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { settleAuthorisation } from "#app/domain/subscriptions/commands/automatic/authorisation.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/commands/ending/close.server.ts";
import { beginPaidPlan } from "#app/domain/subscriptions/commands/plan-change/later.server.ts";
import {
  remindPriceAsk,
  tellPriceAsk,
} from "#app/domain/subscriptions/commands/price/ask.server.ts";
import { enqueueDue } from "#app/domain/subscriptions/commands/renewal/enqueue.server.ts";
import {
  advanceTrialSetup,
  forgetTrialCard,
  tellTrialToConfirm,
} from "#app/domain/subscriptions/commands/trial/setup.server.ts";
import { authorisationStandings } from "#app/domain/subscriptions/queries/automatic/authorisation-standing.server.ts";
import { authorisationsToAsk } from "#app/domain/subscriptions/queries/automatic/authorisations.server.ts";
import { compsDue } from "#app/domain/subscriptions/queries/comps.server.ts";
import { subscriptionsOfBanned } from "#app/domain/subscriptions/queries/ending/closing.server.ts";
import { planChangesDue } from "#app/domain/subscriptions/queries/plan-change/changes.server.ts";
import {
  priceAsksToRemind,
  priceAsksToTell,
} from "#app/domain/subscriptions/queries/price/asks.server.ts";
import {
  trialCardsToForget,
  trialSetupsToAsk,
  trialSetupsToConfirm,
} from "#app/domain/subscriptions/queries/trials.server.ts";
import { LEFT_AT_BANK_MS } from "#app/domain/payments/rules/to-confirm.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";

/**
 * A queue takes 5,000 messages a second, and the database some tens of renewals: what is sent in a
 * run is done before the next, and a million due are in nine hours.
 */
export const RENEWALS_PER_RUN = 10_000;
const PLAN_CHANGES_LIMIT = 200;
const AUTOMATIC_LIMIT = 100;
/** Authorisations read in one call, of each what it pays for. */
const AUTHORISATIONS_READ = 20;
const CARDS_LIMIT = 50;
const CLOSINGS_LIMIT = 200;
const COMPS_LIMIT = 200;
const PRICE_ASKS_LIMIT = 10;
const PRICE_REMINDERS_LIMIT = 200;
/** How long an answer of the provider may stay unknown before it is asked again. */
const UNCLEAR_FOR_MS = MINUTE_MS;

/** What the calendar asks of subscriptions. */
export const subscriptionSteps = {
  beginPaidPlans: eachDue({
    name: "subscriptions.begin_paid_plans",
    event: "renewals.plan_change_failed",
    due: (ctx, now) => planChangesDue(ctx, { now, limit: PLAN_CHANGES_LIMIT }),
    each: (ctx, planChangeId) => beginPaidPlan(ctx, { planChangeId }),
  }),
  enqueueRenewals: {
    name: "subscriptions.enqueue_renewals",
    event: "renewals.enqueue_failed",
    run: (ctx, hasRoom) => enqueueDue(ctx, { limit: RENEWALS_PER_RUN, hasRoom }),
  },
  closeOfBanned: eachDue({
    name: "subscriptions.close_of_banned",
    event: "renewals.subscription_close_failed",
    kind: "seller_closed",
    due: (ctx, now) =>
      subscriptionsOfBanned(ctx, { bannedBefore: now - DAY_MS, limit: CLOSINGS_LIMIT }),
    each: (ctx, subscriptionId) =>
      closeSubscription(ctx, { subscriptionId, because: "creator_left" }),
  }),
  expireComps: eachDue({
    name: "subscriptions.expire_comps",
    event: "renewals.comp_end_failed",
    due: (ctx, now) => compsDue(ctx, { now, limit: COMPS_LIMIT }),
    each: (ctx, subscriptionId) => expireComp(ctx, { subscriptionId }),
  }),
} satisfies Record<string, Step>;

/** Pix Automático: authorisations are asked about and ended. */
export const pixMandateSteps = {
  settleAuthorisations: eachRead({
    name: "subscriptions.settle_authorisations",
    event: "renewals.authorisation_unclear",
    due: (ctx, now) =>
      authorisationsToAsk(ctx, {
        askedBefore: now - UNCLEAR_FOR_MS,
        quietSince: now - DAY_MS,
        now,
        limit: AUTOMATIC_LIMIT,
      }),
    size: AUTHORISATIONS_READ,
    read: (ctx, authorisationIds) => authorisationStandings(ctx, { authorisationIds }),
    each: (ctx, authorisationId, read) =>
      settleAuthorisation(ctx, { authorisationId, ...(read ? { read } : {}) }),
  }),
} satisfies Record<string, Step>;

/** The cards of free days: asked about, waited for, forgotten. */
export const trialSteps = {
  advanceSetups: eachDue({
    name: "trials.advance_setups",
    event: "renewals.trial_card_unclear",
    due: (ctx, now) =>
      trialSetupsToAsk(ctx, { askedBefore: now - UNCLEAR_FOR_MS, limit: CARDS_LIMIT }),
    each: (ctx, setupId) => advanceTrialSetup(ctx, { setupId }),
  }),
  remindToConfirm: eachDue({
    name: "trials.remind_to_confirm",
    event: "renewals.trial_card_unclear",
    due: (ctx, now) =>
      trialSetupsToConfirm(ctx, { now, since: now - LEFT_AT_BANK_MS, limit: CARDS_LIMIT }),
    each: (ctx, setupId) => tellTrialToConfirm(ctx, { setupId }),
  }),
  forgetCards: eachDue({
    name: "trials.forget_cards",
    event: "renewals.trial_card_unclear",
    due: (ctx) => trialCardsToForget(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, setupId) => forgetTrialCard(ctx, { setupId }),
  }),
} satisfies Record<string, Step>;

/** New prices are asked for, and reminded of. */
export const priceChangeSteps = {
  ask: eachDue({
    name: "price_changes.ask",
    event: "renewals.price_ask_failed",
    due: (ctx) => priceAsksToTell(ctx, { limit: PRICE_ASKS_LIMIT }),
    each: (ctx, askId) => tellPriceAsk(ctx, { askId }),
  }),
  remind: eachDue({
    name: "price_changes.remind",
    event: "renewals.price_reminder_failed",
    kind: "price_reminder",
    due: (ctx, now) => priceAsksToRemind(ctx, { now, limit: PRICE_REMINDERS_LIMIT }),
    each: (ctx, subscriptionId) => remindPriceAsk(ctx, { subscriptionId }),
  }),
} satisfies Record<string, Step>;
