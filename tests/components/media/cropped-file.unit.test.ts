import { expect, test } from "vitest";
import { nameOfCut } from "#app/components/media/cropped-file.ts";

test.each([
  ["retrato da Ana.jpg", "retrato da Ana.webp"],
  ["capa.v2.png", "capa.v2.webp"],
  ["sem-final", "sem-final.webp"],
  [".jpg", "imagem.webp"],
])("a cut of %s is called %s", (name, cut) => {
  expect(nameOfCut(name, "image/webp")).toBe(cut);
});
