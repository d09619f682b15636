import { z } from "zod";
import { cleanLine } from "#app/domain/text.ts";
import { NEWS_TEXT_MAX } from "./rules.ts";
import { internalPath } from "#app/lib/own-path.ts";

const NEWS_PATH_MAX = 200;

/** The form of a piece of news: its sentence, and the page of Coreto where it leads. */
export const productNewsSchema = z.object({
  text: z
    .string({ error: "Escreva a novidade." })
    .transform(cleanLine)
    .pipe(
      z
        .string()
        .min(1, "Escreva a novidade.")
        .max(NEWS_TEXT_MAX, `Use até ${NEWS_TEXT_MAX} caracteres.`),
    ),
  path: z
    .string({ error: "Diga a que página ela leva." })
    .trim()
    .max(NEWS_PATH_MAX, `Use até ${NEWS_PATH_MAX} caracteres.`)
    .refine(
      (path) => internalPath(path, "") === path && path !== "",
      "Use o endereço de uma página do Coreto, a partir da barra: /ajuda.",
    ),
});
