import { z } from "zod";
import { birthDateSchema } from "#app/domain/identity/registration/schema/birth-date.ts";
import { rejectionCodes } from "./rules.ts";

const dayAheadSchema = z
  .string()
  .optional()
  .transform((text) => (text ?? "").trim())
  .pipe(
    z
      .literal("")
      .transform(() => null)
      .or(birthDateSchema),
  );

/**
 * The version of the files that the moderator viewed (`filesAt`, 0 for none). A decision applies to
 * exactly those.
 */
const seenAtSchema = z.coerce.number({ error: "Abra os documentos antes de decidir" }).int();

/** An approval: the last day of the document, where it has one. */
export const approvalSchema = z.object({
  expiresOn: dayAheadSchema,
  seenAt: seenAtSchema,
  /**
   * For contested documents: the approval takes the tax id from this contestant, in this version
   * (`contestVersion`).
   */
  takesFrom: z.string().max(120).optional(),
  /** The moderator looked the tax ids up by hand, because the registry gave no answer. */
  lookedUp: z
    .literal("on")
    .optional()
    .transform((value) => value === "on"),
});

const NOTE_MAX = 300;

export const rejectionSchema = z
  .object({
    code: z.enum(rejectionCodes, { error: "Escolha o motivo" }),
    note: z
      .string()
      .optional()
      .transform((text) => (text ?? "").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim())
      .refine((text) => Array.from(text).length <= NOTE_MAX, `Use até ${NOTE_MAX} letras`),
    seenAt: seenAtSchema,
    /** The birth date that the document shows, where that is the reason. */
    bornOn: dayAheadSchema,
    /** The same date, sent again after the moderator read the resulting age. */
    confirmedBornOn: dayAheadSchema,
  })
  .refine(({ code, bornOn }) => code === "underage" || bornOn === null, {
    path: ["bornOn"],
    error:
      "O nascimento só vale com o motivo “Tem menos de 18 anos”. Apague a data ou troque o motivo.",
  })
  .refine(({ code, bornOn }) => code !== "underage" || bornOn !== null, {
    path: ["bornOn"],
    error: "Diga o nascimento que está no documento",
  })
  .refine(({ code, note }) => code !== "other" || note.length >= 5, {
    path: ["note"],
    error: "Diga o motivo, para a pessoa saber o que corrigir",
  });
