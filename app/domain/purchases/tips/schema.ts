import { z } from "zod";
import { formatMoney, parseMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { chosenMethodSchema, paymentFormSchema } from "#app/domain/payments/schema/forms.ts";
import type { PurchaseEndReason } from "#app/domain/purchases/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { cleanText } from "#app/domain/text.ts";

/** Limits of a tip, in centavos. Source: domain rules, "Plans". */
export const MINIMUM_TIP_CENTS = 500;
export const MAXIMUM_TIP_CENTS = 500_000;
export const TIP_MESSAGE_MAX = 280;

/** Suggested amounts (centavos); any other is typed. */
export const SUGGESTED_TIPS_CENTS = [1_000, 2_000, 5_000] as const;

/** Form value for a typed amount. */
export const OTHER_AMOUNT = "other";

/** Parses an amount typed in reais to centavos, or returns the message for the field. */
export function parseTipAmount(text: string): { cents: Cents } | { problem: string } {
  if (text.trim() === "") return { problem: "Escreva quanto você quer dar" };
  const cents = parseMoney(text);
  if (cents === null) return { problem: "Escreva o valor assim: 25,00" };
  if (cents < MINIMUM_TIP_CENTS)
    return { problem: `O menor apoio é ${formatMoney(MINIMUM_TIP_CENTS)}` };
  return cents > MAXIMUM_TIP_CENTS
    ? { problem: `O maior apoio é ${formatMoney(MAXIMUM_TIP_CENTS)}` }
    : { cents };
}

/** Form of a tip: a suggested amount, or another one typed in reais. */
export const tipSchema = z
  .object({
    amount: z.enum([...SUGGESTED_TIPS_CENTS.map(String), OTHER_AMOUNT], {
      error: "Escolha um valor",
    }),
    other: z.string().max(30, "Escreva o valor assim: 25,00").default(""),
    message: z
      .string()
      .default("")
      .transform(cleanText)
      .pipe(z.string().trim().max(TIP_MESSAGE_MAX, `Use até ${TIP_MESSAGE_MAX} letras`)),
    method: chosenMethodSchema,
    cardToken: paymentFormSchema.shape.cardToken,
    keep: paymentFormSchema.shape.keep,
  })
  .transform(({ amount, other, method, ...rest }, check) => {
    const tip = { ...rest, ...method };
    const typed = amount === OTHER_AMOUNT ? parseTipAmount(other) : { cents: Number(amount) };
    if ("cents" in typed) return { ...tip, amountCents: typed.cents };
    check.addIssue({ code: "custom", path: ["other"], message: typed.problem });
    return z.NEVER;
  });

export type Tip = {
  id: string;
  personId: string;
  creatorId: string;
  chargeId: string;
  amountCents: Cents;
  message: string;
  createdAt: Instant;
  paidAt: Instant | null;
  endedAt: Instant | null;
  endedReason: PurchaseEndReason | null;
};

/** Reasons of automatic refunds of a tip, as its payer reads them. */
export const tipRefundReasons = {
  paid_twice: "Você já tinha mandado este apoio por outro pagamento. Devolvemos este.",
  not_accepted: "Esta página não recebe apoios agora. Devolvemos tudo.",
  payer_leaving: "Você pediu para excluir a conta antes do pagamento chegar. Devolvemos tudo.",
  amount_differs: "O valor pago não era o da cobrança. Devolvemos tudo.",
} as const;
export type TipRefundReason = keyof typeof tipRefundReasons;
