import { z } from "zod";
import { emailSchema, newPasswordSchema, signInSchema } from "#app/domain/identity/schema.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import type { Instant } from "#app/domain/time.ts";

const REQUIRED = IDENTITY_MESSAGES.form_param_nil;

/** Six digits, as they are typed or pasted: spaces and hyphens between them are forgiven. */
export const codeSchema = z
  .string({ error: REQUIRED })
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().min(1, REQUIRED).regex(/^\d{6}$/, IDENTITY_MESSAGES.form_code_incorrect));

const repeated = { path: ["repeatedPassword"], error: "As duas senhas não são iguais." };

/** "Confirmar e-mail" and "Trocar e-mail". */
export const verifyCodeSchema = z.object({ code: codeSchema });
export const newEmailSchema = z.object({ email: emailSchema });

/** "Esqueci minha senha": the e-mail, then the code with the new password, or the link's page with the new password alone. */
export const resetRequestSchema = z.object({ email: emailSchema });
export const resetByCodeSchema = z.object({ code: codeSchema, password: newPasswordSchema });
export const resetByLinkSchema = z.object({ password: newPasswordSchema });

const currentPassword = signInSchema.shape.password;
export const passwordConfirmationSchema = z.object({ currentPassword });
export const passwordChangeSchema = z
  .object({ currentPassword, password: newPasswordSchema, repeatedPassword: z.string({ error: REQUIRED }).min(1, REQUIRED) })
  .refine(({ password, repeatedPassword }) => password === repeatedPassword, repeated);

/** How the account of a session stands: `provedAt` is when its password was last typed, `newEmail` waits for its code. */
export type AccountStanding = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  newEmail: string | null;
  provedAt: Instant;
};

/** What a link leads to. Spec section 4, with `ready` while it waits for the person's "yes". */
export type LinkOutcome = "ready" | "verified" | "expired" | "failed" | "client-mismatch";
