import { z } from "zod";
import { billingDetailsOf } from "#app/domain/billing/queries/billing.server.ts";
import { taxIdSchema } from "#app/domain/identity/schema/tax-ids.ts";
import type { Context } from "#app/domain/context.ts";
import { needsTaxId } from "#app/domain/payments/rules/providers.ts";
import { startPurchase } from "#app/domain/purchases/commands/checkout.server.ts";
import { startTip } from "#app/domain/purchases/commands/tips.server.ts";
import { purchaseSchema } from "#app/domain/purchases/schema.ts";
import { tipSchema } from "#app/domain/purchases/schema/tips.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { startTrial } from "#app/domain/subscriptions/commands/start-trial.server.ts";
import type { TrialStarted } from "#app/domain/subscriptions/commands/start-trial.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/schema.ts";
import { inPortuguese } from "#app/http/form.ts";
import { goesOnAt } from "./onward.ts";
import type { Onward } from "./onward.ts";
import { wantedAt } from "./wanted.ts";

type Payer = { memberId: string; memberName: string };

/** What a payment form asks for, once its fields are right; gives where its payer goes on. Refuses as the command behind it. */
export type Pay = (ctx: Context, payer: Payer) => Promise<Onward>;

/** The form of what a payment's address names, a checkout or somebody's tips: its fields, to what is done with them. */
export function paymentAt(url: string): z.ZodType<Pay> {
  const [, tipped] = /^\/space\/([^/]+)\/tip\/?$/.exec(new URL(url).pathname) ?? [];
  if (tipped !== undefined) return tipSchema.transform((input): Pay => async (ctx, payer) => goesOnAt(await startTip(ctx, { ...payer, ...input, creatorKey: decodeURIComponent(tipped) })));
  const wanted = wantedAt(url);
  if (wanted.kind === "plan") {
    return checkoutSchema.transform(({ method, trialDays, ...input }): Pay => async (ctx, payer) => {
      const checkout = { ...payer, ...input, ...method };
      return trialDays === undefined ? goesOnAt(await startSubscription(ctx, checkout)) : trialGoesOnAt(await startTrial(ctx, { ...checkout, trialDays }));
    });
  }
  return purchaseSchema.transform(({ method, ...input }): Pay => async (ctx, payer) => goesOnAt(await startPurchase(ctx, { ...payer, ...wanted, ...input, ...method })));
}

/** Where a trial goes on: its own page, or the bank of its card. */
function trialGoesOnAt(trial: TrialStarted): Onward {
  switch (trial.kind) {
    case "began":
      return { path: `/settings/subscriptions/${trial.subscriptionId}`, elsewhere: null };
    case "confirm":
      return { path: `/checkout/trial/${trial.setupId}`, elsewhere: trial.nextActionUrl };
    case "joined":
      return goesOnAt(trial.joined);
  }
}

/** Whether the payment itself must ask for a CPF or CNPJ: who takes one of its methods charges nobody without one, and none is kept of this person. */
export async function asksTaxId(ctx: Context, { personId }: { personId: string }): Promise<boolean> {
  return needsTaxId(ctx.payments) && (await billingDetailsOf(ctx, { personId })) === null;
}

const taxIdForm = z.object({ taxId: taxIdSchema });

/** The same form with a CPF or CNPJ, complained about together. */
export function withTaxId<Form>(payment: z.ZodType<Form>): z.ZodType<{ form: Form } & z.infer<typeof taxIdForm>> {
  return z.unknown().transform((fields, check) => {
    const [form, said] = [payment.safeParse(fields, { error: inPortuguese }), taxIdForm.safeParse(fields, { error: inPortuguese })];
    for (const { path, message } of [...(form.error?.issues ?? []), ...(said.error?.issues ?? [])]) check.addIssue({ code: "custom", path, message });
    return form.success && said.success ? { form: form.data, ...said.data } : z.NEVER;
  });
}
