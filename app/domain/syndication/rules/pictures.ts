import { postsCountLabel } from "#app/domain/collections/rules.ts";
import type { CollectionCreator, CollectionSummary } from "#app/domain/collections/schema.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import type { Picture } from "#app/domain/syndication/schema.ts";

/** Changed whenever what is drawn of the same words changes, so that nobody keeps the old drawing. */
const DRAWING = 1;
const TITLE_CHARACTERS = 140;
const LINE_CHARACTERS = 60;

/** The card of a page, for who shares it. */
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
 * The card of a post: its title and who wrote it. Nothing of what it holds is drawn, open or
 * locked, so that a picture that was kept somewhere never shows what was closed later.
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
 * The card of a collection: its title, how much is in it, and whose it is. Its cover may be closed
 * to some, so that it is not drawn.
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

/** The square of a feed, as podcast players show it. */
export function coverPicture(profile: PublicProfile): Picture {
  return { ...spacePicture(profile), kind: "cover" };
}

export const spacePicturePath = (profile: PublicProfile): string =>
  `/pictures/space/${profile.username}/${pictureVersion(spacePicture(profile))}.png`;
export const coverPath = (profile: PublicProfile): string =>
  `/pictures/cover/${profile.username}/${pictureVersion(coverPicture(profile))}.png`;
export const postPicturePath = (post: Parameters<typeof postPicture>[0] & { id: string }): string =>
  `/pictures/post/${post.id}/${pictureVersion(postPicture(post))}.png`;

export const collectionPicturePath = (shown: ShownCollection): string =>
  `/pictures/collection/${shown.collection.id}/${pictureVersion(collectionPicture(shown))}.png`;

/** Names what is drawn: another word, face or way of drawing gives another (FNV-1a, 64 bits). */
export function pictureVersion(picture: Picture): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of JSON.stringify([DRAWING, picture]))
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** What the bundled faces have letters for: Latin with its accents, digits and the usual signs. */
const NOT_DRAWN =
  /[^\p{Script=Latin}\p{Nd}\p{Zs}\u0020-\u007E\u00A1-\u00BF\u00D7\u00F7\u2010-\u2027\u2030-\u203A\u20AC\u2122\u2212]/gu;

/**
 * `text` without what no bundled face can draw (emoji, other scripts, heaps of accents), on one
 * line and cut at `length`.
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
