import { z } from "zod";
import { signInSchema } from "#app/domain/identity/schema.ts";
import type { Instant } from "#app/domain/time.ts";

const REQUIRED = "Campo obrigatório";
const INCORRECT = "Código incorreto";
const TYPED_MAX = 64;

const typedCode = z
  .string({ error: REQUIRED })
  .max(TYPED_MAX, INCORRECT)
  .transform((typed) => typed.replaceAll(/[\s-]/g, "").toLowerCase());

/** Six digits of an authenticator. Spaces and hyphens between them are accepted. */
export const authenticatorCodeSchema = z.object({
  code: typedCode.pipe(
    z
      .string()
      .min(1, REQUIRED)
      .regex(/^\d{6}$/, INCORRECT),
  ),
});

/** The same, or one of the ten backup codes, which have ten letters and digits. */
export const secondFactorSchema = z.object({
  code: typedCode.pipe(
    z
      .string()
      .min(1, REQUIRED)
      .regex(/^(\d{6}|[a-z0-9]{10})$/, INCORRECT),
  ),
});

/** Every change of the second factor requires it, where the account has one. */
export const currentPasswordSchema = z.object({
  currentPassword: signInSchema.shape.password.optional(),
});

/** The status of a person's second factor. */
export type SecondFactor = { since: Instant; backupCodesLeft: number };
