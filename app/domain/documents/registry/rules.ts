import type { Documents, RegistryAnswer, RegistrySituation } from "#app/domain/documents/schema.ts";
import { isSameName } from "#app/domain/identity/registration/rules/names.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";

/** Rate limits of one moderator's registry queries: each may cost money. */
export const REGISTRY_RATE_LIMITS = [{ windowMs: 3_600_000, limit: 60 }] as const;

/**
 * The source of an answer that no registry gave. A moderator looked at the Receita Federal's own
 * page and declares it.
 */
export const MANUAL_SOURCE = "moderator";

/** Returns the tax ids to look up: the seller's, and for a company its responsible person's too. */
export function taxIdsToCheck({ cpf, cnpj }: Pick<Documents, "cpf" | "cnpj">): TaxId[] {
  return [
    ...(cnpj === null ? [] : [{ taxKind: "cnpj" as const, taxId: cnpj }]),
    { taxKind: "cpf", taxId: cpf },
  ];
}

/**
 * Returns the name that the documents give to a tax id. A CNPJ has the company's, a CPF the
 * person's.
 */
const nameForTaxId = (
  { fullName, companyName }: Pick<Documents, "fullName" | "companyName">,
  { taxKind }: Pick<TaxId, "taxKind">,
): string => (taxKind === "cnpj" ? (companyName ?? "") : fullName);

type StoredRegistryAnswer = TaxId & Pick<RegistryAnswer, "situation" | "name">;

export type TaxIdCheck = TaxId & {
  answer: StoredRegistryAnswer | null;
  /** The registry gives a name, and it differs. */
  isOtherName: boolean;
};

/**
 * Pairs each tax id of the documents with its last answer, given the answers newest first.
 * INVARIANT: nobody is approved unless the last answer about each of their tax ids since submission
 * is `regular` (trigger `documents_approved_regular`). Source: issue 6, "CPF/CNPJ verified";
 * docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
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
      isOtherName: answer?.name ? !isSameName(nameForTaxId(documents, number), answer.name) : false,
    };
  });
}

/** Formats the worst status of the tax ids for the queue. `unasked`: one of them has no answer. */
export function checksLabel(
  checks: readonly TaxIdCheck[],
): "irregular" | "unasked" | "other_name" | "regular" {
  if (firstIrregular(checks)) return "irregular";
  if (checks.some(({ answer }) => answer === null)) return "unasked";
  return checks.some(({ isOtherName }) => isOtherName) ? "other_name" : "regular";
}

/** Returns the first tax id that blocks an approval: answered and not regular. */
export const firstIrregular = (
  checks: readonly TaxIdCheck[],
): (TaxId & { situation: Exclude<RegistrySituation, "regular"> }) | null => {
  for (const { taxKind, taxId, answer } of checks)
    if (answer && answer.situation !== "regular")
      return { taxKind, taxId, situation: answer.situation };
  return null;
};
