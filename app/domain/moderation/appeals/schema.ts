import { z } from "zod";
import { decisionReasonSchema } from "#app/domain/moderation/reports/schema.ts";
import { cleanText } from "#app/domain/text.ts";

export const APPEAL_MAX = 2_000;

/** The form "Recorrer". */
export const appealSchema = z.object({
  words: z
    .string({ error: "Conte por que a decisão deve mudar." })
    .transform((typed) => cleanText(typed).trim())
    .pipe(
      z
        .string()
        .min(1, "Conte por que a decisão deve mudar.")
        .max(APPEAL_MAX, "Use até 2.000 caracteres."),
    ),
});

/** The signed address of an appeal. */
export const appealAddressSchema = z.object({
  caseId: z.string().regex(/^[0-9a-z-]{1,64}$/),
  signature: z.string().max(128),
});

export const appealOutcomes = ["upheld", "reversed"] as const;
export type AppealOutcome = (typeof appealOutcomes)[number];

/** A moderator's form. */
export const appealDecisionSchema = z.object({
  outcome: z.enum(appealOutcomes, { error: "Escolha uma das opções." }),
  reason: decisionReasonSchema,
});
