import { ptBR } from "@clerk/localizations";
import { errorTexts } from "./error-words.ts";
import { screenTexts } from "./screen-words.ts";

type Words = { [key: string]: string | Words | undefined };

/**
 * Clerk's screens in Portuguese: its own translation in the product's words, and over it what that
 * lacks and what the spec says otherwise.
 */
export const clerkLocalization: Words = merged(inOurWords(ptBR as Words), screenTexts, {
  unstable__errors: errorTexts,
});

/**
 * Here an organisation is a "equipe"; both words are feminine, so that nothing else of a sentence
 * changes.
 */
function inOurWords(words: Words): Words {
  return Object.fromEntries(
    Object.entries(words).map(([key, value]) => {
      if (typeof value === "object") return [key, inOurWords(value)];
      return [
        key,
        value
          ?.replaceAll("rganizações", "rganização\u0000")
          .replaceAll("Organização", "Equipe")
          .replaceAll("organização", "equipe")
          .replaceAll("\u0000", "s"),
      ];
    }),
  );
}

function merged(...layers: Words[]): Words {
  const result: Words = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const known = result[key];
      if (value === undefined) continue;
      result[key] =
        typeof value === "object" ? merged(typeof known === "object" ? known : {}, value) : value;
    }
  }
  return result;
}
