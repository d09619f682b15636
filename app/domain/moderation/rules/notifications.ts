import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";

/**
 * Notifies a person of moderation actions on their account. A banned person gets the e-mail, and
 * reads the rest after the ban.
 */
export const moderationNotifications: NotificationRenderers<ModerationMessage> = {
  "person.banned": (message) => [told(message)],
  "person.unbanned": (message) => [told(message)],
};

function told(message: ModerationMessage): NotificationDraft {
  const base = { personId: message.personId, kind: message.type, path: "/auth/account" };
  if (message.type === "person.unbanned") {
    const body = "A suspensão da sua conta terminou: você já pode entrar.";
    return { ...base, body, mail: { subject: "Sua conta do Coreto voltou", body } };
  }
  const body = `Sua conta foi suspensa: ${message.reason}`;
  const rest =
    "Enquanto isso a sua página não aparece, nada renova e nenhum saque é feito; o seu saldo continua seu. Não concorda, ou quer excluir a conta? Responda a este e-mail.";
  return {
    ...base,
    body,
    mail: { subject: "Sua conta do Coreto foi suspensa", body: `${body}\n\n${rest}` },
  };
}
