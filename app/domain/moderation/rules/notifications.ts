import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import type { ModerationMessage } from "#app/domain/moderation/schema/outbox.ts";
import { formatDay } from "#app/domain/time.ts";

/**
 * Notifies people of moderation actions on their account or content, and reporters of the outcome.
 * A banned person gets the e-mail, and reads the rest after the ban.
 */
export const moderationNotifications: NotificationRenderers<ModerationMessage> = {
  "person.banned": (message) => [moderationNotification(message)],
  "person.unbanned": (message) => [moderationNotification(message)],
  "report.decided": ({ personId, subject, isUpheld }) => [
    reporterNotification(
      "report.decided",
      personId,
      isUpheld
        ? `Conferimos a sua denúncia sobre ${subject} e agimos: havia quebra das regras. Obrigado por avisar.`
        : `Conferimos a sua denúncia sobre ${subject} e não encontramos quebra das regras.`,
    ),
  ],
  "report.appealed": ({ personId, subject, outcome }) => [
    reporterNotification(
      "report.appealed",
      personId,
      outcome === "reversed"
        ? `Houve um recurso sobre ${subject}, que você denunciou, e a decisão foi desfeita.`
        : `Houve um recurso sobre ${subject}, que você denunciou, e a decisão foi mantida.`,
    ),
  ],
  "content.moderated": (message) => [moderated(message)],
  "appeal.decided": (message) => [appealDecided(message)],
};

function reporterNotification(kind: string, personId: string, body: string): NotificationDraft {
  return { personId, kind, body, path: "/settings/reports", mail: null };
}

function moderated({
  personId,
  decision,
  effect,
  rule,
  reason,
  appealPath,
  appealUrl,
  appealUntil,
}: Extract<ModerationMessage, { type: "content.moderated" }>): NotificationDraft {
  const subjects = {
    hide: "Escondemos um conteúdo seu no Coreto",
    warn: "Uma advertência da moderação do Coreto",
    suspend: "Sua conta do Coreto foi suspensa",
    ban: "Sua conta do Coreto foi banida",
  };
  const body = `${effect} Regra: ${rule}. Motivo: ${reason}`;
  const appeal = `Não concorda? Você pode recorrer uma vez, até ${formatDay(appealUntil)}:\n${appealUrl}`;
  return {
    personId,
    kind: "content.moderated",
    body,
    path: appealPath,
    mail: { subject: subjects[decision], body: `${body}\n\n${appeal}` },
  };
}

function appealDecided({
  personId,
  outcome,
  subject,
  reason,
  path,
}: Extract<ModerationMessage, { type: "appeal.decided" }>): NotificationDraft {
  const body =
    outcome === "reversed"
      ? `O seu recurso sobre ${subject} foi aceito e a decisão foi desfeita. ${reason}`
      : `O seu recurso sobre ${subject} não mudou a decisão. ${reason}`;
  return {
    personId,
    kind: "appeal.decided",
    body,
    path,
    mail: { subject: "Decidimos o seu recurso no Coreto", body },
  };
}

function moderationNotification(
  message: Extract<ModerationMessage, { type: "person.banned" | "person.unbanned" }>,
): NotificationDraft {
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
