import { z } from "zod";
import { signInSchema } from "#app/domain/identity/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const PASSKEY_NAME_MAX = 60;
const RESPONSE_MAX = 20_000;

/** An authenticator's answer, as JSON text. WebAuthn rules check it later. */
const responseSchema = z
  .string()
  .max(RESPONSE_MAX)
  .transform((text, refusal): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      refusal.addIssue({ code: "custom", message: "Confira este campo." });
      return z.NEVER;
    }
  })
  .pipe(
    z.looseObject({
      id: z.string().max(2_000),
      response: z.looseObject({ clientDataJSON: z.string() }),
    }),
  );

export const passkeyAnswerSchema = z.object({ response: responseSchema });
export const newPasskeySchema = z.object({
  name: z
    .string({ error: "Campo obrigatório" })
    .trim()
    .min(1, "Campo obrigatório")
    .max(PASSKEY_NAME_MAX, `Use até ${PASSKEY_NAME_MAX} caracteres.`),
  response: responseSchema,
});
export const passkeyStartSchema = z.object({
  name: newPasskeySchema.shape.name,
  /** Of an account without one the form has no such field. */
  currentPassword: signInSchema.shape.password.optional(),
});

export type PasskeyAnswer = z.infer<typeof responseSchema>;
export type Passkey = { id: string; name: string; createdAt: Instant; lastUsedAt: Instant | null };
