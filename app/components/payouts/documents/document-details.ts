import { isoToDay } from "./document-labels.ts";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { isRenewalPending } from "#app/domain/documents/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

type DocumentDetailsOf = Documents & {
  name: string;
  username: string;
  email: string;
  isOfAge: boolean;
  /** Until when a moderator must answer; null when nothing waits. */
  answerBy: number | null;
};

/** What a seller typed and when, as a moderator compares it with the photos. */
export function documentDetails(documents: DocumentDetailsOf): Detail[] {
  return [
    ...(documents.cnpj
      ? [
          { label: "CNPJ", value: documents.cnpj },
          { label: "Quem responde pela empresa", value: documents.fullName },
        ]
      : []),
    ...(documents.cnpj ? [] : [{ label: "Nome completo", value: documents.fullName }]),
    { label: "CPF", value: documents.cpf },
    {
      label: "Nascimento",
      value: `${isoToDay(documents.birthDate)}${documents.isOfAge ? "" : " (menor de 18)"}`,
    },
    ...(documents.statedBirthDate
      ? [{ label: "Nascimento que disse", value: isoToDay(documents.statedBirthDate) }]
      : []),
    { label: "Perfil", value: `${documents.name} · @${documents.username}` },
    { label: "E-mail", value: documents.email },
    { label: "Enviados em", value: formatMinute(documents.submittedAt) },
    ...(isRenewalPending(documents) && documents.filesAt !== null
      ? [{ label: "Documento novo em", value: formatMinute(documents.filesAt) }]
      : []),
    ...(documents.answerBy !== null
      ? [{ label: "Responder até", value: formatDay(documents.answerBy) }]
      : []),
    ...(documents.expiresOn
      ? [{ label: "Documento válido até", value: isoToDay(documents.expiresOn) }]
      : []),
    ...(documents.rejectionReason
      ? [{ label: "Motivo da recusa", value: documents.rejectionReason }]
      : []),
  ];
}
