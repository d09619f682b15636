/** Replaces the name of a deleted person. */
export const DELETED_NAME = "Conta excluída";

/** Returns the address of a page that people are given: it leads each reader to the right page. */
export function spaceAddress(username: string): string {
  return `/@${username}`;
}

/** Returns the path of a creator's page for everyone. `username` may be as somebody typed it. */
export function publicSpacePath(username: string): string {
  return `/space/${encodeURIComponent(username)}/public`;
}

/**
 * Returns the edit distance of two usernames: steps that insert, delete, replace or swap
 * neighbours.
 */
export function usernameDistance(one: string, other: string): number {
  const row = (length: number) => Array.from({ length }, () => 0);
  const steps = Array.from({ length: one.length + 1 }, () => row(other.length + 1));
  const at = (i: number, j: number) => steps[i]?.[j] ?? 0;
  const put = (i: number, j: number, value: number) => {
    const line = steps[i];
    if (line) line[j] = value;
  };
  for (let i = 0; i <= one.length; i += 1) put(i, 0, i);
  for (let j = 0; j <= other.length; j += 1) put(0, j, j);
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        best = Math.min(best, at(i - 2, j - 2) + 1);
      put(i, j, best);
    }
  }
  return at(one.length, other.length);
}

/** Returns the `candidates` most similar to the typed `username`, nearest first, at most `limit`. */
export function similarUsernames<Candidate extends { username: string; name: string }>(
  username: string,
  candidates: Candidate[],
  limit: number,
): Candidate[] {
  const typed = username.toLowerCase().slice(0, 40);
  const tolerance = Math.max(2, Math.floor(typed.length / 3));
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(candidate, typed) }))
    .filter(({ distance }) => distance <= tolerance)
    .toSorted(
      (one, other) =>
        one.distance - other.distance ||
        one.candidate.username.localeCompare(other.candidate.username),
    )
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** A username that contains the typed one, or is contained in it, is near whatever its length. */
function distanceTo(candidate: { username: string; name: string }, typed: string): number {
  const name = candidate.name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^a-z0-9]/g, "");
  const contains =
    candidate.username.includes(typed) ||
    typed.includes(candidate.username) ||
    name.includes(typed);
  return contains ? 1 : usernameDistance(typed, candidate.username.slice(0, 40));
}
