import { z } from "zod";
import { cleanLine } from "#app/domain/text.ts";

/**
 * Parses one cleaned line of at most `max` characters. A far too long one is refused before it is
 * cleaned.
 */
export function lineSchema(max: number) {
  const message = `Use até ${max} caracteres.`;
  return z
    .string({ error: "Campo obrigatório" })
    .max(max * 20, message)
    .transform(cleanLine)
    .pipe(z.string().max(max, message));
}
