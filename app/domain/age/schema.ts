import { z } from "zod";

/**
 * The answer of an age check: whether the person is 18, or unknown (not yet, expired, or a wrong
 * reference).
 */
export type AgeAnswer = "yes" | "no" | "unknown";

/**
 * Verifies whether a person is an adult. It gets the id of the check, never the person's identity
 * here. Its evidence (a document, a face) stays with it, and only a yes or no returns. The product
 * accepts one answer per check.
 */
export type AgeCheck = {
  /** Stored beside the answer. */
  name: string;
  /**
   * Returns the URL of the check. Then the provider redirects the person to `returnTo` with its
   * `reference` added.
   */
  begin(asked: { checkId: string; returnTo: string }): Promise<string>;
  /**
   * Returns the result of the check: "unknown" for a reference that is forged, expired or of
   * another check.
   */
  answer(asked: { checkId: string; reference: string }): Promise<AgeAnswer>;
};

/** The label of an adult page, in its notice. */
export const ADULT_PAGE_LABEL = "Página para maiores de 18 anos";

/** The query parameter of the reference. */
export const REFERENCE_PARAMETER = "reference";

/** The form "Confirmar minha idade". */
export const startAgeCheckSchema = z.object({ to: z.string().optional() });

/** The form "Marcar como página para maiores de 18". */
export const markAdultSchema = z.object({});

/** The form "Tirar a marca". */
export const unmarkAdultSchema = z.object({
  checked: z.literal("on", { error: "Confirme que você conferiu o que está publicado." }),
});
