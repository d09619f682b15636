import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CaptionsInvalid,
  MediaDeleted,
  NotAnImage,
  UploadNotFound,
} from "#app/domain/media/errors.ts";
import { captionsKey, ownedMedia } from "#app/domain/media/queries.server.ts";
import { THUMBNAIL_WIDTH_PIXELS, inspectImage, mediaKey } from "#app/domain/media/rules.ts";
import { captionsProblem } from "#app/domain/media/rules/captions.ts";
import { LARGEST_POSTER_BYTES } from "#app/domain/media/rules/limits.ts";
import { media, mediaUploads } from "#drizzle/schema/media.ts";
import { resizedOrRefused } from "./save-file.server.ts";
import { openUpload } from "./uploads.server.ts";

const POSTER_WIDTH_PIXELS = 1280;

/**
 * Stores a frame of an uploading video as its poster, and a thumbnail of at most 24 pixels. Refuses
 * what is not an image, or is over 2 MB. Works only while the upload is open: a published URL never
 * changes its image.
 */
export async function storePoster(
  ctx: Context,
  { ownerId, uploadId, bytes }: { ownerId: string; uploadId: string; bytes: ArrayBuffer },
): Promise<void> {
  await openUpload(ctx, { ownerId, uploadId });
  const refusal = () => new NotAnImage("poster");
  if (bytes.byteLength > LARGEST_POSTER_BYTES || !inspectImage(new Uint8Array(bytes)).ok)
    throw refusal();
  for (const [variant, widthPixels] of [
    ["poster", POSTER_WIDTH_PIXELS],
    ["face", THUMBNAIL_WIDTH_PIXELS],
  ] as const) {
    const resized = await resizedOrRefused(ctx, bytes, widthPixels, refusal);
    await ctx.mediaStore.put(mediaKey(uploadId, variant), resized.bytes, resized.contentType);
  }
  const isOpen = and(
    eq(mediaUploads.id, uploadId),
    eq(mediaUploads.ownerId, ownerId),
    eq(mediaUploads.state, "open"),
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db.update(mediaUploads).set({ hasPoster: true, touchedAt: ctx.now() }).where(isOpen),
      ),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new UploadNotFound() : error;
  }
}

/**
 * Stores captions (WebVTT) for a video or audio, in place of any others. Refuses invalid VTT with
 * the line number, and files of other owners.
 */
export async function storeCaptions(
  ctx: Context,
  { ownerId, mediaId, text }: { ownerId: string; mediaId: string; text: string },
): Promise<void> {
  const problem = captionsProblem(text);
  if (problem) throw new CaptionsInvalid(problem);
  const [item] = await ownedMedia(ctx, { ownerId, mediaIds: [mediaId] });
  if (!item || (item.kind !== "video" && item.kind !== "audio")) throw new MediaDeleted();
  const version = Math.max(ctx.now(), item.captionsVersion + 1);
  await ctx.mediaStore.put(
    captionsKey(mediaId, version),
    new TextEncoder().encode(text),
    "text/vtt; charset=utf-8",
  );
  await replaceVersion(ctx, { ownerId, mediaId, from: item.captionsVersion, to: version });
}

/** Removes the captions; does nothing without any. Refuses files of other owners. */
export async function removeCaptions(
  ctx: Context,
  { ownerId, mediaId }: { ownerId: string; mediaId: string },
): Promise<void> {
  const [item] = await ownedMedia(ctx, { ownerId, mediaIds: [mediaId] });
  if (!item) throw new MediaDeleted();
  if (item.captionsVersion > 0)
    await replaceVersion(ctx, { ownerId, mediaId, from: item.captionsVersion, to: 0 });
}

type Replacement = { ownerId: string; mediaId: string; from: number; to: number };

/**
 * Switches the captions version. Of two parallel replacements the second fails, and the losing
 * object is deleted.
 */
async function replaceVersion(
  ctx: Context,
  { ownerId, mediaId, from, to }: Replacement,
): Promise<void> {
  const ownCompanion = and(
    eq(media.id, mediaId),
    eq(media.ownerId, ownerId),
    eq(media.captionsVersion, from),
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(media).set({ captionsVersion: to }).where(ownCompanion)),
    ]);
  } catch (error) {
    if (to > 0) await ctx.mediaStore.delete([captionsKey(mediaId, to)]);
    throw error;
  }
  if (from > 0) await ctx.mediaStore.delete([captionsKey(mediaId, from)]);
}

/** Builds the statement that sets a file's alternative text, for the post's batch. */
export function describeMediaStatement(
  ctx: Context,
  { ownerId, mediaId, alt }: { ownerId: string; mediaId: string; alt: string },
): DbStatement {
  return ctx.db
    .update(media)
    .set({ alt })
    .where(and(eq(media.id, mediaId), eq(media.ownerId, ownerId), isNull(media.sweptAt)));
}
