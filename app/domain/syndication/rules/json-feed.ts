import type { Feed, FeedEntry } from "#app/domain/syndication/schema.ts";

/** Writes a JSON Feed 1.1. Source: https://www.jsonfeed.org/version/1.1/ */
export function jsonFeedOf(feed: Feed): string {
  const author = { name: feed.author.name, url: feed.author.url };
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    description: feed.description,
    home_page_url: feed.homeUrl,
    feed_url: feed.selfUrl,
    icon: feed.imageUrl,
    language: "pt-BR",
    authors: [author],
    items: feed.entries.map(itemOf),
  });
}

function itemOf(entry: FeedEntry) {
  const attachments = entry.attachments.map(({ url, contentType, sizeBytes, title }) => ({
    url,
    mime_type: contentType,
    title,
    size_in_bytes: sizeBytes,
  }));
  return {
    id: entry.id,
    url: entry.url,
    title: entry.title,
    summary: entry.summary,
    content_html: entry.html,
    date_published: new Date(entry.publishedAt).toISOString(),
    date_modified: new Date(entry.updatedAt).toISOString(),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}
