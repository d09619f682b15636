import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { DeletionMessage } from "#app/domain/deletion/schema/outbox.ts";

/** Notifies a person of the steps of their account deletion. */
export const deletionNotifications: NotificationRenderers<DeletionMessage> = {
  "deletion.requested": (message) => [deletionNotification(message)],
  "deletion.reminded": (message) => [deletionNotification(message)],
  "deletion.canceled": (message) => [deletionNotification(message)],
};

function deletionNotification(message: DeletionMessage): NotificationDraft {
  const notification = {
    personId: message.personId,
    kind: message.type,
    path: "/auth/account/deletion",
  };
  if (message.type === "deletion.canceled") {
    const body = "A sua conta continua: a exclusão foi cancelada e tudo voltou a ser como antes.";
    return {
      ...notification,
      body,
      mail: {
        subject: "A sua conta do Coreto continua",
        body: `${body}\n\nNão foi você? Troque a sua senha e encerre as outras sessões em Acesso e segurança.`,
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
  return { ...notification, body, mail: { subject, body: paragraphs.join("\n\n") } };
}
