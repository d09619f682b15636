/**
 * Accented letters of Brazilian names and their plain letter, in both cases; combining marks are
 * removed.
 */
export const ACCENTED_LETTERS: readonly [plain: string, accented: string][] = [
  ["a", "áàâãäÁÀÂÃÄ"],
  ["e", "éèêëÉÈÊË"],
  ["i", "íìîïÍÌÎÏ"],
  ["o", "óòôõöÓÒÔÕÖ"],
  ["u", "úùûüÚÙÛÜ"],
  ["c", "çÇ"],
  ["n", "ñÑ"],
  ["", "\u{300}\u{301}\u{302}\u{303}\u{308}\u{327}"],
];

const PLAIN_LETTERS = new Map(
  ACCENTED_LETTERS.flatMap(([plain, accented]) =>
    [...accented].map((letter) => [letter, plain] as const),
  ),
);

/**
 * Folds a name for a search: "José" and "JOSE" are equal. Nothing else is folded, so that
 * `foldedName` of the database gives the same.
 */
export function foldName(text: string): string {
  return [...text]
    .map(
      (letter) =>
        PLAIN_LETTERS.get(letter) ?? letter.replace(/[A-Z]/, (capital) => capital.toLowerCase()),
    )
    .join("");
}
