import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ImageTooHeavy, ImageTooLarge, NotAnImage } from "./errors.ts";
import { inspectImage } from "./rules.ts";
import { LARGEST_IMAGE_BYTES } from "#app/domain/media/rules/limits.ts";
import type { MediaPurpose } from "./schema.ts";
import { media } from "#drizzle/schema/media.ts";
import { storeVariants } from "#app/domain/media/commands/save-file.server.ts";

export type ImageUpload = {
  ownerId: string;
  purpose: MediaPurpose;
  bytes: ArrayBuffer;
  /** The image's alternative text. */
  alt: string;
  /** The form field of a refusal. */
  field: string;
};

/** An image whose bytes are stored and whose row is not committed yet. */
export type PreparedImage = { mediaId: string; statement: DbStatement };

/**
 * Validates and stores the bytes of `upload` in every variant. Returns the statement of its row for
 * the caller's batch. Bytes without a row are harmless, a row without bytes is not. Refuses what is
 * not a JPG, PNG, GIF, WEBP or AVIF, is over 10 MB or has too many pixels.
 */
export async function prepareImage(ctx: Context, upload: ImageUpload): Promise<PreparedImage> {
  const verdict = inspectImage(new Uint8Array(upload.bytes));
  if (!verdict.ok) throw refusalFor(verdict.why, upload.field);
  const mediaId = ctx.newId();
  const source = async () => upload.bytes;
  const size = await storeVariants(ctx, {
    mediaId,
    purpose: upload.purpose,
    source,
    refusal: () => new NotAnImage(upload.field),
  });
  const statement = ctx.db.insert(media).values({
    id: mediaId,
    ownerId: upload.ownerId,
    purpose: upload.purpose,
    contentType: "image/webp",
    alt: upload.alt,
    createdAt: ctx.now(),
    unusedSince: ctx.now(),
    ...size,
  });
  return { mediaId, statement };
}

/** Runs `prepareImage` and commits its row, for a single image. Returns the media id. */
export async function storeImage(ctx: Context, upload: ImageUpload): Promise<{ mediaId: string }> {
  const { mediaId, statement } = await prepareImage(ctx, upload);
  await commit(ctx.db, [statement]);
  return { mediaId };
}

/** Reads the bytes of a form's file. Refuses a too large file before reading it. */
export async function uploadBytes(file: File, field: string): Promise<ArrayBuffer> {
  if (file.size > LARGEST_IMAGE_BYTES) throw new ImageTooHeavy(field);
  return file.arrayBuffer();
}

function refusalFor(why: "not_an_image" | "too_heavy" | "too_large", field: string) {
  if (why === "too_heavy") return new ImageTooHeavy(field);
  return why === "too_large" ? new ImageTooLarge(field) : new NotAnImage(field);
}
