import type { z } from "zod";
import { startPurchase } from "#app/domain/purchases/commands/checkout.server.ts";
import { purchaseSchema } from "#app/domain/purchases/schema.ts";
import type { Context } from "#app/domain/context.ts";
import type { Joined } from "#app/domain/payments/commands/open-attempt.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { startTrial } from "#app/domain/subscriptions/commands/start-trial.server.ts";
import type { TrialStarted } from "#app/domain/subscriptions/commands/start-trial.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/schema.ts";
import { wantedAt } from "./wanted.ts";

type Payer = { memberId: string; memberName: string };

/** What a payment form asks for, once its fields are right; gives where its payer goes on. Refuses as the command behind it. */
export type Pay = (ctx: Context, payer: Payer) => Promise<string>;

/** The form of what a checkout's address names: its fields, to what is done with them. */
export function paymentAt(url: string): z.ZodType<Pay> {
  const wanted = wantedAt(url);
  if (wanted.kind === "plan") {
    return checkoutSchema.transform(({ method, trialDays, ...input }): Pay => async (ctx, payer) => {
      const checkout = { ...payer, ...input, ...method };
      return trialDays === undefined ? goesOnAt(await startSubscription(ctx, checkout)) : trialGoesOnAt(await startTrial(ctx, { ...checkout, trialDays }));
    });
  }
  return purchaseSchema.transform(({ method, ...input }): Pay => async (ctx, payer) => goesOnAt(await startPurchase(ctx, { ...payer, ...wanted, ...input, ...method })));
}

/** Where a payment that was begun goes on: a card without a token is typed, and a 3DS confirmed, on the provider's own page. */
const goesOnAt = ({ chargeId, nextActionUrl }: Joined): string => nextActionUrl ?? `/checkout/${chargeId}`;

/** Where a trial goes on: its own page, or the bank of its card. */
function trialGoesOnAt(trial: TrialStarted): string {
  switch (trial.kind) {
    case "began":
      return `/settings/subscriptions/${trial.subscriptionId}`;
    case "confirm":
      return trial.nextActionUrl ?? `/checkout/trial/${trial.setupId}`;
    case "joined":
      return goesOnAt(trial.joined);
  }
}
