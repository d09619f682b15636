import { commit } from "#app/db/client.server.ts";
import type { Statement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ImageTooHeavy, ImageTooLarge, NotAnImage } from "#app/domain/media/errors.ts";
import { judgeImage, mediaKey, variantsOf } from "#app/domain/media/rules.ts";
import { LARGEST_IMAGE_BYTES } from "#app/domain/media/schema.ts";
import type { MediaPurpose } from "#app/domain/media/schema.ts";
import { media } from "#drizzle/schema/media.ts";

export type ImageUpload = {
  ownerId: string;
  purpose: MediaPurpose;
  bytes: ArrayBuffer;
  /** What the image shows, for who cannot see it. */
  alt: string;
  /** The form field that a refusal is put beside. */
  field: string;
};

/** An image whose bytes are kept and whose row is still to be committed. */
export type PreparedImage = { mediaId: string; statement: Statement };

/**
 * Checks and keeps the bytes of `upload` in every variant, and gives the statement of its row for the caller's batch: bytes
 * without a row are harmless, a row without bytes is not. Refuses what is not a JPG, PNG, GIF or WEBP, is over 10 MB or too many pixels.
 */
export async function prepareImage(ctx: Context, upload: ImageUpload): Promise<PreparedImage> {
  const verdict = judgeImage(new Uint8Array(upload.bytes));
  if (!verdict.ok) throw refusalFor(verdict.why, upload.field);
  const mediaId = ctx.newId();
  const size = await storeVariants(ctx, mediaId, upload);
  const statement = ctx.db.insert(media).values({
    id: mediaId,
    ownerId: upload.ownerId,
    purpose: upload.purpose,
    contentType: "image/webp",
    alt: upload.alt,
    createdAt: ctx.now(),
    ...size,
  });
  return { mediaId, statement };
}

/** `prepareImage` and its commit, for an image that stands by itself. Gives the media id. */
export async function storeImage(ctx: Context, upload: ImageUpload): Promise<{ mediaId: string }> {
  const { mediaId, statement } = await prepareImage(ctx, upload);
  await commit(ctx.db, [statement]);
  return { mediaId };
}

/** The file of a form as an upload's bytes, refused before it is read when it is too heavy. */
export async function uploadBytes(file: File, field: string): Promise<ArrayBuffer> {
  if (file.size > LARGEST_IMAGE_BYTES) throw new ImageTooHeavy(field);
  return file.arrayBuffer();
}

/** Gives the size of the widest variant, which is the one that screens reserve room for. */
async function storeVariants(ctx: Context, mediaId: string, upload: ImageUpload): Promise<{ sizeBytes: number; width: number; height: number }> {
  let widest: { sizeBytes: number; width: number; height: number } | null = null;
  for (const { variant, maxWidthPixels } of variantsOf(upload.purpose)) {
    const resized = await resizedOrRefused(ctx, upload, maxWidthPixels);
    await ctx.mediaStore.put(mediaKey(mediaId, variant), resized.bytes, resized.contentType);
    widest ??= { sizeBytes: resized.bytes.byteLength, width: resized.width, height: resized.height };
  }
  if (!widest) throw new Error(`no variants for ${upload.purpose}`);
  return widest;
}

/** A header may lie: what cannot be decoded is no image either. */
async function resizedOrRefused(ctx: Context, upload: ImageUpload, maxWidthPixels: number) {
  try {
    return await ctx.mediaStore.resized(upload.bytes, maxWidthPixels);
  } catch (error) {
    ctx.log("media.image_refused", { bytes: upload.bytes.byteLength, error: error instanceof Error ? error.message : "unknown" });
    throw new NotAnImage(upload.field);
  }
}

function refusalFor(why: "not_an_image" | "too_heavy" | "too_large", field: string) {
  if (why === "too_heavy") return new ImageTooHeavy(field);
  return why === "too_large" ? new ImageTooLarge(field) : new NotAnImage(field);
}
