import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Told } from "#app/domain/notifications/schema.ts";

type DocumentsMessage = Extract<OutboxMessage, { type: `documents.${string}` }>;

/** What happens to somebody's documents, as they hear it: each time with what there is to do. */
export function documentsTold(message: DocumentsMessage): Told {
  const { subject, body } = wordsOf(message);
  return { personId: message.personId, kind: message.type, body, path: "/settings/check-documents", mail: { subject, body } };
}

function wordsOf(message: DocumentsMessage): { subject: string; body: string } {
  switch (message.type) {
    case "documents.decided":
      if (message.decision === "approved") return { subject: "Documentos aprovados", body: "Seus documentos foram aprovados. Seus saques estão liberados." };
      return { subject: "Precisamos de outros documentos", body: `Seus documentos não foram aceitos: ${message.reason}` };
    case "documents.deadline":
      return message.isMissing ? missingWords(message.deadlineAt) : waitingWords(message.deadlineAt);
    case "documents.ending":
      return {
        subject: "O seu documento está para vencer",
        body: `O documento que você mandou vale até ${dayOf(message.expiresOn)}. Mande um novo antes disso, em Ajustes, Documentos, para os saques não pararem.`,
      };
    case "documents.ended":
      return {
        subject: "O seu documento venceu",
        body: `O documento que você mandou venceu. Mande um novo em Ajustes, Documentos: os saques esperam por ele, e as vendas param se ele não for aprovado até ${formatDay(message.deadlineAt)}.`,
      };
  }
}

function missingWords(deadlineAt: Instant) {
  return {
    subject: "Faltam fotos nos seus documentos",
    body: `Faltam fotos para conferirmos quem você é. Mande em Ajustes, Documentos: sem elas as vendas param em ${formatDay(deadlineAt)}, e os saques não abrem.`,
  };
}

function waitingWords(deadlineAt: Instant) {
  return {
    subject: "Ainda estamos conferindo os seus documentos",
    body: `Recebemos tudo e ainda estamos conferindo. Se não respondermos até ${formatDay(deadlineAt)}, as vendas param até a resposta. Você não precisa fazer nada.`,
  };
}

const dayOf = (iso: string): string => iso.split("-").toReversed().join("/");
