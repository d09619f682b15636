import type { Feed, FeedEntry } from "#app/domain/syndication/schema.ts";
import { element, textElement, xmlDocument } from "./xml.ts";

/** Writes an Atom feed. Source: RFC 4287. */
export function atomOf(feed: Feed): string {
  return xmlDocument(
    element("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "pt-BR" }, [
      textElement("id", feed.id),
      textElement("title", feed.title),
      textElement("subtitle", feed.description),
      textElement("updated", rfc3339(feed.updatedAt)),
      element("link", { rel: "self", type: "application/atom+xml", href: feed.selfUrl }),
      element("link", { rel: "alternate", type: "text/html", href: feed.homeUrl }),
      textElement("logo", feed.imageUrl),
      element("author", {}, [
        textElement("name", feed.author.name),
        textElement("uri", feed.author.url),
      ]),
      ...feed.entries.map(entryElement),
    ]),
  );
}

function entryElement(entry: FeedEntry): string {
  return element("entry", {}, [
    textElement("id", entry.id),
    textElement("title", entry.title),
    textElement("published", rfc3339(entry.publishedAt)),
    textElement("updated", rfc3339(entry.updatedAt)),
    element("link", { rel: "alternate", type: "text/html", href: entry.url }),
    ...entry.attachments.map(({ url, contentType, sizeBytes, title }) =>
      element("link", { rel: "enclosure", type: contentType, length: sizeBytes, title, href: url }),
    ),
    textElement("summary", entry.summary),
    textElement("content", entry.html, { type: "html" }),
  ]);
}

const rfc3339 = (at: number): string => new Date(at).toISOString();
