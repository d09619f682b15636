import { postsCountLabel } from "#app/domain/collections/rules.ts";
import type { CollectionCreator, CollectionSummary } from "#app/domain/collections/schema.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import type { Picture } from "#app/domain/syndication/schema.ts";

/** Increase it when the drawing of the same texts changes, to invalidate cached drawings. */
const DRAWING = 2;
const TITLE_CHARACTERS = 140;
const LINE_CHARACTERS = 60;

/** Returns the preview image of a page. */
export function spacePicture({
  name,
  username,
  craft,
  city,
  avatarMediaId,
}: PublicProfile): Picture {
  const about = [craft, city].filter(Boolean).join(" · ");
  return {
    kind: "space",
    title: drawable(name, TITLE_CHARACTERS) || `@${username}`,
    line: drawable(about, LINE_CHARACTERS),
    handle: `@${username}`,
    seed: username,
    avatarMediaId,
  };
}

/**
 * Returns the preview image of a post: its title and author. It contains nothing of the post's
 * content, open or locked, because a cached image may outlive the post's visibility.
 */
export function postPicture({
  title,
  author,
  access,
}: Pick<PostPreview, "title" | "author" | "access">): Picture {
  const line = access.visible ? "" : "Só para quem tem acesso";
  return {
    kind: "post",
    title: drawable(title, TITLE_CHARACTERS) || "Publicação",
    line,
    handle: drawable(author.name, LINE_CHARACTERS) || `@${author.username}`,
    seed: title,
    avatarMediaId: author.avatarMediaId,
  };
}

/**
 * Returns the preview image of a collection: its title, number of posts and creator. It leaves out
 * the cover, which may be closed to some.
 */
export function collectionPicture({ collection, creator }: ShownCollection): Picture {
  const handle = drawable(creator.name, LINE_CHARACTERS) || `@${creator.username}`;
  return {
    kind: "collection",
    title: drawable(collection.title, TITLE_CHARACTERS) || "Coleção",
    line: `Coleção · ${postsCountLabel(collection.postsCount)}`,
    handle,
    seed: collection.title,
    avatarMediaId: creator.avatarMediaId,
  };
}

type ShownCollection = {
  collection: Pick<CollectionSummary, "id" | "title" | "postsCount">;
  creator: CollectionCreator;
};

/** Returns the square image of a feed for podcast players. */
export function coverPicture(profile: PublicProfile): Picture {
  return { ...spacePicture(profile), kind: "cover" };
}

/** Returns the tall picture of a page for stories, with `address` as text and as a QR code. */
export function storyPicture(profile: PublicProfile, address: string): Picture {
  return { ...spacePicture(profile), kind: "story", address };
}

export const spacePicturePath = (profile: PublicProfile): string =>
  `/pictures/space/${profile.username}/${pictureVersion(spacePicture(profile))}.png`;
export const coverPath = (profile: PublicProfile): string =>
  `/pictures/cover/${profile.username}/${pictureVersion(coverPicture(profile))}.png`;
export const storyPicturePath = (profile: PublicProfile, address: string): string =>
  `/pictures/story/${profile.username}/${pictureVersion(storyPicture(profile, address))}.png`;
export const postPicturePath = (post: Parameters<typeof postPicture>[0] & { id: string }): string =>
  `/pictures/post/${post.id}/${pictureVersion(postPicture(post))}.png`;

export const collectionPicturePath = (shown: ShownCollection): string =>
  `/pictures/collection/${shown.collection.id}/${pictureVersion(collectionPicture(shown))}.png`;

/**
 * Returns a hash of the drawing's inputs: other text, font or drawing gives another one (FNV-1a, 64
 * bits).
 */
export function pictureVersion(picture: Picture): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of JSON.stringify([DRAWING, picture]))
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/**
 * Characters without a glyph in the bundled fonts, which have Latin with accents, digits and common
 * signs.
 */
const NOT_DRAWN =
  /[^\p{Script=Latin}\p{Nd}\p{Zs}\u0020-\u007E\u00A1-\u00BF\u00D7\u00F7\u2010-\u2027\u2030-\u203A\u20AC\u2122\u2212]/gu;

/**
 * Removes from `text` what no bundled font can draw (emoji, other scripts, stacked accents).
 * Returns one line cut at `length`.
 */
export function drawable(text: string, length: number): string {
  const drawn = text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(NOT_DRAWN, "")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return drawn.length <= length ? drawn : `${drawn.slice(0, length - 1).trimEnd()}…`;
}
