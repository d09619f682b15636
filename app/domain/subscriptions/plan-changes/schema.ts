import { z } from "zod";

/** The form that schedules a plan change; `beginsAt` and `nextCents` are what the page showed. */
export const planChangeScheduleSchema = z.object({
  beginsAt: z.coerce.number().int(),
  nextCents: z.coerce.number().int(),
});

/** Why a plan change's payment was refunded, as its payer reads it. */
export const planChangeRefundReasons = {
  moved:
    "A assinatura mudou antes do pagamento chegar. Devolvemos tudo, e ela continua como estava.",
  no_seat:
    "O plano novo lotou antes do pagamento chegar. Devolvemos tudo, e a assinatura continua no plano de antes.",
  not_sold:
    "O plano novo saiu de venda antes do pagamento chegar. Devolvemos tudo, e a assinatura continua no plano de antes.",
  amount_differs: "O valor pago não era o da cobrança. Devolvemos tudo.",
  payer_leaving: "Você pediu para excluir a conta antes do pagamento chegar. Devolvemos tudo.",
} as const;

export type PlanChangeRefundReason = keyof typeof planChangeRefundReasons;
