import { z } from "zod";
import { billingDetailsOfPerson } from "#app/domain/billing/details/queries.server.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { taxIdSchema } from "#app/domain/identity/tax-ids/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { taxIdMethods } from "#app/domain/payments/providers/rules/providers.ts";
import {
  chosenMethodSchema,
  methodSchema,
  paymentFormSchema,
} from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { giftSchema } from "#app/domain/purchases/gifts/schema.ts";
import { tipSchema } from "#app/domain/purchases/tips/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import type { TrialCheckoutOutcome } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/schema.ts";
import { zodIssueMessage } from "#app/http/form.ts";
import { nextStepOfCharge } from "./next-step.ts";
import type { PaymentNextStep } from "./next-step.ts";
import { parseCheckoutTarget } from "./checkout-target.ts";

type PaymentPayer = { memberId: string; memberName: string };

/**
 * What a payment form asks for, once its fields are right; gives where its payer goes on. Refuses
 * as the command behind it.
 */
export type SubmitPayment = (ctx: Context, payer: PaymentPayer) => Promise<PaymentNextStep>;

/**
 * The form of what a payment's address names, a checkout, a plan as a gift, or somebody's tips: its
 * fields, to what is done with them.
 */
export function paymentFormAt(url: string): z.ZodType<SubmitPayment> {
  const [, tipped] = /^\/space\/([^/]+)\/tip\/?$/.exec(new URL(url).pathname) ?? [];
  if (tipped !== undefined)
    return tipSchema.transform(
      (input): SubmitPayment =>
        async (ctx, payer) =>
          nextStepOfCharge(
            await startTip(ctx, { ...payer, ...input, creatorKey: decodeURIComponent(tipped) }),
          ),
    );
  if (/^\/plan\/[^/]+\/gift\/?$/.test(new URL(url).pathname))
    return giftSchema.transform(
      ({ method, ...input }): SubmitPayment =>
        async (ctx, payer) =>
          nextStepOfCharge(await startGift(ctx, { ...payer, ...input, ...method })),
    );
  const wanted = parseCheckoutTarget(url);
  if (wanted.kind === "plan") {
    return checkoutSchema.transform(
      ({ method, trialDays, ...input }): SubmitPayment =>
        async (ctx, payer) => {
          const checkout = { ...payer, ...input, ...method };
          return trialDays === undefined
            ? nextStepOfCharge(await startSubscription(ctx, checkout))
            : trialGoesOnAt(await startTrial(ctx, { ...checkout, trialDays }));
        },
    );
  }
  return paymentFormSchema.transform(
    ({ method, ...input }): SubmitPayment =>
      async (ctx, payer) =>
        nextStepOfCharge(await startPurchase(ctx, { ...payer, ...wanted, ...input, ...method })),
  );
}

/** Where a trial goes on: its own page, or the bank of its card. */
function trialGoesOnAt(trial: TrialCheckoutOutcome): PaymentNextStep {
  switch (trial.kind) {
    case "began":
      return { path: `/settings/subscriptions/${trial.subscriptionId}`, elsewhere: null };
    case "confirm":
      return { path: `/checkout/trial/${trial.setupId}`, elsewhere: trial.nextActionUrl };
    case "joined":
      return nextStepOfCharge(trial.joined);
  }
}

/**
 * The methods for which the payment itself must ask this person for a CPF or CNPJ, while none is
 * kept: who takes them charges nobody without one, or whatever they go on with, free days (`trial`)
 * that are once for each.
 */
export async function methodsNeedingTaxId(
  ctx: Context,
  { personId, trial = null }: { personId: string; trial?: { asksTaxId: boolean } | null },
): Promise<PaymentMethod[]> {
  if (trial) return trial.asksTaxId ? methodSchema.options : [];
  const methods = taxIdMethods(ctx.payments);
  return methods.length > 0 && (await keepsNoTaxId(ctx, { personId })) ? methods : [];
}

/** `methodsNeedingTaxId` of a form that was sent. */
export async function methodsNeedingTaxIdOnSubmit(
  ctx: Context,
  { personId, isTrial }: { personId: string; isTrial: boolean },
): Promise<PaymentMethod[]> {
  return await methodsNeedingTaxId(ctx, {
    personId,
    trial: isTrial ? { asksTaxId: await keepsNoTaxId(ctx, { personId }) } : null,
  });
}

const keepsNoTaxId = async (ctx: Context, who: { personId: string }): Promise<boolean> =>
  (await billingDetailsOfPerson(ctx, who)) === null;

/** `methodsNeedingTaxId` for what is paid by Pix alone. */
export const needsTaxIdForPix = async (ctx: Context, who: { personId: string }): Promise<boolean> =>
  (await methodsNeedingTaxId(ctx, who)).includes("pix");

const taxIdForm = z.object({ taxId: taxIdSchema });
const noTaxId = z.unknown().transform(() => ({ taxId: null }));

/** What a form chooses; one that has no choice is paid by Pix. */
const choiceForm = z.object({
  method: chosenMethodSchema.transform(({ method }) => method).catch("pix"),
});

/**
 * The same form with a CPF or CNPJ where the chosen method is one of `methods`, complained about
 * together.
 */
export function withTaxIdField<Form>(
  payment: z.ZodType<Form>,
  methods: readonly PaymentMethod[],
): z.ZodType<{ form: Form; taxId: TaxId | null }> {
  return z.unknown().transform((fields, check) => {
    const asked = methods.includes(choiceForm.parse(fields).method) ? taxIdForm : noTaxId;
    const [form, said] = [
      payment.safeParse(fields, { error: zodIssueMessage }),
      asked.safeParse(fields, { error: zodIssueMessage }),
    ];
    for (const { path, message } of [...(form.error?.issues ?? []), ...(said.error?.issues ?? [])])
      check.addIssue({ code: "custom", path, message });
    return form.success && said.success ? { form: form.data, ...said.data } : z.NEVER;
  });
}
