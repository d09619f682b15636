import { ptBR } from "@clerk/localizations";
import { errorTexts } from "./error-words.ts";
import { screenTexts } from "./screen-words.ts";

type Texts = { [key: string]: string | Texts | undefined };

/**
 * Portuguese texts of Clerk's screens. Clerk's translation uses our terms; our texts fill its gaps
 * and follow the spec where it differs.
 */
export const clerkLocalization: Texts = merged(withOurTexts(ptBR as Texts), screenTexts, {
  unstable__errors: errorTexts,
});

/** Replaces "organização" by "equipe". Both are feminine, so no other word changes. */
function withOurTexts(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => {
      if (typeof value === "object") return [key, withOurTexts(value)];
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

function merged(...layers: Texts[]): Texts {
  const result: Texts = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const translated = result[key];
      if (value === undefined) continue;
      result[key] =
        typeof value === "object"
          ? merged(typeof translated === "object" ? translated : {}, value)
          : value;
    }
  }
  return result;
}
