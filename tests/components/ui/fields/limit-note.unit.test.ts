import { expect, test } from "vitest";
import { limitNote } from "#app/components/ui/fields/limit-note.ts";

test.each([
  [0, 140, null],
  [125, 140, null],
  [126, 140, "Faltam 14 caracteres."],
  [139, 140, "Falta 1 caractere."],
  [140, 140, "Chegou ao limite de 140 caracteres."],
  [141, 140, "Passou 1 caractere do limite de 140. Encurte para salvar."],
  [49, 60, null],
  [50, 60, "Faltam 10 caracteres."],
  [19_499, 20_000, null],
  [19_500, 20_000, "Faltam 500 caracteres."],
  [21_500, 20_000, "Passou 1.500 caracteres do limite de 20.000. Encurte para salvar."],
])("%d of %d characters: %s", (length, limit, text) => {
  expect(limitNote(length, limit)?.text ?? null).toBe(text);
});
