import { z } from "zod";

/**
 * What an age check says of somebody: whether they are 18, or that it does not know (yet, any more,
 * or of whom).
 */
export type AgeAnswer = "yes" | "no" | "unknown";

/**
 * Who tells whether somebody is an adult. It learns an id of the check, never who the person is
 * here; what it looks at to know (a document, a face) stays with it, and only its yes or no comes
 * back. The product keeps each check to one answer.
 */
export type AgeCheck = {
  /** Kept beside the answer. */
  name: string;
  /**
   * Where the person goes to be asked. Afterwards the provider sends them to `returnTo` with its
   * `reference` added.
   */
  begin(asked: { checkId: string; returnTo: string }): Promise<string>;
  /** What came of the check: unknown for a reference that is forged, too old or another check's. */
  answer(asked: { checkId: string; reference: string }): Promise<AgeAnswer>;
};

/** What a page for adults is called, in its notice. */
export const ADULT_PAGE_LABEL = "Página para maiores de 18 anos";

/** The name under which the reference comes back. */
export const REFERENCE_PARAMETER = "reference";

/** "Confirmar minha idade". */
export const startAgeCheckSchema = z.object({ to: z.string().optional() });

/** "Marcar como página para maiores de 18". */
export const markAdultSchema = z.object({});

/** "Tirar a marca". */
export const unmarkAdultSchema = z.object({
  checked: z.literal("on", { error: "Confirme que você conferiu o que está publicado." }),
});
