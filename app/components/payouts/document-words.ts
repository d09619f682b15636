import type { Missing } from "#app/domain/documents/rules/files.ts";
import type { FileKind } from "#app/domain/documents/schema.ts";

export const FILE_WORDS: Record<FileKind, string> = {
  id_front: "Frente do RG ou da CNH",
  id_back: "Verso do RG ou da CNH",
  passport: "Passaporte, a página da foto",
  id_pdf: "RG ou CNH digital, em PDF",
  selfie: "Selfie",
  company_card: "Cartão CNPJ",
};

export const MISSING_WORDS: Record<Missing, string> = {
  identity: "um documento com foto",
  id_front: "a frente do documento",
  id_back: "o verso do documento",
  selfie: "a selfie",
  company_card: "o cartão CNPJ",
};

/** "Falta a selfie.", "Faltam um documento com foto e a selfie." */
export function missingSentence(missing: Missing[]): string {
  const words = missing.map((one) => MISSING_WORDS[one]);
  return `${words.length === 1 ? "Falta" : "Faltam"} ${new Intl.ListFormat("pt-BR").format(words)}.`;
}

export const isoToDay = (iso: string): string => iso.split("-").toReversed().join("/");
