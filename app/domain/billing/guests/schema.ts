import { z } from "zod";
import { emailSchema, nameSchema } from "#app/domain/identity/schema.ts";
import { birthDateSchema } from "#app/domain/identity/registration/schema/birth-date.ts";
import { termsVersionSchema } from "#app/domain/identity/registration/schema/registration.ts";
import { taxIdSchema } from "#app/domain/identity/tax-ids/schema.ts";

/** The details of a buyer without an account. Source: issue 5, "Guest first". */
export const guestSchema = z.object({
  name: nameSchema,
  email: emailSchema,
  taxId: taxIdSchema,
  birthDate: birthDateSchema,
  termsVersion: termsVersionSchema,
});
export type Guest = z.infer<typeof guestSchema>;
