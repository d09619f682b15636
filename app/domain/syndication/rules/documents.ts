import type { Feed, FeedFile } from "#app/domain/syndication/schema.ts";
import { atomOf } from "./atom.ts";
import { jsonFeedOf } from "./json-feed.ts";
import { rssOf } from "./rss.ts";

/** Writes a feed in the format of the requested file. */
export function feedDocument(feed: Feed, file: FeedFile): string {
  return { "rss.xml": rssOf, "atom.xml": atomOf, "feed.json": jsonFeedOf }[file](feed);
}
