import { searchTerms } from "#app/lib/full-text.ts";
import type { PostKind } from "./schema.ts";
import { usernameDistance } from "#app/domain/profiles/rules.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** The half-life of a like. */
export const HEAT_HALF_LIFE_MS = DAY_MS;
export const LIKE_WEIGHT = 1;
export const COMMENT_WEIGHT = 2;
/** Only this many of a post's latest likes and comments count. */
export const HEAT_EVENTS_MAX = 500;
/** A post that was only liked once stops trending after so many half-lives. */
const RISES_FOR_HALF_LIVES = 10;
const MILLIONTHS = 1_000_000;

export type HeatEvent = { at: Instant; weight: number };

/**
 * Returns a post's heat in millionths: the base-2 logarithm of the weight of its likes and
 * comments. Each weight halves every `HEAT_HALF_LIFE_MS`, measured at the epoch. Null without any.
 * All posts cool at the same rate, so time never changes the order of two. The number is stored,
 * and rewritten only after a like or comment. `refreshDiscovery` computes the same in SQL.
 */
export function heatScore(events: readonly HeatEvent[]): number | null {
  const latest = Math.max(...events.map(({ at }) => at));
  if (events.length === 0) return null;
  const worth = events.reduce(
    (sum, { at, weight }) => sum + weight * 2 ** ((at - latest) / HEAT_HALF_LIFE_MS),
    0,
  );
  return Math.round((latest / HEAT_HALF_LIFE_MS + Math.log2(worth)) * MILLIONTHS);
}

/** Returns the minimum heat at `now` for a post that is still trending. */
export function risingHeatThreshold(now: Instant): number {
  return Math.round((now / HEAT_HALF_LIFE_MS - RISES_FOR_HALF_LIVES) * MILLIONTHS);
}

/** Returns the facet of the rollup that a filter reads. A post has a row for each of its facets. */
export function discoveryFacet({
  category,
  kind,
}: {
  category: CreatorCategory | null;
  kind: PostKind | null;
}): string {
  return (
    [category && `category:${category}`, kind && `kind:${kind}`].filter(Boolean).join(" ") || "all"
  );
}

const PIECE_MIN = 3;
const LONG_WORD = 9;

/**
 * Returns a query of the trigram index for misspelled names. With one mistake one half of a word is
 * right, with two mistakes one third of a long one. Null when no word is long enough.
 */
export function fuzzyTextQuery(terms: readonly string[]): string | null {
  const pieces = terms.map(foldedWord).flatMap(piecesOf);
  return pieces.length === 0
    ? null
    : [...new Set(pieces)].map((piece) => `"${piece}"`).join(" OR ");
}

function piecesOf(word: string): string[] {
  const letters = [...word];
  if (letters.length <= PIECE_MIN) return [];
  const piece = (from: number, to?: number) => letters.slice(from, to).join("");
  if (letters.length >= LONG_WORD) {
    const third = Math.floor(letters.length / 3);
    return [piece(0, third), piece(third, 2 * third), piece(2 * third)];
  }
  const half = Math.max(PIECE_MIN, Math.floor(letters.length / 2));
  return [piece(0, half), piece(-half)];
}

/** Folds a word to lower case, without accents, letters and digits only. */
export function foldedWord(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

type Named = { name: string; username: string; followersCount: number };

/**
 * Returns those of `candidates` whose name or username is similar to `terms`, word for word.
 * Nearest first, then most followed.
 */
export function nearestNames<Candidate extends Named>(
  terms: readonly string[],
  candidates: readonly Candidate[],
  limit: number,
): Candidate[] {
  const wanted = terms.map(foldedWord).filter((term) => term !== "");
  return candidates
    .flatMap((candidate) => {
      const steps = stepsTo(wanted, termsOf(candidate));
      return steps === null ? [] : [{ candidate, steps }];
    })
    .toSorted(
      (one, other) =>
        one.steps - other.steps || other.candidate.followersCount - one.candidate.followersCount,
    )
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

function termsOf({ name, username }: Named): string[] {
  const parts = [...searchTerms(name), ...searchTerms(username)].map(foldedWord);
  return [...new Set([...parts, foldedWord(name), foldedWord(username)])].filter(
    (word) => word !== "",
  );
}

/** Returns the total of mistakes, or null when any word has more than it is allowed. */
function stepsTo(wanted: readonly string[], terms: readonly string[]): number | null {
  let total = 0;
  for (const term of wanted) {
    const best = Math.min(...terms.map((word) => usernameDistance(term, word)));
    if (best > mistakesAllowed(term)) return null;
    total += best;
  }
  return wanted.length === 0 ? null : total;
}

const mistakesAllowed = (term: string): number => (term.length >= 8 ? 2 : term.length >= 4 ? 1 : 0);
