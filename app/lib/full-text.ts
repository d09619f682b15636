const TERMS_MAX = 8;
const TERM_MAX = 40;
/** A shorter prefix would match almost everything. */
const PREFIX_MIN = 3;

/**
 * Splits a typed search into words of letters and digits of any script. Only these reach the index,
 * so that no quote, operator or bracket is taken for its syntax.
 */
export function searchTerms(query: string): string[] {
  const terms = query.normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return terms
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => [...word].slice(0, TERM_MAX).join(""))
    .slice(0, TERMS_MAX);
}

/**
 * Returns a query for all `terms` in any column. The last one may be incomplete. Null without
 * terms.
 */
export function fullTextQuery(terms: readonly string[]): string | null {
  if (terms.length === 0) return null;
  return terms
    .map((term, index) =>
      index === terms.length - 1 && term.length >= PREFIX_MIN ? `"${term}"*` : `"${term}"`,
    )
    .join(" AND ");
}
