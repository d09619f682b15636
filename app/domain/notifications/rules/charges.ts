import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";

type ChargeMessage = Extract<OutboxMessage, { type: "charge.refunded" | "charge.refund_refused" }>;

/** What happened to a payment after it was made: its payer hears of its money. */
export function chargeTold(message: ChargeMessage): Told {
  const money = formatMoney(message.amountCents);
  const told = { kind: message.type, path: `/settings/transactions/${message.chargeId}` };
  switch (message.type) {
    case "charge.refunded":
      return { ...told, personId: message.payerId, body: `Devolvemos ${money}: ${message.description}.`, mail: { subject: `Devolvemos ${money}`, body: `${message.description}.\n\n${message.reason}` } };
    case "charge.refund_refused":
      return {
        ...told,
        personId: message.payerId,
        body: `Ainda não conseguimos devolver ${money}: ${message.description}. O dinheiro é seu, e nossa equipe já foi avisada.`,
        mail: {
          subject: `A devolução de ${money} atrasou`,
          body: `${message.description}.\n\nO provedor de pagamento não aceitou a devolução agora. O dinheiro é seu: nossa equipe já foi avisada e vai devolver. Se preferir, responda a este e-mail.`,
        },
      };
  }
}
