import { taxIdLabel } from "#app/domain/identity/tax-ids/rules.ts";
import type { DocumentMessage } from "#app/domain/documents/schema/outbox.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Notifies a person of what happens to their documents, each time with what to do. Notifies
 * moderators of an overdue contest.
 */
export const documentNotifications: NotificationRenderers<DocumentMessage> = {
  "documents.decided": (message) => [documentsNotifications(message)],
  "documents.deadline": (message) => [documentsNotifications(message)],
  "documents.ending": (message) => [documentsNotifications(message)],
  "documents.ended": (message) => [documentsNotifications(message)],
  "documents.contest_comes": (message) => [documentsNotifications(message)],
  "documents.contest_over": (message) => [documentsNotifications(message)],
  "documents.contest_late": (message) => {
    const body = `Quem contesta um CPF ou CNPJ mandou tudo e esperava a resposta até ${formatDay(message.answerBy)}. Veja os dois lados e decida.`;
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: `/admin/documents/${message.personId}`,
      mail: null,
    }));
  },
};

type OwnMessage = Exclude<DocumentMessage, { type: "documents.contest_late" }>;

function documentsNotifications(message: OwnMessage): NotificationDraft {
  const { subject, body } = textsOf(message);
  return {
    personId: message.personId,
    kind: message.type,
    body,
    path: "/settings/check-documents",
    mail: { subject, body },
  };
}

function textsOf(message: OwnMessage): {
  subject: string;
  body: string;
} {
  switch (message.type) {
    case "documents.decided":
      if (message.decision === "approved")
        return {
          subject: "Documentos aprovados",
          body: "Seus documentos foram aprovados. Seus saques estão liberados.",
        };
      if (message.approval === "taken_back")
        return {
          subject: "A aprovação dos seus documentos foi retirada",
          body: `Olhamos os seus documentos de novo e retiramos a aprovação: ${message.reason} As vendas param e os saques esperam até outros serem aprovados.`,
        };
      if (message.approval)
        return {
          subject: "O documento novo não serviu",
          body: `O documento novo que você mandou não serviu: ${message.reason} ${standsText(message.approval.until, message.decidedAt)}`,
        };
      return {
        subject: "Precisamos de outros documentos",
        body: `Seus documentos não foram aceitos: ${message.reason}`,
      };
    case "documents.contest_comes":
      return {
        subject: `Outra conta diz que o seu ${taxIdLabel(message.taxKind)} é dela`,
        body: `Outra conta diz que o seu ${taxIdLabel(message.taxKind)} é dela. Nada muda na sua até a moderação conferir os documentos dos dois lados. Se faltam fotos suas em Ajustes, Documentos, mande: são elas que mostram que o número é seu.`,
      };
    case "documents.contest_over":
      return {
        subject: `O seu ${taxIdLabel(message.taxKind)} continua na sua conta`,
        body: `Ninguém mais diz que o seu ${taxIdLabel(message.taxKind)} é de outra conta. Nada mudou na sua, e você não precisa fazer nada.`,
      };
    case "documents.deadline":
      return message.isMissing ? missingText(message.deadlineAt) : waitingText(message.deadlineAt);
    case "documents.ending":
      return {
        subject: "O seu documento está para vencer",
        body: `O documento que você mandou vale até ${dayOf(message.expiresOn)}. Mande um novo antes disso, em Ajustes, Documentos, para os saques não pararem.`,
      };
    case "documents.ended":
      if (message.isSent) {
        return {
          subject: "Ainda estamos conferindo o seu documento novo",
          body: `O documento de antes venceu, e ainda não conferimos o novo que você mandou; a demora é nossa. Os saques esperam por ele, e as vendas param se não respondermos até ${formatDay(message.deadlineAt)}. Você não precisa fazer nada.`,
        };
      }
      return {
        subject: "O seu documento venceu",
        body: `O documento que você mandou venceu. Mande um novo em Ajustes, Documentos: os saques esperam por ele, e as vendas param se ele não for aprovado até ${formatDay(message.deadlineAt)}.`,
      };
  }
}

/** A person whose answer came after their old document expired is not asked for another before then. */
const standsText = (until: string, decidedAt: Instant): string =>
  until < isoDay(decidedAt)
    ? `O de antes venceu em ${dayOf(until)}: os saques esperam por outro.`
    : `O de antes vale até ${dayOf(until)}: mande outro até lá, para os saques não pararem.`;

function missingText(deadlineAt: Instant) {
  return {
    subject: "Faltam fotos nos seus documentos",
    body: `Faltam fotos para conferirmos quem você é. Mande em Ajustes, Documentos: sem elas as vendas param em ${formatDay(deadlineAt)}, e os saques não abrem.`,
  };
}

function waitingText(deadlineAt: Instant) {
  return {
    subject: "Ainda estamos conferindo os seus documentos",
    body: `Recebemos tudo e ainda estamos conferindo. Se não respondermos até ${formatDay(deadlineAt)}, as vendas param até a resposta. Você não precisa fazer nada.`,
  };
}

const dayOf = (iso: string): string => iso.split("-").toReversed().join("/");
