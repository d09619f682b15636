import type { MediaItem } from "#app/domain/media/schema.ts";
import { lockText, publicPostPath } from "#app/domain/posts/rules.ts";
import { toPostPreview } from "#app/domain/posts/rules/cards.ts";
import { picturesInText, renderMarkdown } from "#app/domain/posts/rules/markdown.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import type { Feed, FeedAttachment, FeedEntry } from "#app/domain/syndication/schema.ts";
import { escapeXml } from "./xml.ts";

type FeedInput = {
  profile: PublicProfile;
  posts: Post[];
  origin: string;
  selfUrl: string;
  imageUrl: string;
  isPrivate: boolean;
  /** Returns the URL of an open post's file, for the feed's reader. */
  urlOfFile: (item: MediaItem) => string;
};

/**
 * Builds a page's feed: open posts are whole, locked ones have only their card's content. It does
 * not depend on the current time, so that an unchanged feed is identical.
 */
export function buildFeed({
  profile,
  posts,
  origin,
  selfUrl,
  imageUrl,
  isPrivate,
  urlOfFile,
}: FeedInput): Feed {
  const homeUrl = `${origin}/space/${profile.username}/public`;
  const entries = posts.map((post) => entryOf(post, origin, urlOfFile));
  return {
    id: `${origin}/space/${profile.id}`,
    title: isPrivate ? `${profile.name} (feed particular)` : profile.name,
    description: oneLine(profile.bio) || `Publicações de ${profile.name} no Coreto.`,
    homeUrl,
    selfUrl,
    imageUrl,
    author: { name: profile.name, url: homeUrl },
    updatedAt: entries.reduce(
      (latest, entry) => Math.max(latest, entry.updatedAt),
      profile.createdAt,
    ),
    isPrivate,
    entries,
  };
}

function entryOf(post: Post, origin: string, urlOfFile: FeedInput["urlOfFile"]): FeedEntry {
  const url = origin + publicPostPath(post.author.username, post.id);
  const isOpen = post.access.visible && post.content !== null;
  return {
    id: `${origin}/post/${post.id}`,
    url,
    title: post.title,
    summary: oneLine(toPostPreview(post).excerpt) || lockText(post),
    html: isOpen ? openHtml(post, url, urlOfFile) : lockedHtml(post, url),
    publishedAt: post.publishedAt,
    updatedAt: post.editedAt ?? post.publishedAt,
    attachments:
      isOpen && !post.isSensitive
        ? post.media.filter(isAttached).map((item) => attachmentOf(item, post, urlOfFile))
        : [],
  };
}

function openHtml(post: Post, url: string, urlOfFile: FeedInput["urlOfFile"]): string {
  const content = post.content ?? "";
  const inText = post.isSensitive ? [] : picturesInText(content, post.media);
  const text = renderMarkdown(content, {
    heading: 3,
    pictures: inText,
    urlOfPicture: urlOfFile,
  });
  // A feed reader cannot cover sensitive pictures.
  if (post.isSensitive && post.media.length > 0)
    return `${text}<p><a href="${escapeXml(url)}">Conteúdo sensível: abrir no Coreto para ver</a></p>`;
  const images = post.media.filter((item) => item.kind === "image" && !inText.includes(item));
  return (
    text +
    images
      .map(
        (item) =>
          `<p><img src="${escapeXml(urlOfFile(item))}" alt="${escapeXml(item.alt)}" width="${item.width}" height="${item.height}"></p>`,
      )
      .join("")
  );
}

function lockedHtml(post: Post, url: string): string {
  const teaser = post.teaser ? `<p>${escapeXml(post.teaser)}</p>` : "";
  return `${teaser}<p>${escapeXml(lockText(post))} <a href="${escapeXml(url)}">Ver as formas de acesso</a></p>`;
}

const isAttached = ({ kind }: MediaItem): boolean => kind !== "image";

function attachmentOf(
  item: MediaItem,
  post: Post,
  urlOfFile: FeedInput["urlOfFile"],
): FeedAttachment {
  const { contentType, sizeBytes, kind } = item;
  return {
    url: urlOfFile(item),
    contentType,
    sizeBytes,
    title: item.alt || item.filename || post.title,
    isPlayed: kind === "audio" || kind === "video",
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
