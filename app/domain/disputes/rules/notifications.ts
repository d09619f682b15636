import type { DisputeMessage } from "#app/domain/disputes/schema/outbox.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import { disputeNotification } from "#app/domain/payments/rules/dispute-notifications.ts";
import { formatMinute } from "#app/domain/time.ts";

/**
 * Notifies the seller who has to answer a dispute. The payments module notifies of the provider's
 * decision.
 */
export const disputeNotifications: NotificationRenderers<DisputeMessage> = {
  "dispute.due": (message) => [
    disputeNotification(message, {
      subject: `Falta pouco para responder à contestação de ${formatMoney(message.amountCents)}`,
      body: `O prazo para responder à contestação de ${formatMoney(message.amountCents)} acaba em ${formatMinute(message.respondBy)}. Sem resposta, o banco costuma devolver o valor a quem pagou.`,
    }),
  ],
  "dispute.answer_refused": (message) => [
    disputeNotification(message, {
      subject: `A resposta à contestação de ${formatMoney(message.amountCents)} não foi aceita`,
      body: `O provedor de pagamento não aceitou a resposta à contestação de ${formatMoney(message.amountCents)}. O banco decide sem ela.`,
    }),
  ],
};
