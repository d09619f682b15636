import { z } from "zod";

export const COMP_MONTHS_MAX = 12;

/** The form of a comp; `months` is null for no end. */
export const compSchema = z.object({
  username: z
    .string({ error: "Escreva o nome de usuário" })
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^@/, ""))
    .pipe(
      z
        .string()
        .min(1, "Escreva o nome de usuário")
        .regex(/^[a-z0-9._-]{1,256}$/, "Escreva o nome de usuário, como @ana.lira."),
    ),
  planId: z.string({ error: "Escolha o plano" }).regex(/^[0-9a-z-]{1,64}$/, "Escolha o plano"),
  months: z
    .string({ error: "Escolha por quanto tempo" })
    .refine(
      (text) =>
        text === "" ||
        (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= COMP_MONTHS_MAX),
      "Escolha de 1 a 12 meses, ou sem prazo",
    )
    .transform((text) => (text === "" ? null : Number(text))),
});
