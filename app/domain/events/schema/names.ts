import { z } from "zod";
import { HOLDER_NAME_MAX, SEATS_PER_PERSON_MAX } from "#app/domain/events/rules.ts";
import { cleanLine } from "#app/domain/text.ts";

const TOO_LONG = `Cada nome pode ter até ${HOLDER_NAME_MAX} caracteres.`;

/** Names on tickets, one a line; blank lines do not count. */
export const namesSchema = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split("\n")
      .map(cleanLine)
      .filter((name) => name !== ""),
  )
  .pipe(
    z
      .array(z.string().max(HOLDER_NAME_MAX, TOO_LONG))
      .max(SEATS_PER_PERSON_MAX, `Escreva até ${SEATS_PER_PERSON_MAX} nomes.`),
  );

/** The form of the name on one ticket; blank for the person's own. */
export const holderNameSchema = z.object({
  name: z
    .string()
    .default("")
    .transform(cleanLine)
    .pipe(z.string().max(HOLDER_NAME_MAX, TOO_LONG))
    .transform((name) => (name === "" ? null : name)),
});
