import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { MediaPurpose } from "#app/domain/media/schema.ts";
import { media } from "#drizzle/schema/media.ts";

/** True for rows of `media` of `ownerId` that nothing uses yet, and the sweeper did not claim. */
export const isUnusedOf = (ownerId: string, purpose: MediaPurpose) =>
  and(
    eq(media.ownerId, ownerId),
    eq(media.purpose, purpose),
    sql`${media.unusedSince} IS NOT NULL`,
    isNull(media.sweptAt),
  );

/** Counts those of `mediaIds` that `ownerId` uploaded for `purpose`, and nothing uses yet. */
export async function unusedMediaCount(
  ctx: Context,
  {
    ownerId,
    purpose,
    mediaIds,
  }: { ownerId: string; purpose: MediaPurpose; mediaIds: readonly string[] },
): Promise<number> {
  if (mediaIds.length === 0) return 0;
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(mediaIds)}))`;
  return await ctx.db.$count(media, and(inArray(media.id, listed), isUnusedOf(ownerId, purpose)));
}
