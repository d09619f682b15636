import type { Context } from "#app/domain/context.ts";
import {
  EMAIL_PICTURE_LIFETIME_MS,
  MEDIA_LINK_LIFETIME_MS,
  linkUrl,
} from "#app/domain/media/rules/links.ts";
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

/**
 * Returns signed paths of the pictures of `media` for an email to one person, by id. Each is valid
 * for 90 days, and checks the person's access each time.
 */
export async function emailPictureLinks(
  ctx: Context,
  { personId, media }: { personId: string; media: readonly MediaItem[] },
): Promise<Map<string, string>> {
  const expiresAt = ctx.now() + EMAIL_PICTURE_LIFETIME_MS;
  const links = media
    .filter(({ kind }) => kind === "image")
    .map(async ({ id }): Promise<[string, string]> => {
      const link = { mediaId: id, variant: "640" as const, personId, expiresAt };
      return [id, linkUrl(link, await ctx.mediaLinks.sign(link))];
    });
  return new Map(await Promise.all(links));
}
