import { and, asc, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  isHiddenByAge,
  collectionListableTo,
  coverVisibleTo,
  eventListableTo,
  isEvidenceFor,
  isInMessageFor,
  listableTo,
  visibleTo,
  worksForPage,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isVariantStored, mediaKey } from "./rules.ts";
import type { MediaItem, MediaKind, MediaVariant, UploadState } from "./schema.ts";
import { media, mediaUploads } from "#drizzle/schema/media.ts";

/** A file's object, type and cacheability. */
export type ServableMedia = {
  key: string;
  isPublic: boolean;
  contentType: string;
  /** The owner's file name; empty for a re-encoded image. */
  filename: string;
  kind: MediaKind;
  /** Null where only the bucket knows. */
  sizeBytes: number | null;
  /** Counts the changes under the same URL: only captions change. */
  version: number;
};

/**
 * Reads the media that `viewerId` (null for a visitor) can get now. Null both for unknown media and
 * without access. A file of a report's evidence is for moderators. An avatar or banner is public,
 * unless its owner's page is for adults. A file of a post has its post's access, and its thumbnail
 * that of the card. A cover and its thumbnail follow their collection in the same way, or their
 * event. A file of a message is for the two sides of its conversation, until the message is
 * deleted.
 */
export async function mediaFor(
  ctx: Context,
  {
    viewerId,
    mediaId,
    variant,
  }: { viewerId: string | null; mediaId: string; variant: MediaVariant },
): Promise<ServableMedia | null> {
  const now = ctx.now();
  const { adultSpaces } = ctx.settings;
  const shows =
    variant === "face"
      ? { post: listableTo, cover: collectionListableTo }
      : { post: visibleTo, cover: coverVisibleTo };
  const shownTo = (viewer: string | null) =>
    sql<number>`(${inPostThat(mediaId, shows.post(viewer, now, adultSpaces))} OR ${coverThat(mediaId, shows.cover(viewer, now, adultSpaces))} OR ${eventCoverThat(mediaId, eventListableTo(viewer, adultSpaces))})`;
  const [row] = await ctx.db
    .select({
      ownerId: media.ownerId,
      purpose: media.purpose,
      kind: media.kind,
      contentType: media.contentType,
      sizeBytes: media.sizeBytes,
      width: media.width,
      filename: media.filename,
      hasPoster: media.hasPoster,
      captionsVersion: media.captionsVersion,
      isUsed:
        sql<number>`(EXISTS (SELECT 1 FROM post_media used WHERE used.media_id = ${mediaId}) OR EXISTS (SELECT 1 FROM collections used WHERE used.cover_media_id = ${mediaId}) OR EXISTS (SELECT 1 FROM events used WHERE used.cover_media_id = ${mediaId}))`.as(
          "is_used",
        ),
      isTeams: sql<number>`${worksForPage(viewerId, sql`media.owner_id`, adultSpaces)}`.as(
        "is_teams",
      ),
      isAgeClosed: sql<number>`${isHiddenByAge(viewerId, sql`media.owner_id`, adultSpaces)}`.as(
        "is_age_closed",
      ),
      isForAdults: sql<number>`${isHiddenByAge(null, sql`media.owner_id`, adultSpaces)}`.as(
        "is_for_adults",
      ),
      isTheirs: shownTo(viewerId).as("is_theirs"),
      isEvidence: isEvidenceFor(viewerId, mediaId).as("is_evidence"),
      isInMessage: isInMessageFor(viewerId, mediaId).as("is_in_message"),
      isPublic: shownTo(null).as("is_public"),
    })
    .from(media)
    .where(eq(media.id, mediaId))
    .limit(1);
  if (!row || !isVariantStored(row, variant)) return null;
  const found = servable(mediaId, variant, row);
  if (row.purpose === "avatar" || row.purpose === "banner")
    return row.isAgeClosed === 1 ? null : { ...found, isPublic: row.isForAdults === 0 };
  if (row.purpose === "message")
    return row.isInMessage === 1 || row.isEvidence === 1 ? { ...found, isPublic: false } : null;
  // In no post yet: whoever writes for the page sees their own uploads.
  const isBeingWritten =
    row.isUsed === 0 && viewerId !== null && (row.ownerId === viewerId || row.isTeams === 1);
  return row.isTheirs === 1 || isBeingWritten || row.isEvidence === 1
    ? { ...found, isPublic: row.isPublic === 1 }
    : null;
}

