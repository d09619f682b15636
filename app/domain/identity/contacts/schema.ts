import { z } from "zod";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { parsePhone } from "#app/domain/identity/contacts/rules/phones.ts";

const REQUIRED = IDENTITY_MESSAGES.form_param_nil;

const PHONE_PROBLEMS = {
  invalid: IDENTITY_MESSAGES.form_param_format_invalid__phone_number,
  impossible: IDENTITY_MESSAGES.phone_number_impossible,
  no_messages: IDENTITY_MESSAGES.phone_number_no_messages,
} as const;

/** The form "Adicionar telefone": typed in any format, stored in E.164. */
export const newPhoneSchema = z.object({
  phone: z
    .string({ error: REQUIRED })
    .trim()
    .min(1, REQUIRED)
    .max(64, PHONE_PROBLEMS.invalid)
    .transform((typed, context) => {
      const read = parsePhone(typed);
      if (read.ok) return read.phone;
      context.addIssue({ code: "custom", message: PHONE_PROBLEMS[read.problem] });
      return z.NEVER;
    }),
});
