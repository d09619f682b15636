import { foldedWord } from "#app/domain/discovery/rules.ts";

/** A word of a full-text index, folded, and in how many texts it stands. */
export type VocabularyTerm = { term: string; count: number };

/** A shorter word is too close to too many others; a longer one costs too many look-ups. */
const WORD_MIN = 4;
const WORD_MAX = 20;
/** Only so many words of a search are corrected. */
const TERMS_CORRECTED_MAX = 4;
/** At most so many corrected searches are tried. */
const CORRECTIONS_MAX = 6;
const CHOICES_OF_ONLY_WORD = CORRECTIONS_MAX;
const CHOICES_OF_ONE_OF_SEVERAL = 2;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
/** Spellings that sound the same in Portuguese and differ by more than one letter. */
const SOUNDS = [
  ["ss", "c"],
  ["ch", "x"],
  ["qu", "k"],
  ["ph", "f"],
] as const;

/**
 * Returns every spelling that is one mistake away from the folded `word`: a letter missing, added,
 * changed or swapped with the next, or another spelling of a sound. At most 54 for each letter.
 */
export function spellingsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length < WORD_MIN || letters.length > WORD_MAX) return [];
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join("");
    const [here = "", next = ""] = letters.slice(at);
    const after = letters.slice(at + 1).join("");
    for (const letter of LETTERS) found.add(before + letter + here + after);
    if (here === "") continue;
    found.add(before + after);
    for (const letter of LETTERS) found.add(before + letter + after);
    if (next !== "") found.add(before + next + here + letters.slice(at + 2).join(""));
    for (const [one, other] of SOUNDS) {
      if (word.startsWith(one, at)) found.add(before + other + word.slice(at + one.length));
      if (word.startsWith(other, at)) found.add(before + one + word.slice(at + other.length));
    }
  }
  found.delete(word);
  return [...found];
}

/** Returns the words of a search to look up in the indexes, with all their spellings. */
export function spellingProbes(terms: readonly string[]): string[] {
  const foldedTerms = terms.slice(0, TERMS_CORRECTED_MAX).map(foldedWord);
  return [...new Set(foldedTerms.flatMap((word) => [word, ...spellingsOf(word)]))];
}

/**
 * Returns the searches that `terms` may have meant, the likeliest first: one word corrected, of
 * those that no text has before others. With several unknown words, all of them come first. The
 * commonest word wins.
 */
export function correctedSearches(
  terms: readonly string[],
  vocabulary: readonly VocabularyTerm[],
): string[][] {
  const counts = new Map(vocabulary.map(({ term, count }) => [term, count]));
  const foldedTerms = terms.map(foldedWord);
  const corrected = foldedTerms.slice(0, TERMS_CORRECTED_MAX).map((word, at) => ({
    at,
    isKnown: counts.has(word),
    choices: spellingsOf(word)
      .filter((spelling) => counts.has(spelling))
      .toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0)),
  }));
  const most = foldedTerms.length === 1 ? CHOICES_OF_ONLY_WORD : CHOICES_OF_ONE_OF_SEVERAL;
  const ofOne = corrected
    .toSorted((one, other) => Number(one.isKnown) - Number(other.isKnown))
    .flatMap(({ at, choices }) =>
      choices.slice(0, most).map((choice) => foldedTerms.with(at, choice)),
    );
  const unknown = corrected.filter(({ isKnown, choices }) => !isKnown && choices.length > 0);
  const ofAll = unknown.reduce(
    (all, { at, choices }) => all.with(at, choices[0] ?? ""),
    foldedTerms,
  );
  return unknown.length > 1
    ? [ofAll, ...ofOne].slice(0, CORRECTIONS_MAX)
    : ofOne.slice(0, CORRECTIONS_MAX);
}

/** Returns the folded `word` as `text` writes it, in lower case: "musica" as "música". */
export function writtenWord(word: string, text: string): string {
  const written = text
    .match(/[\p{L}\p{N}\p{M}]+/gu)
    ?.find((candidate) => foldedWord(candidate) === word);
  return written?.toLowerCase() ?? word;
}
