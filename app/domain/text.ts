/** What turns the direction of everything after it around, and controls that no keyboard makes. */
const NEVER_SHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const MARKS_LIMIT = 4;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_LIMIT}})\\p{M}+`, "gu");
const SOMETHING_SEEN = /[^\p{Cf}\p{Z}\p{M}\s]/u;

/**
 * What somebody typed as it is kept: one kind of line break, no control and no turning of the
 * direction of text, at most four marks on a letter ("zalgo" stays readable; every living script
 * needs fewer). Everything that is seen stays.
 */
export function cleanText(typed: string): string {
  return typed
    .normalize("NFC")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(NEVER_SHOWN, (control) => (control === "\n" || control === "\t" ? control : ""))
    .replaceAll(TOO_MANY_MARKS, "$1");
}

/** `cleanText` of what is one line, as a title: edges trimmed, and empty when nothing would be seen. */
export function cleanLine(typed: string): string {
  const line = cleanText(typed).replaceAll(/\s+/gu, " ").trim();
  return hasVisibleText(line) ? line : "";
}

/**
 * Whether a text has anything that a reader would see: spaces, joiners and marks on nothing are
 * not.
 */
export function hasVisibleText(text: string): boolean {
  return SOMETHING_SEEN.test(text);
}