type ServableRow = {
  kind: MediaKind;
  contentType: string;
  sizeBytes: number;
  filename: string;
  captionsVersion: number;
};

function servable(
  mediaId: string,
  variant: MediaVariant,
  row: ServableRow,
): Omit<ServableMedia, "isPublic"> {
  const { kind } = row;
  if (variant === "original")
    return {
      key: mediaKey(mediaId, variant),
      kind,
      contentType: row.contentType,
      filename: row.filename,
      sizeBytes: row.sizeBytes,
      version: 0,
    };
  if (variant === "captions") {
    const version = row.captionsVersion;
    return {
      key: captionsKey(mediaId, version),
      kind,
      contentType: "text/vtt; charset=utf-8",
      filename: "",
      sizeBytes: null,
      version,
    };
  }
  return {
    key: mediaKey(mediaId, variant),
    kind,
    contentType: "image/webp",
    filename: "",
    sizeBytes: null,
    version: 0,
  };
}

/**
 * Returns the object key of a captions version. Each version has its own object, so that a
 * replacement never mixes two.
 */
export function captionsKey(mediaId: string, version: number): string {
  return `${mediaKey(mediaId, "captions")}-${version}`;
}

function inPostThat(mediaId: string, condition: ReturnType<typeof visibleTo>) {
  return sql<number>`EXISTS (SELECT 1 FROM post_media JOIN posts ON posts.id = post_media.post_id WHERE post_media.media_id = ${mediaId} AND ${condition})`;
}

function coverThat(mediaId: string, condition: ReturnType<typeof coverVisibleTo>) {
  return sql<number>`EXISTS (SELECT 1 FROM collections WHERE collections.cover_media_id = ${mediaId} AND ${condition})`;
}

function eventCoverThat(mediaId: string, condition: SQL) {
  return sql<number>`EXISTS (SELECT 1 FROM events WHERE events.cover_media_id = ${mediaId} AND ${condition})`;
}

/**
 * Selects the files of the post `postId` (an SQL expression) as JSON of `MediaItem[]`, in order. It
 * is a column of a larger query.
 */
export function mediaItemsJson(postId: SQL): SQL {
  return sql`(SELECT json_group_array(json_object(
      'id', item.id, 'kind', item.kind, 'contentType', item.content_type, 'alt', item.alt, 'width', item.width, 'height', item.height,
      'filename', item.filename, 'sizeBytes', item.size_bytes, 'hasPoster', json(iif(item.has_poster, 'true', 'false')), 'captionsVersion', item.captions_version))
    FROM (SELECT m.* FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = ${postId} ORDER BY pm.position) item)`;
}

const itemColumns = {
  id: media.id,
  kind: media.kind,
  contentType: media.contentType,
  alt: media.alt,
  width: media.width,
  height: media.height,
  filename: media.filename,
  sizeBytes: media.sizeBytes,
  hasPoster: media.hasPoster,
  captionsVersion: media.captionsVersion,
};

