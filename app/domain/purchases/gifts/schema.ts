import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import { paymentFormSchema } from "#app/domain/payments/schema/forms.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Instant } from "#app/domain/time.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { cleanLine, cleanText } from "#app/domain/text.ts";
import type { PurchaseEndReason } from "#app/domain/purchases/schema.ts";

export const GIFT_MESSAGE_MAX = 280;
export const GIFT_NAME_MAX = 80;
const EMAIL_MAX = 254;

/** Reasons why a gift is over: those of every purchase, and that it was not claimed in time. */
export type GiftEndReason =
  | Extract<
      PurchaseEndReason,
      "unpaid" | "given_back" | "regret" | "refunded" | "dispute_lost" | "creator_left"
    >
  | "unclaimed";

/**
 * One period of a plan, paid by one person and claimed by another. Its id is that of the
 * subscription that it becomes.
 */
export type Gift = {
  id: string;
  giverId: string;
  creatorId: string;
  planId: string;
  planPriceId: string;
  interval: Interval;
  amountCents: Cents;
  chargeId: string;
  recipientName: string;
  /** Empty if the giver hands the code over. */
  recipientEmail: string;
  message: string;
  /** When the recipient gets the e-mail; null to send it once paid. */
  deliverAt: Instant | null;
  deliveredAt: Instant | null;
  holdsSeat: boolean;
  createdAt: Instant;
  paidAt: Instant | null;
  /** Until when it can be claimed. */
  claimUntil: Instant | null;
  /** When its net would leave pending, if it were claimed by then. */
  releaseAt: Instant | null;
  claimedAt: Instant | null;
  claimedBy: string | null;
  endedAt: Instant | null;
  endedReason: GiftEndReason | null;
};

/** Reasons of automatic refunds of a gift, as its giver reads them. */
export const giftRefundReasons = {
  not_sold: "O plano saiu de venda antes do pagamento chegar. Devolvemos tudo.",
  no_seat: "O plano lotou antes do pagamento chegar. Devolvemos tudo.",
  payer_leaving: "Você pediu para excluir a conta antes do pagamento chegar. Devolvemos tudo.",
  amount_differs: "O valor pago não era o da cobrança. Devolvemos tudo.",
  unclaimed: "Ninguém resgatou o seu presente em um ano: devolvemos tudo.",
  creator_left: "A página encerrou no Coreto antes do presente ser resgatado: devolvemos tudo.",
} as const;
export type GiftRefundReason = keyof typeof giftRefundReasons;

const typed = (most: number, message: string) =>
  z
    .string()
    .optional()
    .transform((text) => cleanText(text ?? "").trim())
    .pipe(z.string().max(most, message));

/** A day of `<input type="date">`, as its midnight in São Paulo; null if empty. */
const daySchema = z
  .string()
  .default("")
  .transform((day) => day.trim())
  .refine(
    (day) => day === "" || (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))),
    "Escolha um dia do calendário",
  )
  .transform((day): Instant | null => (day === "" ? null : instantOfIsoDay(day)));

/** Form of a gift. The giver may omit the recipient, and hand the code over. */
export const giftSchema = paymentFormSchema
  .extend({
    planPriceId: z.string().regex(/^[0-9a-z-]{1,64}$/, "Escolha um período"),
    recipientName: z
      .string()
      .default("")
      .transform(cleanLine)
      .pipe(z.string().max(GIFT_NAME_MAX, `Use até ${GIFT_NAME_MAX} letras`)),
    recipientEmail: typed(EMAIL_MAX, "Confira o e-mail")
      .pipe(z.union([z.literal(""), z.email("Confira o e-mail")]))
      .transform((email) => email.toLowerCase()),
    message: typed(GIFT_MESSAGE_MAX, `Use até ${GIFT_MESSAGE_MAX} letras`),
    deliverOn: daySchema,
  })
  .superRefine(({ deliverOn, recipientEmail }, check) => {
    if (deliverOn !== null && recipientEmail === "")
      check.addIssue({
        code: "custom",
        path: ["recipientEmail"],
        message: "Para entregar num dia, diga o e-mail de quem recebe",
      });
  });

/** Form by which the giver sends it again. */
export const giftDeliverySchema = z.object({
  recipientEmail: typed(EMAIL_MAX, "Confira o e-mail")
    .pipe(z.email("Confira o e-mail"))
    .transform((email) => email.toLowerCase()),
});
