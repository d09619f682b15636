import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/** The forms in which a page can be followed from elsewhere, by the name of their file. */
export const FEED_FILES = {
  "rss.xml": "application/rss+xml",
  "atom.xml": "application/atom+xml",
  "feed.json": "application/feed+json",
} as const;
export type FeedFile = keyof typeof FEED_FILES;

export function isFeedFile(text: string): text is FeedFile {
  return Object.hasOwn(FEED_FILES, text);
}

/** A file that comes with an entry. */
export type FeedAttachment = {
  url: string;
  contentType: string;
  sizeBytes: number;
  title: string;
  isPlayed: boolean;
};

/** A post as a reader elsewhere gets it. */
export type FeedEntry = {
  /** For ever the same, whatever its author is called. */
  id: string;
  url: string;
  title: string;
  /** What is said before it is opened; plain text. */
  summary: string;
  html: string;
  publishedAt: Instant;
  updatedAt: Instant;
  attachments: FeedAttachment[];
};

/** A page as feeds tell it; every address is whole. */
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
  /** Of one person only: directories must not list it. */
  isPrivate: boolean;
  entries: FeedEntry[];
};

/** A private feed as a request finds it: whose, and of whom. */
export type FeedReader = { feedId: string; personId: string; creatorId: string };

/** How often a person may ask for a new private address. */
export const FEED_TOKEN_RATE_LIMITS = [{ windowMs: 24 * 60 * 60 * 1_000, limit: 20 }] as const;

export const sitemapKinds = ["creators", "posts", "collections"] as const;
export type SitemapKind = (typeof sitemapKinds)[number];

/** One file of the sitemap. */
export type SitemapPage = { id: number; kind: SitemapKind; changedAt: Instant | null };

/** An address that search engines may know. */
export type SitemapEntry = { path: string; changedAt: Instant | null };

/**
 * The sitemap protocol allows 50,000 in a file; ours are cut sooner, so that one is answered in
 * little time and memory.
 */
export const SITEMAP_PAGE_ENTRIES = 10_000;

const pictureKinds = ["space", "post", "collection", "cover"] as const;

/**
 * What is drawn of a page, a post or a collection for who shares it: words that the bundled faces
 * have letters for, and whose face stands beside them.
 */
export const pictureSchema = z.object({
  kind: z.enum(pictureKinds),
  title: z.string().max(200),
  line: z.string().max(100),
  handle: z.string().max(300),
  /** Of the flags. */
  seed: z.string().max(300),
  avatarMediaId: z.string().nullable(),
});
export type Picture = z.infer<typeof pictureSchema>;

/** Draws pictures, and keeps what it drew for a while. Null when it cannot. */
export type PictureDrawer = { draw(picture: Picture): Promise<ReadableStream | null> };
