import type { Context } from "#app/domain/context.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaItem, MediaVariant } from "#app/domain/media/schema.ts";
import { publicFeed } from "#app/domain/syndication/queries/feeds.server.ts";
import type { FeedSource } from "#app/domain/syndication/queries/feeds.server.ts";
import { feedDocument } from "#app/domain/syndication/rules/documents.ts";
import { buildFeed } from "#app/domain/syndication/rules/entries.ts";
import { coverPath } from "#app/domain/syndication/rules/pictures.ts";
import { FEED_FILES } from "#app/domain/syndication/schema.ts";
import type { Feed, FeedFile } from "#app/domain/syndication/schema.ts";
import { hex, sha256Hex } from "#app/lib/digest.ts";

/** Seconds of the Retry-After for too many requests. */
export const FEED_RETRY_AFTER_SECONDS = "60";
const TOKEN_BYTES = 32;
const TOKEN = /^[0-9a-f]{64}$/;

/** Creates a random feed token, and the hash that the product stores. */
export async function mintFeedToken(): Promise<{ token: string; tokenHash: string }> {
  const token = hex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  return { token, tokenHash: await sha256Hex(token) };
}

/** The hash to look up for a token; null for an invalid one. */
export async function feedTokenHash(token: string): Promise<string | null> {
  return TOKEN.test(token) ? sha256Hex(token) : null;
}

/** The address of a private feed. */
export const privateFeedPath = (token: string, file: FeedFile): string => `/feed/${token}/${file}`;

/** The public feed of a page, at `file`; null if no public page has that name. */
export async function publicFeedDocument(
  ctx: Context,
  { username, file }: { username: string; file: FeedFile },
): Promise<{ text: string; username: string } | null> {
  const followed = await publicFeed(ctx, { username });
  if (!followed) return null;
  const { appOrigin: origin } = ctx.settings;
  const selfUrl = `${origin}/space/${followed.profile.username}/${file}`;
  const feed = wholeFeed(followed, {
    origin,
    selfUrl,
    isPrivate: false,
    urlOfFile: (item) => origin + mediaUrl(item.id, shownVariant(item)),
  });
  return { text: feedDocument(feed, file), username: followed.profile.username };
}

/**
 * The feed of a page for one subscriber. Its file addresses need no session while the feed is
 * valid.
 */
export async function privateFeedDocument(
  ctx: Context,
  followed: FeedSource,
  { feedId, token, file }: { feedId: string; token: string; file: FeedFile },
): Promise<string> {
  const { appOrigin: origin } = ctx.settings;
  const open = followed.posts.filter(({ access }) => access.visible).flatMap(({ media }) => media);
  const urls = new Map(
    await Promise.all(
      open.map(
        async (item) => [item.id, origin + (await feedFilePath(ctx, feedId, item))] as const,
      ),
    ),
  );
  const feed = wholeFeed(followed, {
    origin,
    selfUrl: origin + privateFeedPath(token, file),
    isPrivate: true,
    urlOfFile: ({ id }) => urls.get(id) ?? "",
  });
  return feedDocument(feed, file);
}

function wholeFeed(
  { profile, posts }: FeedSource,
  how: Pick<Parameters<typeof buildFeed>[0], "origin" | "selfUrl" | "isPrivate" | "urlOfFile">,
): Feed {
  return buildFeed({ profile, posts, imageUrl: how.origin + coverPath(profile), ...how });
}

const shownVariant = ({ kind }: MediaItem): MediaVariant =>
  kind === "image" ? "1280" : "original";

/** Players rely on the file extension. */
const EXTENSIONS: Record<string, string> = {
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/ogg": "ogg",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "application/pdf": "pdf",
};

async function feedFilePath(ctx: Context, feedId: string, item: MediaItem): Promise<string> {
  const variant = shownVariant(item);
  const extension = item.kind === "image" ? "webp" : (EXTENSIONS[item.contentType] ?? "bin");
  return `/feed/files/${feedId}/${item.id}/${variant}/${await signatureOf(ctx, { feedId, mediaId: item.id, variant })}/arquivo.${extension}`;
}

export type FeedFileRequest = { feedId: string; mediaId: string; variant: MediaVariant };

/** A feed's link has no expiry of its own: it works only while its feed is valid. */
const asLink = ({ feedId, mediaId, variant }: FeedFileRequest) => ({
  mediaId,
  variant,
  personId: `feed:${feedId}`,
  expiresAt: 0,
});

const signatureOf = (ctx: Context, asked: FeedFileRequest): Promise<string> =>
  ctx.mediaLinks.sign(asLink(asked));

export function isFeedFileGenuine(
  ctx: Context,
  asked: FeedFileRequest,
  signature: string,
): Promise<boolean> {
  return ctx.mediaLinks.isGenuine(asLink(asked), signature);
}

/**
 * The response with `text` for `file`, with an ETag of its content, so that unchanged text is not
 * sent again.
 */
export async function textDocumentResponse(
  text: string,
  contentType: string,
  headers: Record<string, string>,
): Promise<Response> {
  return new Response(text, {
    headers: {
      "Content-Type": `${contentType}; charset=utf-8`,
      ETag: `"${(await sha256Hex(text)).slice(0, 32)}"`,
      ...headers,
    },
  });
}

export const feedContentType = (file: FeedFile): string => FEED_FILES[file];
