import { eq, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { describeMediaStatement } from "#app/domain/media/commands/companions.server.ts";
import { MediaNotOwned, TooManyMedia } from "#app/domain/media/errors.ts";
import { ownedMedia } from "#app/domain/media/queries.server.ts";
import { MEDIA_PER_POST_MAX } from "#app/domain/media/rules/limits.ts";
import type { PickedMedia } from "#app/domain/media/schema.ts";
import { postMedia } from "#drizzle/schema/posts.ts";

/** `after` reserves that many positions before the first file. */
type MediaAttachment = { postId: string; ownerId: string; media: PickedMedia[]; after?: number };

/**
 * Builds the writes that replace the files of a post by `media`, in this order. Refuses more than
 * 20 files, and files that are not of `ownerId` or are being swept. A file swept before the batch
 * fails it (`StaleWrite`).
 */
export async function attachMediaStatements(
  ctx: Context,
  { postId, ownerId, media, after = 0 }: MediaAttachment,
): Promise<BatchWrite[]> {
  if (media.length > MEDIA_PER_POST_MAX) throw new TooManyMedia();
  const own = await ownedMedia(ctx, { ownerId, mediaIds: media.map(({ mediaId }) => mediaId) });
  if (own.length !== media.length) throw new MediaNotOwned();
  return [
    ctx.db.delete(postMedia).where(eq(postMedia.postId, postId)),
    ...media.flatMap(({ mediaId, alt }, position) => [
      mustChangeOne(
        ctx.db.insert(postMedia).select(sql`
          SELECT ${postId}, id, CAST(${after + position} AS INTEGER) FROM media WHERE id = ${mediaId} AND owner_id = ${ownerId} AND purpose = 'post' AND swept_at IS NULL`),
      ),
      describeMediaStatement(ctx, { ownerId, mediaId, alt }),
    ]),
  ];
}
