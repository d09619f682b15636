import { eq, sql } from "drizzle-orm";
import { listableTo, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { mediaKey, variantsOf } from "#app/domain/media/rules.ts";
import type { MediaVariant } from "#app/domain/media/schema.ts";
import { media } from "#drizzle/schema/media.ts";

/** Where the bytes are, and whether anybody at all may have them. */
export type ServableMedia = { key: string; isPublic: boolean };

/**
 * The media that `viewerId` (null for a visitor) may have at this moment, or null: the same answer for what does not exist and
 * for what is not theirs. An avatar or banner is public; an image of a post follows its post, except its face, which follows the card.
 */
export async function mediaFor(
  ctx: Context,
  { viewerId, mediaId, variant }: { viewerId: string | null; mediaId: string; variant: MediaVariant },
): Promise<ServableMedia | null> {
  const now = ctx.now();
  const may = variant === "face" ? listableTo : visibleTo;
  const [row] = await ctx.db
    .select({
      ownerId: media.ownerId,
      purpose: media.purpose,
      isUsed: sql<number>`EXISTS (SELECT 1 FROM post_media used WHERE used.media_id = ${mediaId})`.as("is_used"),
      isTheirs: inPostThat(mediaId, may(viewerId, now)).as("is_theirs"),
      isPublic: inPostThat(mediaId, may(null, now)).as("is_public"),
    })
    .from(media)
    .where(eq(media.id, mediaId))
    .limit(1);
  if (!row || !variantsOf(row.purpose).some((kept) => kept.variant === variant)) return null;
  const key = mediaKey(mediaId, variant);
  if (row.purpose !== "post") return { key, isPublic: true };
  const isOwnDraft = row.isUsed === 0 && viewerId !== null && row.ownerId === viewerId;
  return row.isTheirs === 1 || isOwnDraft ? { key, isPublic: row.isPublic === 1 } : null;
}

function inPostThat(mediaId: string, condition: ReturnType<typeof visibleTo>) {
  return sql<number>`EXISTS (SELECT 1 FROM post_media JOIN posts ON posts.id = post_media.post_id WHERE post_media.media_id = ${mediaId} AND ${condition})`;
}
