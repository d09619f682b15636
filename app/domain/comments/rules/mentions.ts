export const MENTION_SUGGESTIONS_MAX = 6;
const TYPED_MAX = 40;

/** What somebody is typing after an "@", up to the caret, and where it begins in the text. */
export type MentionInTyping = { from: number; typed: string };

const IN_TYPING = /(?:^|[^\p{L}\p{N}._@/-])@([\p{L}\p{N}._-]{1,40})$/u;

/**
 * Returns the mention that ends at `caret`; null where none is being typed. An e-mail address is no
 * mention.
 */
export function mentionInTyping(text: string, caret: number): MentionInTyping | null {
  const before = text.slice(Math.max(0, caret - TYPED_MAX - 2), caret);
  const [, typed] = IN_TYPING.exec(before) ?? [];
  return typed === undefined ? null : { from: caret - typed.length - 1, typed };
}

/**
 * Returns the LIKE patterns of what was typed, escaped by a backslash; null when it cannot be the
 * start of a name.
 */
export function mentionPatterns(typed: string): { start: string; word: string } | null {
  if (typed === "" || typed.length > TYPED_MAX) return null;
  const text = typed.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return { start: `${text}%`, word: `% ${text}%` };
}
