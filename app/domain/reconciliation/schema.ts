import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";

const comparedObjects = ["charge", "refund", "transfer", "dispute", "authorisation"] as const;
export type ComparedObject = (typeof comparedObjects)[number];

/** `ours_missing`: the provider has what we have not; `theirs_missing`: the other way about. */
export const differenceKinds = ["ours_missing", "theirs_missing", "amount", "state"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const differenceStates = ["open", "repaired", "explained"] as const;
export type DifferenceState = (typeof differenceStates)[number];

/**
 * One side of a comparison: its own word for the state, what it is of, and what of that went back
 * (centavos). An authorisation is of each debit's amount, and of zero where it varies.
 */
export type DifferenceSide = {
  status: string;
  amountCents: Cents;
  backCents: Cents;
  /** What the provider kept of it; nothing where it has not said. */ costCents?: Cents | null;
};

/**
 * What a comparison found. `gapCents`: by how much our books say that the provider holds more than
 * it says.
 */
export type Difference = { kind: DifferenceKind; isMoney: boolean; gapCents: Cents };

/**
 * A thing at a provider, as it is found again: the provider's id, the id of our row where it is
 * known, and our reference as the provider keeps it.
 */
export type ReconciledObject = {
  object: ComparedObject;
  objectId: string;
  ourId: string | null;
  reference: string | null;
};

/** Why a difference is none, in the words of who looked. */
export const explanationSchema = z.object({
  note: z
    .string({ error: "Escreva o que você descobriu" })
    .trim()
    .min(10, "Escreva um pouco mais: quem ler depois precisa entender")
    .max(500, "Use até 500 letras"),
});
