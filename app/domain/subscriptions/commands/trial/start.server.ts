import type { Context } from "#app/domain/context.ts";
import { startedOf } from "#app/domain/payments/commands/open-attempt.server.ts";
import type { Joined } from "#app/domain/payments/commands/open-attempt.server.ts";
import { renewsBySavedMethod } from "#app/domain/payments/rules/methods.ts";
import { besideOpen } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { agreedTrial, beginTrial } from "./begin.server.ts";
import type { BegunTrial, TrialCheckout } from "./begin.server.ts";
import { setUpCard } from "./setup.server.ts";

export type TrialStarted =
  | BegunTrial
  /** The bank asks its person to confirm the card first. */
  | { kind: "confirm"; setupId: string; nextActionUrl: string | null }
  /** A payment of the same page was on its way already. */
  | { kind: "joined"; joined: Joined };

/**
 * Begins the free days of a plan: nothing is charged, a seat is held, and the coupon waits for the
 * first payment. With a card the person consents to the first charge at their end: a saved one is
 * named, a typed one is kept at the provider first, which may ask its owner (3DS). Without one they
 * just end, with a Pix code sent before where Pix is sold. One for each person, CPF and page for
 * ever, and none for who subscribed before: the database refuses it. Refuses what a paid checkout
 * does, and TrialTaxIdMissing, TrialUsed, TrialChanged, TooManyTrials, TooManyTrialCards,
 * CardNotTyped, CardUnclear. Source: domain rules, "Subscriptions".
 */
export async function startTrial(ctx: Context, checkout: TrialCheckout): Promise<TrialStarted> {
  const agreed = await agreedTrial(ctx, checkout, null);
  const { open, joined } = await besideOpen(ctx, checkout, agreed.offer, () => ({
    method: checkout.method,
    amountCents: null,
    hasCardToken: false,
  }));
  if (joined) return { kind: "joined", joined: startedOf(joined) };
  if (renewsBySavedMethod(checkout.method) && !checkout.savedMethodId)
    return await setUpCard(ctx, checkout, agreed);
  // What was let go freed its seat and its coupon.
  return await beginTrial(ctx, checkout, { agreed: open ? null : agreed });
}
