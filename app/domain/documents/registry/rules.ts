import type { Documents, RegistryAnswer, RegistrySituation } from "#app/domain/documents/schema.ts";
import { isSameName } from "#app/domain/identity/registration/rules/names.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";

/** Questions that one moderator may ask the registry: each may cost money there. */
export const REGISTRY_RATE_LIMITS = [{ windowMs: 3_600_000, limit: 60 }] as const;

/**
 * The source of an answer that no port gave: a moderator who looked at the Receita Federal's own
 * page and says so.
 */
export const MANUAL_SOURCE = "moderator";

/** What is asked about: who sells, and of a company who is responsible for it too. */
export function taxIdsToCheck({ cpf, cnpj }: Pick<Documents, "cpf" | "cnpj">): TaxId[] {
  return [
    ...(cnpj === null ? [] : [{ taxKind: "cnpj" as const, taxId: cnpj }]),
    { taxKind: "cpf", taxId: cpf },
  ];
}

/**
 * The name that these documents give to a number: the company's for its CNPJ, the person's for
 * their CPF.
 */
const nameBeside = (
  { fullName, companyName }: Pick<Documents, "fullName" | "companyName">,
  { taxKind }: Pick<TaxId, "taxKind">,
): string => (taxKind === "cnpj" ? (companyName ?? "") : fullName);

type StoredRegistryAnswer = TaxId & Pick<RegistryAnswer, "situation" | "name">;

export type TaxIdCheck = TaxId & {
  answer: StoredRegistryAnswer | null;
  /** The name is told, and is another. */ isOtherName: boolean;
};

/**
 * Each number of the documents with its last answer, given the answers newest first. INVARIANT:
 * nobody is approved unless the last answer about each of their numbers since they sent their
 * documents is `regular` (trigger `documents_approved_regular`). Source: issue 6, "CPF/CNPJ
 * verified"; docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
 */
export function taxIdChecks<Answer extends StoredRegistryAnswer>(
  documents: Pick<Documents, "cpf" | "cnpj" | "fullName" | "companyName">,
  answers: readonly Answer[],
): (TaxId & { answer: Answer | null; isOtherName: boolean })[] {
  return taxIdsToCheck(documents).map((number) => {
    const answer =
      answers.find(({ taxKind, taxId }) => taxKind === number.taxKind && taxId === number.taxId) ??
      null;
    return {
      ...number,
      answer,
      isOtherName: answer?.name ? !isSameName(nameBeside(documents, number), answer.name) : false,
    };
  });
}

/**
 * What the queue says in a word: the worst of the numbers. `unasked`: of one of them nothing was
 * answered.
 */
export function checksLabel(
  standings: readonly TaxIdCheck[],
): "irregular" | "unasked" | "other_name" | "regular" {
  if (firstIrregular(standings)) return "irregular";
  if (standings.some(({ answer }) => answer === null)) return "unasked";
  return standings.some(({ isOtherName }) => isOtherName) ? "other_name" : "regular";
}

/** The first that keeps documents from being approved: asked and not regular. */
export const firstIrregular = (
  standings: readonly TaxIdCheck[],
): (TaxId & { situation: Exclude<RegistrySituation, "regular"> }) | null => {
  for (const { taxKind, taxId, answer } of standings)
    if (answer && answer.situation !== "regular")
      return { taxKind, taxId, situation: answer.situation };
  return null;
};
