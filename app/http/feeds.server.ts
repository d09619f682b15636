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

/** Seconds that whoever asks too often is told to wait. */
export const FEED_RETRY_AFTER_SECONDS = "60";
const TOKEN_BYTES = 32;
const TOKEN = /^[0-9a-f]{64}$/;

/** A token that nobody can guess, and what the product keeps of it. */
export async function mintFeedToken(): Promise<{ token: string; tokenHash: string }> {
  const token = hex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  return { token, tokenHash: await sha256Hex(token) };
}

/** What is looked up for a token; null for what is none. */
export async function feedTokenHash(token: string): Promise<string | null> {
  return TOKEN.test(token) ? sha256Hex(token) : null;
}

/** The address of a private feed. */
export const privateFeedPath = (token: string, file: FeedFile): string => `/feed/${token}/${file}`;

/** The feed of a page for everyone, at `file`; null when nobody of that name may be followed. */
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
 * The feed of a page for one subscriber, with addresses of its files that open without a session
 * for as long as the feed lives.
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

/** Players go by the end of an address. */
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

/** A link of a feed has no end of its own: it opens nothing once its feed is over. */
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

/** `text` as the answer to who asks for `file`, named by what it says so that nothing is sent twice. */
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
