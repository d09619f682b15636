import { z } from "zod";
import { cleanLine } from "#app/domain/text.ts";

/**
 * One line of at most `max` characters, cleaned; what is far too long is refused before any work on
 * it.
 */
export function lineSchema(max: number) {
  const message = `Use até ${max} caracteres.`;
  return z
    .string({ error: "Campo obrigatório" })
    .max(max * 20, message)
    .transform(cleanLine)
    .pipe(z.string().max(max, message));
}
