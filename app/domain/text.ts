/** Characters that turn the text direction, and controls that no keyboard makes. */
const NEVER_SHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const COUNT = new Intl.NumberFormat("pt-BR");
const MARKS_LIMIT = 4;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_LIMIT}})\\p{M}+`, "gu");
const SOMETHING_SEEN = /[^\p{Cf}\p{Z}\p{M}\s]/u;

/**
 * Cleans a typed text for storage. Keeps one kind of line break and at most four marks on a letter.
 * Removes controls and changes of text direction. "Zalgo" text stays readable, and every living
 * script needs fewer marks. Everything visible stays.
 */
export function cleanText(typed: string): string {
  return typed
    .normalize("NFC")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(NEVER_SHOWN, (control) => (control === "\n" || control === "\t" ? control : ""))
    .replaceAll(TOO_MANY_MARKS, "$1");
}

/**
 * Cleans a text of one line, such as a title. Trims it, and returns an empty text when nothing
 * would be visible.
 */
export function cleanLine(typed: string): string {
  const line = cleanText(typed).replaceAll(/\s+/gu, " ").trim();
  return hasVisibleText(line) ? line : "";
}

/** Whether a text has anything visible: spaces, joiners and marks without a letter do not count. */
export function hasVisibleText(text: string): boolean {
  return SOMETHING_SEEN.test(text);
}

/** Quotes a text that somebody wrote. Quotation marks inside of it become single ones. */
export const quoted = (text: string): string =>
  `“${text.replaceAll(/[“„«]|(?<=^|[\s(])"/gu, "‘").replaceAll(/[”»"]/gu, "’")}”`;

/** A count with its noun, in the number that Portuguese wants: "0 comentários", "1 comentário". */
export const counted = (count: number, one: string, many: string): string =>
  `${COUNT.format(count)} ${nounFor(count, one, many)}`;

/** A count with its noun, where one is written out: "Uma regra quebrada", "3 regras quebradas". */
export const countedFromTwo = (count: number, one: string, many: string): string =>
  count === 1 ? one : counted(count, one, many);

/** The noun of a count that is written apart from it. */
export const nounFor = (count: number, one: string, many: string): string =>
  count === 1 ? one : many;
