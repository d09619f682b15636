import type { Context } from "#app/domain/context.ts";
import { MEDIA_LINK_LIFETIME_MS, linkUrl } from "#app/domain/media/rules/links.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";

/**
 * Returns signed URLs of the videos and audios of `media` for one person's players, by id. Each is
 * valid for 15 minutes, and checks the person's access.
 */
export async function playerLinks(
  ctx: Context,
  { personId, media }: { personId: string; media: MediaItem[] },
): Promise<Record<string, string>> {
  const expiresAt = ctx.now() + MEDIA_LINK_LIFETIME_MS;
  const played = media.filter(({ kind }) => kind === "video" || kind === "audio");
  const links = played.map(async ({ id }) => {
    const link = { mediaId: id, variant: "original" as const, personId, expiresAt };
    return [id, linkUrl(link, await ctx.mediaLinks.sign(link))] as const;
  });
  return Object.fromEntries(await Promise.all(links));
}
