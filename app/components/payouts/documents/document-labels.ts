import type { MissingFile } from "#app/domain/documents/files/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { MANUAL_SOURCE } from "#app/domain/documents/registry/rules.ts";
import { DETAILS_VIEW } from "#app/domain/documents/files/rules.ts";
import { DOCUMENT_FILE_LABELS } from "#app/domain/documents/schema/file-kinds.ts";
import type { RegistrySituation } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { nounFor } from "#app/domain/text.ts";

const MISSING_TEXTS: Record<MissingFile, string> = {
  identity: "um documento com foto",
  id_front: "a frente do documento",
  id_back: "o verso do documento",
  selfie: "a selfie",
  company_card: "o cartão CNPJ",
};

/** Text of missing files: "Falta a selfie.", "Faltam um documento com foto e a selfie." */
export function missingFilesText(missing: MissingFile[]): string {
  const texts = missing.map((one) => MISSING_TEXTS[one]);
  return `${nounFor(texts.length, "Falta", "Faltam")} ${new Intl.ListFormat("pt-BR").format(texts)}.`;
}

/** What is missing, and when selling stops without it: "Falta a selfie. Sem isso, a venda para…" */
export const salesEndText = (missing: MissingFile[], endsAt: Instant): string =>
  `${missingFilesText(missing)} Sem isso, a venda para em ${formatDay(endsAt)}.`;

export const isoToDay = (iso: string): string => iso.split("-").toReversed().join("/");

/** Label of a line of "Quem viu". */
export const documentViewLabel = (kind: string): string =>
  kind === DETAILS_VIEW ? "os dados" : DOCUMENT_FILE_LABELS[kind as FileKind];

export const REGISTRY_SITUATION_LABELS: Record<RegistrySituation, string> = {
  regular: "Regular",
  suspended: "Suspenso ou pendente",
  canceled: "Cancelado ou baixado",
  dead: "De quem já morreu",
  not_found: "Não existe",
};

/** Source of a registry answer: a moderator's look-up, or the registry's name. */
export const registrySourceLabel = (source: string, askedByName: string | null): string =>
  source === MANUAL_SOURCE
    ? `conferido à mão${askedByName ? ` por ${askedByName}` : ""}`
    : `cadastro “${source}”`;

/** Status of documents, for staff. */
export const DOCUMENT_STATUS_LABELS = {
  submitted: { label: "Esperando decisão", tone: "attention" },
  contested: { label: "Número em disputa", tone: "attention" },
  approved: { label: "Aprovados", tone: "good" },
  rejected: { label: "Recusados", tone: "refusal" },
} as const;
