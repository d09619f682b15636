import { z } from "zod";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import {
  emailSchema,
  nameSchema,
  newPasswordSchema,
  usernameSchema,
} from "#app/domain/identity/schema.ts";
import { birthDateSchema } from "./birth-date.ts";

/**
 * The version of the terms that was shown. Another version than the one in force is refused: nobody
 * read it.
 */
export const termsVersionSchema = z
  .string({
    error: "Para ter uma conta, é preciso aceitar os termos de uso e a política de privacidade.",
  })
  .refine(
    (version) => version === TERMS_VERSION,
    "Os termos mudaram enquanto você preenchia. Leia e aceite a versão em vigor.",
  );

/** The form that accepts a new version of the terms. */
export const termsSchema = z.object({ termsVersion: termsVersionSchema });

/**
 * What every person declares to become a member: the form "Complete o seu perfil", and `POST
 * /api/v1/auth/register`.
 */
export const registrationDetailsSchema = z.object({
  name: nameSchema,
  username: usernameSchema,
  birthDate: birthDateSchema,
  termsVersion: termsVersionSchema,
});
export type RegistrationDetails = z.infer<typeof registrationDetailsSchema>;

/** The same for a person whose provider gave no e-mail. */
export const detailsWithEmailSchema = registrationDetailsSchema.extend({ email: emailSchema });

/** The form "Criar conta". */
export const signUpSchema = registrationDetailsSchema.extend({
  email: emailSchema,
  password: newPasswordSchema,
});
export type SignUp = z.infer<typeof signUpSchema>;
