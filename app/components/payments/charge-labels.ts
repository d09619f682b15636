import type { BadgeTone } from "#app/components/ui/badge.tsx";
import { formatMoney } from "#app/domain/money.ts";
import type { CheckoutRefundTransfer } from "#app/domain/payments/charges/queries/checkout-columns.server.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { subscriptionRefundReasons } from "#app/domain/subscriptions/schema.ts";
import type { SubscriptionRefundReason } from "#app/domain/subscriptions/schema.ts";
import { methodTexts } from "./method-words.ts";

const TEXTS: Record<ChargeStatus, { label: string; tone: BadgeTone }> = {
  created: { label: "Começando", tone: "neutral" },
  awaiting_payment: { label: "Esperando pagamento", tone: "attention" },
  requires_action: { label: "Falta confirmar", tone: "attention" },
  processing: { label: "Em processamento", tone: "attention" },
  succeeded: { label: "Pago", tone: "good" },
  failed: { label: "Recusado", tone: "refusal" },
  expired: { label: "Expirado", tone: "neutral" },
  canceled: { label: "Cancelado", tone: "neutral" },
  partially_refunded: { label: "Devolvido em parte", tone: "neutral" },
  refunded: { label: "Devolvido", tone: "neutral" },
  disputed: { label: "Em contestação", tone: "attention" },
  dispute_won: { label: "Pago, contestação vencida", tone: "good" },
  dispute_lost: { label: "Contestação perdida", tone: "refusal" },
};

/** Label and tone of a charge's status, as a person reads it. */
export const chargeStatusLabel = (status: ChargeStatus): { label: string; tone: BadgeTone } =>
  TEXTS[status];

/**
 * Label of a payment method. `recurringPixId` is set for a charge that a Pix mandate debits, or is
 * asked to.
 */
export const methodLabel = (method: PaymentMethod, recurringPixId: string | null = null): string =>
  recurringPixId === null ? paymentMethods[method].label : methodTexts[method].debitedLabel;

/** Reason of a refund. A reason that a person typed is shown unchanged. */
export function refundReasonLabel(reason: string | null): string {
  const automatic = subscriptionRefundReasons[reason as SubscriptionRefundReason] as
    | string
    | undefined;
  return (
    automatic ??
    OTHER_REASONS[reason ?? ""] ??
    (reason?.includes(" ") ? reason : "Devolvemos este pagamento inteiro.")
  );
}

const OTHER_REASONS: Record<string, string> = {
  regret: "Você se arrependeu dentro dos 7 dias. Devolvemos tudo.",
};

/** Text of a refund transfer, worded as on the payment's own page in the statement. */
export function refundTransferLabel({ status, amountCents }: CheckoutRefundTransfer): string {
  const money = formatMoney(amountCents);
  if (status === "awaiting_key")
    return `${money} estão guardados para você. O Pix foi feito há mais de 90 dias, e o banco não deixa devolver pelo mesmo caminho: falta você informar a sua chave Pix.`;
  return status === "paid"
    ? `O Pix de ${money} foi feito para a chave que você informou.`
    : `O Pix de ${money} está a caminho da sua chave. Avisamos quando chegar.`;
}
