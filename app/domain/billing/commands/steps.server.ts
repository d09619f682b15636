import { expireCardSetup } from "#app/domain/billing/saved-methods/commands/save-card.server.ts";
import {
  loadCardDetails,
  purgeRemovedMethods,
  detachSavedMethod,
} from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import {
  abandonedCardSetups,
  methodsWithoutDetails,
  methodsToDetach,
} from "#app/domain/billing/details/queries.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

const CARDS_LIMIT = 50;

/** Loads card details, and deletes removed cards. */
export const savedMethodSteps = {
  describe: stepPerRow({
    name: "saved_methods.describe",
    event: "renewals.card_unclear",
    due: (ctx) => methodsWithoutDetails(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, methodId) => loadCardDetails(ctx, { methodId }),
  }),
  closeAttempts: stepPerRow({
    name: "saved_methods.close_attempts",
    event: "renewals.card_unclear",
    due: (ctx, now) => abandonedCardSetups(ctx, { before: now - DAY_MS, limit: CARDS_LIMIT }),
    each: (ctx, attemptId) => expireCardSetup(ctx, { attemptId }),
  }),
  forget: stepPerRow({
    name: "saved_methods.forget",
    event: "renewals.card_unclear",
    due: (ctx) => methodsToDetach(ctx, { limit: CARDS_LIMIT }),
    each: (ctx, methodId) => detachSavedMethod(ctx, { methodId }),
  }),
  forgetRemoved: {
    name: "saved_methods.forget_removed",
    event: "renewals.forgetting_failed",
    run: purgeRemovedMethods,
  },
} satisfies Record<string, Step>;
