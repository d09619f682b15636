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
import { eachDue } from "#app/domain/setbacks/commands/steps.server.ts";
import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

const CARDS_LIMIT = 50;

/** Cards are named, and forgotten. */
export const savedMethodSteps = {
  describe: eachDue({
    name: "saved_methods.describe",
    event: "renewals.card_unclear",
    due: (ctx) => methodsToDescribe(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, methodId) => describeSavedMethod(ctx, { methodId }),
  }),
  closeAttempts: eachDue({
    name: "saved_methods.close_attempts",
    event: "renewals.card_unclear",
    due: (ctx, now) => cardAttemptsToClose(ctx, { before: now - DAY_MS, limit: CARDS_LIMIT }),
    each: (ctx, attemptId) => closeCardAttempt(ctx, { attemptId }),
  }),
  forget: eachDue({
    name: "saved_methods.forget",
    event: "renewals.card_unclear",
    due: (ctx) => methodsToForget(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, methodId) => forgetSavedMethod(ctx, { methodId }),
  }),
  forgetRemoved: {
    name: "saved_methods.forget_removed",
    event: "renewals.forgetting_failed",
    run: forgetRemovedMethods,
  },
} satisfies Record<string, Step>;
