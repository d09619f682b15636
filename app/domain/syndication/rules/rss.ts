import type { Feed, FeedEntry } from "#app/domain/syndication/schema.ts";
import { element, textElement, xmlDocument } from "./xml.ts";

const NAMESPACES = {
  "xmlns:atom": "http://www.w3.org/2005/Atom",
  "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
};

/** A reader need not poll more often. */
const LIVES_MINUTES = 60;

/**
 * Writes an RSS 2.0 feed with the podcast tags. Source: https://www.rssboard.org/rss-specification
 * and Apple's podcast namespace.
 */
export function rssOf(feed: Feed): string {
  const channel = [
    textElement("title", feed.title),
    textElement("link", feed.homeUrl),
    textElement("description", feed.description),
    textElement("language", "pt-BR"),
    textElement("lastBuildDate", rfc822(feed.updatedAt)),
    textElement("ttl", String(LIVES_MINUTES)),
    element("atom:link", { href: feed.selfUrl, rel: "self", type: "application/rss+xml" }),
    element("image", {}, [
      textElement("url", feed.imageUrl),
      textElement("title", feed.title),
      textElement("link", feed.homeUrl),
    ]),
    textElement("itunes:author", feed.author.name),
    element("itunes:image", { href: feed.imageUrl }),
    textElement("itunes:explicit", "false"),
    ...(feed.isPrivate ? [textElement("itunes:block", "Yes")] : []),
    ...feed.entries.map((entry) => item(entry, feed.author.name)),
  ];
  return xmlDocument(
    element("rss", { version: "2.0", ...NAMESPACES }, [element("channel", {}, channel)]),
  );
}

/** Writes an item. It may have only one enclosure: the first playable file, else the first file. */
function item(entry: FeedEntry, author: string): string {
  const enclosure = entry.attachments.find(({ isPlayed }) => isPlayed) ?? entry.attachments[0];
  return element("item", {}, [
    textElement("title", entry.title),
    textElement("link", entry.url),
    textElement("guid", entry.id, { isPermaLink: "false" }),
    textElement("pubDate", rfc822(entry.publishedAt)),
    textElement("dc:creator", author),
    textElement("description", entry.summary),
    textElement("content:encoded", entry.html),
    ...(enclosure
      ? [
          element("enclosure", {
            url: enclosure.url,
            length: enclosure.sizeBytes,
            type: enclosure.contentType,
          }),
        ]
      : []),
  ]);
}

const rfc822 = (at: number): string => new Date(at).toUTCString();
