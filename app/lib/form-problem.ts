/**
 * Why a form was refused: messages beside fields, one for the whole form, its link, and what was
 * typed.
 */
export type FormProblem = {
  errors: Record<string, string>;
  message: string | null;
  link?: { to: string; text: string };
  values: Record<string, string>;
};

/**
 * The values of a form that was not processed. `isWhole` is false when there was more: files,
 * passwords and cards. A name of `repeated` had several values: one a line.
 */
export type Typed = { values: Record<string, string>; isWhole: boolean; repeated?: string[] };

/**
 * A request that failed because its session ended, or could not be checked. `typed` has the values
 * of its form; null for a page.
 */
export type TransportError = {
  message: string;
  path: string;
  typed: Typed | null;
  link?: { to: string; text: string };
};
