import { ptBR } from "@clerk/localizations";
import { errorTexts } from "./error-words.ts";
import { screenTexts } from "./screen-words.ts";

type Words = { [key: string]: string | Words | undefined };

/**
 * Portuguese texts of Clerk's screens. Clerk's translation uses our terms; our texts fill its gaps
 * and follow the spec where it differs.
 */
export const clerkLocalization: Words = merged(inOurWords(ptBR as Words), screenTexts, {
  unstable__errors: errorTexts,
});

/** Replaces "organização" by "equipe". Both are feminine, so no other word changes. */
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
