/**
 * Why a form was not accepted: sentences beside fields, one for the whole, where that one leads,
 * and what was typed.
 */
export type FormProblem = {
  errors: Record<string, string>;
  message: string | null;
  link?: { to: string; words: string };
  values: Record<string, string>;
};

/**
 * What a form that cannot be acted upon said. `isWhole` is false when there was more: files,
 * passwords, cards, and a name with several values.
 */
export type Typed = { values: Record<string, string>; isWhole: boolean };

/**
 * A request that nobody could answer, because nobody could tell whose it is. `typed` is what its
 * form said; null for a page.
 */
export type TransportError = { message: string; path: string; typed: Typed | null };
