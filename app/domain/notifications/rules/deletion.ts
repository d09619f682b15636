import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";

type DeletionMessage = Extract<
  OutboxMessage,
  { type: `deletion.${string}` | "subscription.closed" }
>;

export const isOfDeletion = (message: OutboxMessage): message is DeletionMessage =>
  message.type.startsWith("deletion.") || message.type === "subscription.closed";

/** What an account that is leaving tells its person, and its subscribers. */
export function deletionTold(message: DeletionMessage): Told {
  if (message.type === "subscription.closed") return closedTold(message);
  const told = { personId: message.personId, kind: message.type, path: "/auth/account/deletion" };
  if (message.type === "deletion.canceled") {
    const body = "A sua conta continua: a exclusão foi cancelada e tudo voltou a ser como antes.";
    return {
      ...told,
      body,
      mail: {
        subject: "A sua conta do Coreto continua",
        body: `${body}\n\nNão foi você? Troque a sua senha e encerre as outras sessões em Conta.`,
      },
    };
  }
  const day = formatDay(message.dueAt);
  const body = `A sua conta será excluída em ${day}. Até lá você pode mudar de ideia.`;
  const subject =
    message.type === "deletion.requested"
      ? `A sua conta será excluída em ${day}`
      : `Faltam 3 dias: a sua conta será excluída em ${day}`;
  const paragraphs = [
    message.type === "deletion.requested"
      ? `Recebemos o pedido para excluir a sua conta do Coreto. Ela será excluída em ${day}.`
      : `A sua conta do Coreto será excluída em ${day}.`,
    ...message.lines,
    `Mudou de ideia, ou não foi você? Entre e escolha “Manter minha conta” até lá: ${message.keepUrl}`,
  ];
  return { ...told, body, mail: { subject, body: paragraphs.join("\n\n") } };
}

/** With money on its way the letter of the refund says the rest. */
function closedTold({
  subscriptionId,
  fanId,
  creatorName,
  planName,
  refundCents,
}: Extract<OutboxMessage, { type: "subscription.closed" }>): Told {
  const body = `A página de ${creatorName} encerrou, e com ela a sua assinatura ${planName}.`;
  return {
    personId: fanId,
    kind: "subscription.closed",
    body:
      refundCents > 0
        ? `${body} Devolvemos ${formatMoney(refundCents)} dos dias que você não usou.`
        : body,
    path: `/settings/subscriptions/${subscriptionId}`,
    mail:
      refundCents > 0
        ? null
        : {
            subject: `A página de ${creatorName} encerrou`,
            body: `${body} Nenhum dia pago ficou sem uso, e nada mais será cobrado.`,
          },
  };
}
