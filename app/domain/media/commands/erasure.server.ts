import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { captionsKey } from "#app/domain/media/queries.server.ts";
import { mediaKey } from "#app/domain/media/rules.ts";
import { mediaVariants } from "#app/domain/media/rules/limits.ts";
import { media, mediaUploads } from "#drizzle/schema/media.ts";

/** Files of a report stay until its evidence is erased; then the sweeper deletes them. */
const isNoEvidence = sql`NOT EXISTS (SELECT 1 FROM report_media stored WHERE stored.media_id = media.id)`;

/**
 * Deletes up to `limit` files of a person, bytes before rows. The next run finds a row without
 * bytes again, but never bytes without a row. Marks open uploads as idle, for the sweeper. Returns
 * the number of files.
 */
export async function eraseMedia(
  ctx: Context,
  { ownerId, limit }: { ownerId: string; limit: number },
): Promise<number> {
  await ctx.db.update(mediaUploads).set({ touchedAt: 0 }).where(eq(mediaUploads.ownerId, ownerId));
  const rows = await ctx.db
    .select({ id: media.id, captionsVersion: media.captionsVersion })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), isNoEvidence))
    .limit(limit);
  if (rows.length === 0) return 0;
  const variants = mediaVariants.filter((variant) => variant !== "captions");
  await ctx.mediaStore.delete(
    rows.flatMap(({ id, captionsVersion }) => [
      ...variants.map((variant) => mediaKey(id, variant)),
      captionsKey(id, captionsVersion),
    ]),
  );
  await ctx.db
    .delete(media)
    .where(
      inArray(
        media.id,
        sql`(SELECT value FROM json_each(${JSON.stringify(rows.map(({ id }) => id))}))`,
      ),
    );
  return rows.length;
}
