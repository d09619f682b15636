import type { Context } from "#app/domain/context.ts";
import { toCheckoutStart } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { resolveOpenSubscription } from "#app/domain/subscriptions/checkout/commands/open-checkout.server.ts";
import { loadAgreedTrial, writeTrialStart } from "./start-trial.server.ts";
import type { StartedTrial, TrialCheckout } from "./start-trial.server.ts";
import { setUpTrialCard } from "./setup.server.ts";

export type TrialCheckoutOutcome =
  | StartedTrial
  /** The bank asks the member to confirm the card first. */
  | { kind: "confirm"; setupId: string; nextActionUrl: string | null }
  /** A payment for the same page was already in progress. */
  | { kind: "joined"; joined: JoinedCheckout };

/**
 * Starts the trial of a plan. Nothing is charged, a seat is held, and the coupon waits for the
 * first payment. With a card, the member consents to the first charge at the end. A saved card is
 * only named. A typed card is first saved at the provider, which may ask its owner (3DS). Without a
 * card the trial just ends, with a Pix code sent before where Pix is offered. One trial per person,
 * CPF and page for ever, and none after a subscription: the database refuses it. Refuses what a
 * paid checkout refuses, and TrialTaxIdMissing, TrialUsed, TrialChanged, TooManyTrials,
 * TooManyTrialCards, TrialCardMissing, TrialCardUnconfirmed. Source: domain rules,
 * "Subscriptions".
 */
export async function startTrial(
  ctx: Context,
  checkout: TrialCheckout,
): Promise<TrialCheckoutOutcome> {
  const agreed = await loadAgreedTrial(ctx, checkout, null);
  const { open, joined } = await resolveOpenSubscription(ctx, checkout, agreed.offer, () => ({
    method: checkout.method,
    amountCents: null,
    hasCardToken: false,
  }));
  if (joined) return { kind: "joined", joined: toCheckoutStart(joined) };
  if (renewsBySavedMethod(checkout.method) && !checkout.savedMethodId)
    return await setUpTrialCard(ctx, checkout, agreed);
  // The canceled checkout released its seat and its coupon.
  return await writeTrialStart(ctx, checkout, { agreed: open ? null : agreed });
}
