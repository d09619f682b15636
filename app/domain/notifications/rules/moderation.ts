import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";

type ModerationMessage = Extract<OutboxMessage, { type: `person.${string}` }>;

export const isOfModeration = (message: OutboxMessage): message is ModerationMessage =>
  message.type.startsWith("person.");

/**
 * What the moderation did to somebody's account. A banned person reads the mail; the rest they find
 * when they are back.
 */
export function moderationTold(message: ModerationMessage): Told {
  const told = { personId: message.personId, kind: message.type, path: "/auth/account" };
  if (message.type === "person.unbanned") {
    const body = "A suspensão da sua conta terminou: você já pode entrar.";
    return { ...told, body, mail: { subject: "Sua conta do Coreto voltou", body } };
  }
  const body = `Sua conta foi suspensa: ${message.reason}`;
  const rest =
    "Enquanto isso a sua página não aparece, nada renova e nenhum saque é feito; o seu saldo continua seu. Não concorda, ou quer excluir a conta? Responda a este e-mail.";
  return {
    ...told,
    body,
    mail: { subject: "Sua conta do Coreto foi suspensa", body: `${body}\n\n${rest}` },
  };
}