/** Reads those of `mediaIds` that `ownerId` can show in a post, in the same order. */
export async function ownedMedia(
  ctx: Context,
  { ownerId, mediaIds }: { ownerId: string; mediaIds: string[] },
): Promise<MediaItem[]> {
  if (mediaIds.length === 0) return [];
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(mediaIds)}))`;
  const rows = await ctx.db
    .select(itemColumns)
    .from(media)
    .where(
      and(
        inArray(media.id, listed),
        eq(media.ownerId, ownerId),
        eq(media.purpose, "post"),
        isNull(media.sweptAt),
      ),
    );
  return rows.toSorted((one, other) => mediaIds.indexOf(one.id) - mediaIds.indexOf(other.id));
}

/**
 * Every database column that refers to media: unreferenced media is unused. A test fails when a
 * table gains such a column or a column loses its index. So the sweeper never deletes used media.
 */
export const MEDIA_USES = [
  ["collections", "cover_media_id"],
  ["events", "cover_media_id"],
  ["message_files", "media_id"],
  ["organizations", "logo_media_id"],
  ["post_media", "media_id"],
  ["profiles", "avatar_media_id"],
  ["profiles", "banner_media_id"],
  ["report_media", "media_id"],
] as const;

/** True for a row of `media` that something shows. */
export function isMediaUsed(): SQL {
  return sql.raw(
    `(${MEDIA_USES.map(([table, column]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.${column} = media.id)`).join(" OR ")})`,
  );
}

/** Reads media unused since `before`, longest first. */
export async function unusedMedia(
  ctx: Context,
  { before, limit }: { before: number; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: media.id })
    .from(media)
    .where(
      and(
        sql`${media.unusedSince} IS NOT NULL`,
        lt(media.unusedSince, before),
        isNull(media.sweptAt),
      ),
    )
    .orderBy(asc(media.unusedSince))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Reads media that the sweeper claimed before `before`, whose bytes can be deleted. */
export async function sweptMedia(
  ctx: Context,
  { before, limit }: { before: number; limit: number },
): Promise<{ id: string; captionsVersion: number }[]> {
  return await ctx.db
    .select({ id: media.id, captionsVersion: media.captionsVersion })
    .from(media)
    .where(and(sql`${media.sweptAt} IS NOT NULL`, lt(media.sweptAt, before)))
    .limit(limit);
}

/** Reads uploads in any state without activity since `before`. */
export async function idleUploads(
  ctx: Context,
  { before, limit }: { before: number; limit: number },
): Promise<UploadRow[]> {
  return await ctx.db
    .select()
    .from(mediaUploads)
    .where(lt(mediaUploads.touchedAt, before))
    .orderBy(asc(mediaUploads.touchedAt))
    .limit(limit);
}

const READY_MAX = 20;

/** Reads open uploads, and completed ones in no post yet, which a picker offers to continue with. */
export async function unfinishedMedia(
  ctx: Context,
  { ownerId }: { ownerId: string },
): Promise<{ uploads: UploadState[]; ready: MediaItem[] }> {
  const [uploads, ready] = await ctx.db.batch([
    ctx.db
      .select(uploadColumns)
      .from(mediaUploads)
      .where(and(eq(mediaUploads.ownerId, ownerId), eq(mediaUploads.state, "open")))
      .orderBy(asc(mediaUploads.createdAt)),
    ctx.db
      .select(itemColumns)
      .from(media)
      .where(
        and(
          eq(media.ownerId, ownerId),
          eq(media.purpose, "post"),
          sql`${media.unusedSince} IS NOT NULL`,
          isNull(media.sweptAt),
        ),
      )
      .orderBy(desc(media.createdAt))
      .limit(READY_MAX),
  ]);
  return { uploads, ready: ready.toReversed() };
}

const uploadColumns = {
  id: mediaUploads.id,
  kind: mediaUploads.kind,
  filename: mediaUploads.filename,
  fingerprint: mediaUploads.fingerprint,
  sizeBytes: mediaUploads.sizeBytes,
  partSizeBytes: mediaUploads.partSizeBytes,
  parts: sql<
    number[]
  >`(SELECT json_group_array(part.number) FROM (SELECT number FROM media_upload_parts WHERE upload_id = ${mediaUploads.id} ORDER BY number) part)`
    .mapWith((text: string): number[] => JSON.parse(text))
    .as("part_numbers"),
};

/** Reads the state of an open upload of `ownerId`, or null. */
export async function openUploadState(
  ctx: Context,
  { ownerId, uploadId }: { ownerId: string; uploadId: string },
): Promise<UploadState | null> {
  const [row] = await ctx.db
    .select(uploadColumns)
    .from(mediaUploads)
    .where(
      and(
        eq(mediaUploads.id, uploadId),
        eq(mediaUploads.ownerId, ownerId),
        eq(mediaUploads.state, "open"),
      ),
    )
    .limit(1);
  return row ?? null;
}

export type UploadRow = typeof mediaUploads.$inferSelect;

/** Reads the upload's row in any state, for its owner's commands. */
export async function uploadRow(
  ctx: Context,
  { ownerId, uploadId }: { ownerId: string; uploadId: string },
): Promise<UploadRow | null> {
  const [row] = await ctx.db
    .select()
    .from(mediaUploads)
    .where(and(eq(mediaUploads.id, uploadId), eq(mediaUploads.ownerId, ownerId)))
    .limit(1);
  return row ?? null;
}
