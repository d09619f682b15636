import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { z } from "zod";
import { billingDetailsOfPerson } from "#app/domain/billing/details/queries.server.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { taxIdSchema } from "#app/domain/identity/tax-ids/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { taxIdMethods } from "#app/domain/payments/providers/rules/providers.ts";
import { chosenMethodSchema, paymentFormSchema } from "#app/domain/payments/schema/forms.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { giftSchema } from "#app/domain/purchases/gifts/schema.ts";
import { tipSchema } from "#app/domain/purchases/tips/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import type { TrialCheckoutOutcome } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/checkout/schema.ts";
import { zodIssueMessage } from "#app/http/form.ts";
import { countedLink } from "#app/http/visits.server.ts";
import { linkMarkOf } from "#app/lib/link-mark.ts";
import { nextStepOfCharge, trialWelcomePath } from "./next-step.ts";
import type { PaymentNextStep } from "./next-step.ts";
import { parseCheckoutTarget } from "./checkout-target.ts";

type PaymentPayer = { memberId: string; memberName: string };

/** Submits a valid payment form; returns where its payer continues. Refuses like its command. */
export type SubmitPayment = (ctx: Context, payer: PaymentPayer) => Promise<PaymentNextStep>;

/**
 * The form of a payment address, a checkout, a plan as a gift, or somebody's tips. Maps its fields
 * to their action.
 */
export function paymentFormAt(url: string, request: Request): z.ZodType<SubmitPayment> {
  const link = countedLink(request, linkMarkOf(new URL(url).searchParams));
  const [, tipped] = /^\/space\/([^/]+)\/tip\/?$/.exec(new URL(url).pathname) ?? [];
  if (tipped !== undefined)
    return tipSchema.transform(
      (input): SubmitPayment =>
        async (ctx, payer) =>
          nextStepOfCharge(
            await startTip(ctx, {
              ...payer,
              ...input,
              creatorKey: decodeURIComponent(tipped),
              link,
            }),
          ),
    );
  if (/^\/plan\/[^/]+\/gift\/?$/.test(new URL(url).pathname))
    return giftSchema.transform(
      ({ method, ...input }): SubmitPayment =>
        async (ctx, payer) =>
          nextStepOfCharge(await startGift(ctx, { ...payer, ...input, ...method, link })),
    );
  const wanted = parseCheckoutTarget(url);
  if (wanted.kind === "plan") {
    return checkoutSchema.transform(
      ({ method, trialDays, ...input }): SubmitPayment =>
        async (ctx, payer) => {
          const checkout = { ...payer, ...input, ...method, link };
          return trialDays === undefined
            ? nextStepOfCharge(await startSubscription(ctx, checkout))
            : trialGoesOnAt(await startTrial(ctx, { ...checkout, trialDays }));
        },
    );
  }
  return paymentFormSchema.transform(
    ({ method, ...input }): SubmitPayment =>
      async (ctx, payer) =>
        nextStepOfCharge(
          await startPurchase(ctx, { ...payer, ...wanted, ...input, ...method, link }),
        ),
  );
}

/** Where a trial continues: on the page of what it opens, or at the card's bank. */
function trialGoesOnAt(trial: TrialCheckoutOutcome): PaymentNextStep {
  switch (trial.kind) {
    case "began":
      return { path: trialWelcomePath(trial), elsewhere: null };
    case "confirm":
      return { path: `/checkout/trial/${trial.setupId}`, elsewhere: trial.nextActionUrl };
    case "joined":
      return nextStepOfCharge(trial.joined);
  }
}

/**
 * The methods that need this person's CPF or CNPJ while none is saved. The provider requires it for
 * a charge, or a trial needs it with any method (`trial`), since each number has one.
 */
export async function methodsNeedingTaxId(
  ctx: Context,
  { personId, trial = null }: { personId: string; trial?: { asksTaxId: boolean } | null },
): Promise<PaymentMethod[]> {
  if (trial) return trial.asksTaxId ? [...PAYMENT_METHODS] : [];
  const methods = taxIdMethods(ctx.payments);
  return methods.length > 0 && (await hasNoTaxId(ctx, { personId })) ? methods : [];
}

/** `methodsNeedingTaxId` of a submitted form. */
export async function methodsNeedingTaxIdOnSubmit(
  ctx: Context,
  { personId, isTrial }: { personId: string; isTrial: boolean },
): Promise<PaymentMethod[]> {
  return await methodsNeedingTaxId(ctx, {
    personId,
    trial: isTrial ? { asksTaxId: await hasNoTaxId(ctx, { personId }) } : null,
  });
}

const hasNoTaxId = async (ctx: Context, who: { personId: string }): Promise<boolean> =>
  (await billingDetailsOfPerson(ctx, who)) === null;

/** `methodsNeedingTaxId` for purchases that only Pix can pay. */
export const needsTaxIdForPix = async (ctx: Context, who: { personId: string }): Promise<boolean> =>
  (await methodsNeedingTaxId(ctx, who)).includes("pix");

const taxIdForm = z.object({ taxId: taxIdSchema });
const noTaxId = z.unknown().transform(() => ({ taxId: null }));

/** The method that a form chooses; without a choice it is Pix. */
const choiceForm = z.object({
  method: chosenMethodSchema.transform(({ method }) => method).catch("pix"),
});

/** The same form with a CPF or CNPJ if the chosen method is one of `methods`, validated together. */
export function withTaxIdField<Form>(
  payment: z.ZodType<Form>,
  methods: readonly PaymentMethod[],
): z.ZodType<{ form: Form; taxId: TaxId | null }> {
  return z.unknown().transform((fields, check) => {
    const asked = methods.includes(choiceForm.parse(fields).method) ? taxIdForm : noTaxId;
    const [form, taxIdFields] = [
      payment.safeParse(fields, { error: zodIssueMessage }),
      asked.safeParse(fields, { error: zodIssueMessage }),
    ];
    for (const { path, message } of [
      ...(form.error?.issues ?? []),
      ...(taxIdFields.error?.issues ?? []),
    ])
      check.addIssue({ code: "custom", path, message });
    return form.success && taxIdFields.success ? { form: form.data, ...taxIdFields.data } : z.NEVER;
  });
}
