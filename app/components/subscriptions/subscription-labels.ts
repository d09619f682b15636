import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { isPaymentDue, canCancel, canWithdraw } from "#app/domain/subscriptions/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";

const TONES: Record<SubscriptionStatus, BadgeTone> = {
  incomplete: "attention",
  upcoming: "neutral",
  trialing: "good",
  active: "good",
  requires_action: "attention",
  past_due: "attention",
  paused: "neutral",
  canceled: "neutral",
  expired: "neutral",
};

/** Colour of a subscription's badge; its label comes from the domain. */
export const subscriptionTone = (status: SubscriptionStatus): BadgeTone => TONES[status];

/** Why a subscription has no payments to show. */
export function nothingPaidText({
  creatorName,
  compEndsAt,
  giftedBy,
  isOnTrial,
}: {
  creatorName: string;
  compEndsAt: Instant | null;
  giftedBy: string | null;
  isOnTrial: boolean;
}): string {
  if (compEndsAt !== null)
    return `É uma cortesia de ${creatorName}: você não paga nada, e não há recibos.`;
  if (giftedBy !== null) return "É um presente: quem deu já pagou, e o recibo é de quem pagou.";
  return isOnTrial
    ? "Os dias grátis não custam nada. Quando houver um pagamento, ele aparece aqui, com o recibo."
    : "Nada foi pago aqui ainda. Quando houver um pagamento, ele aparece aqui, com o recibo.";
}

/**
 * Payment due and the end of access if it stays unpaid. Null when nothing is due, and during the
 * creator's vacation, when nobody is charged.
 */
export function paymentDueText({
  status,
  method,
  accessUntil,
  awayUntil,
}: {
  status: SubscriptionStatus;
  method: PaymentMethod;
  accessUntil: Instant | null;
  awayUntil: Instant | null;
}): string | null {
  if (!isPaymentDue(status) || accessUntil === null || awayUntil !== null) return null;
  const why =
    status === "requires_action"
      ? "O banco quer que você confirme a renovação."
      : methodTexts[method].renewalOwed;
  return `${why} Sem o pagamento, o acesso termina em ${formatDay(accessUntil)}.`;
}

/**
 * Why a dispute blocks a cooling-off refund that was possible otherwise. Null where it is allowed,
 * or never was.
 */
export function coolingOffBlockedText(
  subscription: Parameters<typeof canWithdraw>[0] & { isDisputed: boolean },
  now: Instant,
): string | null {
  if (!subscription.isDisputed || !canWithdraw(subscription, now)) return null;
  const held = "está em contestação no banco, e até ele decidir não dá para";
  if (subscription.status === "upcoming")
    return `O pagamento desta assinatura ${held} cancelar. Se o valor voltar para você, ela não começa; se não voltar, o cancelamento aparece aqui de novo.`;
  return `Um pagamento desta assinatura ${held} desistir e receber tudo de volta.${canCancel(subscription.status) ? " Parar de renovar, você pode a qualquer momento." : ""}`;
}
