import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatMinute } from "#app/domain/time.ts";

export type DisputeMessage = Extract<
  OutboxMessage,
  { type: "charge.disputed" | `dispute.${string}` }
>;

export const isOfDispute = (message: OutboxMessage): message is DisputeMessage =>
  message.type === "charge.disputed" || message.type.startsWith("dispute.");

/**
 * What happens to a disputed payment, as its seller hears it: each time with what they may do, and
 * until when.
 */
export function disputeTold(message: DisputeMessage): Told {
  const money = formatMoney(message.amountCents);
  const told = {
    personId: message.creatorId,
    kind: message.type,
    path: `/settings/transactions/disputes/${message.disputeId}`,
  };
  const words = wordsOf(message, money);
  return {
    ...told,
    body: words.body,
    mail: {
      subject: words.subject,
      body: `${message.description}.\n\n${words.body}\n\nPara ver e responder: Ajustes, Extrato, Contestações.`,
    },
  };
}

function wordsOf(message: DisputeMessage, money: string): { subject: string; body: string } {
  switch (message.type) {
    case "charge.disputed": {
      const who =
        message.disputeKind === "med"
          ? "pediu o Pix de volta pelo banco (MED)"
          : "contestou no cartão";
      const until =
        message.respondBy === null
          ? ""
          : ` Você pode responder até ${formatMinute(message.respondBy)}.`;
      const { paidCents = message.amountCents } = message;
      if (message.amountCents < paidCents)
        return {
          subject: `${money} de um pagamento foram contestados`,
          body: `Quem pagou ${formatMoney(paidCents)} ${who}: a contestação é de ${money}. Essa parte fica bloqueada até a decisão.${until}`,
        };
      return {
        subject: `Um pagamento de ${money} foi contestado`,
        body: `Quem pagou ${money} ${who}. O valor fica bloqueado até a decisão.${until}`,
      };
    }
    case "dispute.due":
      return {
        subject: `Falta pouco para responder à contestação de ${money}`,
        body: `O prazo para responder à contestação de ${money} acaba em ${formatMinute(message.respondBy)}. Sem resposta, o banco costuma devolver o valor a quem pagou.`,
      };
    case "dispute.decided":
      return message.decision === "won"
        ? {
            subject: `Você venceu a contestação de ${money}`,
            body: `O banco decidiu a seu favor: ${formatMoney(message.netCents)} saíram do bloqueado e são seus de novo.`,
          }
        : {
            subject: `A contestação de ${money} foi perdida`,
            body: `O banco devolveu ${money} a quem pagou. Os ${formatMoney(message.netCents)} que estavam bloqueados não voltam para o saldo.`,
          };
    case "dispute.answer_refused":
      return {
        subject: `A resposta à contestação de ${money} não foi aceita`,
        body: `O provedor de pagamento não aceitou a resposta à contestação de ${money}. O banco decide sem ela.`,
      };
  }
}
