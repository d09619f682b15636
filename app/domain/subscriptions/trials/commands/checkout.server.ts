import type { Context } from "#app/domain/context.ts";
import { toCheckoutStart } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { resolveOpenSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { loadAgreedTrial, writeTrialStart } from "./start-trial.server.ts";
import type { StartedTrial, TrialCheckout } from "./start-trial.server.ts";
import { setUpTrialCard } from "./setup.server.ts";

export type TrialCheckoutOutcome =
  | StartedTrial
  /** The bank asks its person to confirm the card first. */
  | { kind: "confirm"; setupId: string; nextActionUrl: string | null }
  /** A payment of the same page was on its way already. */
  | { kind: "joined"; joined: JoinedCheckout };

/**
 * Begins the free days of a plan: nothing is charged, a seat is held, and the coupon waits for the
 * first payment. With a card the person consents to the first charge at their end: a saved one is
 * named, a typed one is kept at the provider first, which may ask its owner (3DS). Without one they
 * just end, with a Pix code sent before where Pix is sold. One for each person, CPF and page for
 * ever, and none for who subscribed before: the database refuses it. Refuses what a paid checkout
 * does, and TrialTaxIdMissing, TrialUsed, TrialChanged, TooManyTrials, TooManyTrialCards,
 * CardNotTyped, CardUnclear. Source: domain rules, "Subscriptions".
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
  // What was let go freed its seat and its coupon.
  return await writeTrialStart(ctx, checkout, { agreed: open ? null : agreed });
}
