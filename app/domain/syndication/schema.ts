import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/** The feed formats of a page, by file name. */
export const FEED_FILES = {
  "rss.xml": "application/rss+xml",
  "atom.xml": "application/atom+xml",
  "feed.json": "application/feed+json",
} as const;
export type FeedFile = keyof typeof FEED_FILES;

export function isFeedFile(text: string): text is FeedFile {
  return Object.hasOwn(FEED_FILES, text);
}

/** A file of an entry. */
export type FeedAttachment = {
  url: string;
  contentType: string;
  sizeBytes: number;
  title: string;
  isPlayed: boolean;
};

/** A post in a feed. */
export type FeedEntry = {
  /** Permanent, even when the author is renamed. */
  id: string;
  url: string;
  title: string;
  /** The summary before it is opened, in plain text. */
  summary: string;
  html: string;
  publishedAt: Instant;
  updatedAt: Instant;
  attachments: FeedAttachment[];
};

/** A page in a feed. Every URL is absolute. */
export type Feed = {
  id: string;
  title: string;
  description: string;
  homeUrl: string;
  selfUrl: string;
  /** A square PNG. */
  imageUrl: string;
  author: { name: string; url: string };
  updatedAt: Instant;
  /** Belongs to one person: directories must not list it. */
  isPrivate: boolean;
  entries: FeedEntry[];
};

/** The reader of a private feed, and its creator. */
export type FeedReader = { feedId: string; personId: string; creatorId: string };

/** How often a person can request a new private address. */
export const FEED_TOKEN_RATE_LIMITS = [{ windowMs: 24 * 60 * 60 * 1_000, limit: 20 }] as const;

export const sitemapKinds = ["creators", "posts", "collections", "events"] as const;
export type SitemapKind = (typeof sitemapKinds)[number];

/** One file of the sitemap. */
export type SitemapPage = { id: number; kind: SitemapKind; changedAt: Instant | null };

/** A path that search engines may index. */
export type SitemapEntry = { path: string; changedAt: Instant | null };

/**
 * The sitemap protocol allows 50,000 in a file. Ours are split earlier, so that a response takes
 * little time and memory.
 */
export const SITEMAP_PAGE_ENTRIES = 10_000;

const pictureKinds = ["space", "post", "collection", "cover", "story"] as const;

/**
 * The preview image of a page, post or collection, or the tall picture of a page for stories: texts
 * that the bundled fonts can draw, and the creator's avatar.
 */
export const pictureSchema = z.object({
  kind: z.enum(pictureKinds),
  title: z.string().max(200),
  line: z.string().max(100),
  handle: z.string().max(300),
  /** The seed of the flag pattern. */
  seed: z.string().max(300),
  avatarMediaId: z.string().nullable(),
  /** The address of the QR code of a picture for stories. */
  address: z.string().max(300).optional(),
});
export type Picture = z.infer<typeof pictureSchema>;

/** Draws pictures and caches them for a while. Null when it cannot. */
export type PictureDrawer = { draw(picture: Picture): Promise<ReadableStream | null> };
