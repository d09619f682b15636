import { z } from "zod";
import {
  emailSchema,
  identifierSchema,
  newPasswordSchema,
  signInSchema,
} from "#app/domain/identity/schema.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import type { Instant } from "#app/domain/time.ts";

const REQUIRED = IDENTITY_MESSAGES.form_param_nil;

/** Six digits, as typed or pasted. Spaces and hyphens between them are accepted. */
export const codeSchema = z
  .string({ error: REQUIRED })
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(
    z
      .string()
      .min(1, REQUIRED)
      .regex(/^\d{6}$/, IDENTITY_MESSAGES.form_code_incorrect),
  );

const repeated = { path: ["repeatedPassword"], error: "As duas senhas não são iguais." };

/** The code that verifies an e-mail or a phone; the e-mail of "Adicionar e-mail". */
export const verifyCodeSchema = z.object({ code: codeSchema });
export const newEmailSchema = z.object({ email: emailSchema });

/** "Esqueci minha senha" and "Entrar com um código": the identifier. */
export const codeRequestSchema = z.object({ identifier: identifierSchema });

/** A new password with the code, or alone on the link's page. */
export const resetByCodeSchema = z.object({ code: codeSchema, password: newPasswordSchema });
export const resetByLinkSchema = z.object({ password: newPasswordSchema });

const isRepeated = ({
  password,
  repeatedPassword,
}: {
  password: string;
  repeatedPassword: string;
}) => password === repeatedPassword;
const newPassword = z.object({
  password: newPasswordSchema,
  repeatedPassword: z.string({ error: REQUIRED }).min(1, REQUIRED),
});
const currentPassword = signInSchema.shape.password;
export const passwordConfirmationSchema = z.object({ currentPassword });
export const passwordChangeSchema = newPassword
  .extend({ currentPassword })
  .refine(isRepeated, repeated);
/** The first password of an account made by an external sign-in. */
export const firstPasswordSchema = newPassword.refine(isRepeated, repeated);

/** The account status of a session. `provedAt` is when its password was last typed. */
export type AccountStatus = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  provedAt: Instant;
};

/** The outcome of a link. Spec section 4, with `ready` while the person has not confirmed. */
export type LinkOutcome = "ready" | "verified" | "expired" | "failed" | "client-mismatch";
