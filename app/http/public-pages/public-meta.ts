import type { MetaDescriptor } from "react-router";
import { postsCountLabel } from "#app/domain/collections/rules.ts";
import type {
  CollectionCreator,
  CollectionEntry,
  CollectionSummary,
} from "#app/domain/collections/schema.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import {
  collectionPicturePath,
  postPicturePath,
  spacePicturePath,
} from "#app/domain/syndication/rules/pictures.ts";
import { FEED_FILES } from "#app/domain/syndication/schema.ts";
import {
  blogPosting,
  breadcrumbs,
  collectionPage,
  organization,
  profilePage,
  structuredData,
  webSite,
} from "./structured-data.ts";

const DESCRIPTION_CHARACTERS = 160;
const NOINDEX: MetaDescriptor = { name: "robots", content: "noindex" };

/** The head of a missing page. */
export const notFoundMeta = (title: string): MetaDescriptor[] => [
  { title: `${title} · Coreto` },
  NOINDEX,
];

type SpaceMetaInput = {
  profile: PublicProfile;
  plans: readonly unknown[];
  origin: string;
  pageUrl: string;
  isFirstPage: boolean;
};

/**
 * The metadata of a creator's page for search engines, chats and feed readers. Only its first part
 * is for indexing: the rest changes with every post. A person who neither publishes nor sells is
 * not indexed.
 */
export function spaceMeta({
  profile,
  plans,
  origin,
  pageUrl,
  isFirstPage,
}: SpaceMetaInput): MetaDescriptor[] {
  const about = [profile.name, profile.craft].filter(Boolean).join(" · ");
  const isEmpty = profile.postsCount === 0 && plans.length === 0;
  const description =
    shortened(profile.bio) || `Publicações e planos de ${profile.name} no Coreto.`;
  return [
    { title: `${about} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...(isFirstPage && !isEmpty ? [] : [{ name: "robots", content: "noindex, follow" }]),
    ...feedLinks(profile),
    ...sharedMeta({
      type: "profile",
      title: profile.name,
      description,
      pageUrl,
      picture: origin + spacePicturePath(profile),
      alt: `Cartão da página de ${profile.name} no Coreto`,
    }),
    { property: "profile:username", content: profile.username },
    structuredData(
      organization(origin),
      webSite(origin),
      profilePage({ profile, origin, pageUrl }),
      breadcrumbs([home(origin), { name: profile.name, url: pageUrl }]),
    ),
  ];
}

type PostMetaInput = { post: PostPreview; origin: string; pageUrl: string };

/** The same for a post. */
export function postMeta({ post, origin, pageUrl }: PostMetaInput): MetaDescriptor[] {
  const description = shortened(post.excerpt) || `Uma publicação de ${post.author.name} no Coreto.`;
  const space = { name: post.author.name, url: `${origin}/space/${post.author.username}/public` };
  return [
    { title: `${post.title} · ${post.author.name} · Coreto` },
    { name: "description", content: description },
    { name: "author", content: post.author.name },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...feedLinks(post.author),
    ...sharedMeta({
      type: "article",
      title: post.title,
      description,
      pageUrl,
      picture: origin + postPicturePath(post),
      alt: `${post.title}, de ${post.author.name}`,
    }),
    { property: "article:published_time", content: new Date(post.publishedAt).toISOString() },
    ...(post.editedAt === null
      ? []
      : [{ property: "article:modified_time", content: new Date(post.editedAt).toISOString() }]),
    { property: "article:author", content: space.url },
    structuredData(
      organization(origin),
      webSite(origin),
      blogPosting({ post, origin, pageUrl, description }),
      breadcrumbs([home(origin), space, { name: post.title, url: pageUrl }]),
    ),
  ];
}

type CollectionMetaInput = {
  collection: CollectionSummary;
  creator: CollectionCreator;
  entries: Pick<CollectionEntry, "number" | "post">[];
  origin: string;
  pageUrl: string;
};

/** The same for a collection. An empty one is not indexed. */
export function collectionMeta({
  collection,
  creator,
  entries,
  origin,
  pageUrl,
}: CollectionMetaInput): MetaDescriptor[] {
  const description =
    shortened(collection.description) ||
    `${postsCountLabel(collection.postsCount)} de ${creator.name} no Coreto, em ordem.`;
  const picture = origin + collectionPicturePath({ collection, creator });
  const space = { name: creator.name, url: `${origin}/space/${creator.username}/public` };
  return [
    { title: `${collection.title} · ${creator.name} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...(collection.postsCount === 0 ? [NOINDEX] : []),
    ...sharedMeta({
      type: "website",
      title: collection.title,
      description,
      pageUrl,
      picture,
      alt: `${collection.title}, coleção de ${creator.name}`,
    }),
    structuredData(
      organization(origin),
      webSite(origin),
      collectionPage({ collection, creator, entries, origin, pageUrl, description, picture }),
      breadcrumbs([home(origin), space, { name: collection.title, url: pageUrl }]),
    ),
  ];
}

type OwnPageMetaInput = { title: string; description: string; origin: string; path: string };

/** The same for a page of the product itself. */
export function productPageMeta({
  title,
  description,
  origin,
  path,
}: OwnPageMetaInput): MetaDescriptor[] {
  return [
    { title: `${title} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: origin + path },
    structuredData(organization(origin), webSite(origin)),
  ];
}

const home = (origin: string) => ({ name: "Coreto", url: `${origin}/` });

/** The links by which readers discover a page's feeds. */
function feedLinks({ username, name }: { username: string; name: string }): MetaDescriptor[] {
  return Object.entries(FEED_FILES).map(([file, type]) => ({
    tagName: "link",
    rel: "alternate",
    type,
    href: `/space/${username}/${file}`,
    title: `${name} (${FORMATS[file]})`,
  }));
}

const FORMATS: Record<string, string> = {
  "rss.xml": "RSS",
  "atom.xml": "Atom",
  "feed.json": "JSON Feed",
};

type SharedMeta = {
  type: "profile" | "article" | "website";
  title: string;
  description: string;
  pageUrl: string;
  picture: string;
  /** Drawn by us, as a PNG of 1200 by 630; or uploaded, as a WebP of any size. */
  isDrawn?: boolean;
  alt: string;
};

/** Source: https://ogp.me; X reads the same. */
export function sharedMeta({
  type,
  title,
  description,
  pageUrl,
  picture,
  isDrawn = true,
  alt,
}: SharedMeta): MetaDescriptor[] {
  return [
    { property: "og:type", content: type },
    { property: "og:site_name", content: "Coreto" },
    { property: "og:locale", content: "pt_BR" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: pageUrl },
    { property: "og:image", content: picture },
    { property: "og:image:type", content: isDrawn ? "image/png" : "image/webp" },
    ...(isDrawn
      ? [
          { property: "og:image:width", content: "1200" },
          { property: "og:image:height", content: "630" },
        ]
      : []),
    { property: "og:image:alt", content: alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** Shortens text to one line, cut between words. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= DESCRIPTION_CHARACTERS) return line;
  const cut = line.slice(0, DESCRIPTION_CHARACTERS - 1).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), DESCRIPTION_CHARACTERS - 40)).trimEnd()}…`;
}
