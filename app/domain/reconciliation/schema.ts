import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";

const comparedObjects = ["charge", "refund", "transfer", "dispute", "authorisation"] as const;
export type ComparedObject = (typeof comparedObjects)[number];

/**
 * `ours_missing`: the provider has an object that we do not have. `theirs_missing`: we have one
 * that the provider does not.
 */
export const differenceKinds = ["ours_missing", "theirs_missing", "amount", "state"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const differenceStates = ["open", "repaired", "explained"] as const;
export type DifferenceState = (typeof differenceStates)[number];

/**
 * One side of a comparison: its own status, its amount, and what of that was refunded or returned
 * (centavos). A mandate has the amount of each debit, and zero where it varies.
 */
export type DifferenceSide = {
  status: string;
  amountCents: Cents;
  backCents: Cents;
  /** The provider's cost; nothing before it is reported. */ costCents?: Cents | null;
};

/**
 * The result of a comparison. `gapCents`: how much more the provider holds by our books than by its
 * own answer.
 */
export type Difference = { kind: DifferenceKind; isMoney: boolean; gapCents: Cents };

/**
 * An object at a provider, as it is found again: the provider's id, the id of our row if known, and
 * our reference as the provider stores it.
 */
export type ReconciledObject = {
  object: ComparedObject;
  objectId: string;
  ourId: string | null;
  reference: string | null;
};

/** The moderator's note of why a difference is none. */
export const explanationSchema = z.object({
  note: z
    .string({ error: "Escreva o que você descobriu" })
    .trim()
    .min(10, "Escreva um pouco mais: quem ler depois precisa entender")
    .max(500, "Use até 500 letras"),
});
