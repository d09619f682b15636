import type { PublicProfile } from "#app/domain/profiles/schema.ts";

type Candidate = Pick<PublicProfile, "postsCount" | "bannerMediaId" | "avatarMediaId">;

/**
 * Chooses the creators of the product's first page: who publishes, those with a look of their own
 * first. Otherwise keeps the order of `candidates`.
 */
export function creatorsForFront<Creator extends Candidate>(
  candidates: readonly Creator[],
  limit: number,
): Creator[] {
  const looks = ({ bannerMediaId, avatarMediaId }: Creator) =>
    Number(bannerMediaId !== null) * 2 + Number(avatarMediaId !== null);
  return candidates
    .filter(({ postsCount }) => postsCount > 0)
    .toSorted((one, other) => looks(other) - looks(one))
    .slice(0, limit);
}
