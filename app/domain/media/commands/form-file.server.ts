import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite, DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { prepareImage } from "#app/domain/media/commands.server.ts";
import { saveFile } from "./save-file.server.ts";
import { storedBytes } from "./uploads.server.ts";
import { FileRefused, FormFileTooHeavy, QuotaReached } from "#app/domain/media/errors.ts";
import { isUnusedOf } from "#app/domain/media/queries/unused.server.ts";
import { mediaKey } from "#app/domain/media/rules.ts";
import { declaredKind, undeclaredProblem } from "#app/domain/media/rules/files.ts";
import { LARGEST_FORM_FILE_BYTES, mediaVariants } from "#app/domain/media/rules/limits.ts";
import { QUOTA_BYTES } from "#app/domain/media/schema.ts";
import type { MediaPurpose } from "#app/domain/media/schema.ts";
import { media } from "#drizzle/schema/media.ts";

export type FormFile = { ownerId: string; purpose: MediaPurpose; file: File; alt: string };

/** A file whose bytes are stored and whose row is not committed yet. */
export type PreparedFile = { mediaId: string; statement: DbStatement };

/**
 * Validates and stores a file of a form: an image, a video, an audio or a PDF of at most 10 MB.
 * Returns the statement of its row for the caller's batch. Refuses other kinds, a file that is not
 * of its declared kind, and more than the owner's quota, all on the field `file`.
 */
export async function prepareFormFile(
  ctx: Context,
  { ownerId, purpose, file, alt }: FormFile,
): Promise<PreparedFile> {
  const described = { filename: file.name, contentType: file.type };
  const kind = declaredKind(described);
  if (!kind) throw new FileRefused(undeclaredProblem(described));
  if (file.size > LARGEST_FORM_FILE_BYTES) throw new FormFileTooHeavy();
  if ((await storedBytes(ctx, { ownerId })) + file.size > QUOTA_BYTES) throw new QuotaReached();
  const bytes = await file.arrayBuffer();
  if (kind === "image")
    return await prepareImage(ctx, { ownerId, purpose, bytes, alt, field: "file" });
  const id = ctx.newId();
  const key = mediaKey(id, "original");
  await ctx.mediaStore.put(key, bytes, file.type);
  try {
    const stored = await saveFile(ctx, { id, kind, sizeBytes: file.size, filename: file.name });
    const now = ctx.now();
    const row = { id, ownerId, purpose, ...stored, alt, createdAt: now, unusedSince: now };
    return { mediaId: id, statement: ctx.db.insert(media).values(row) };
  } catch (error) {
    if (error instanceof Refusal) await ctx.mediaStore.delete([key]);
    throw error;
  }
}

/**
 * Builds the write that describes a file of `ownerId` which its first use takes in the same batch.
 * The batch is refused (`StaleWrite`) if something else uses it by then, or the sweeper claimed
 * it.
 */
export const claimUploadStatement = (
  ctx: Context,
  {
    ownerId,
    purpose,
    mediaId,
    alt,
  }: { ownerId: string; purpose: MediaPurpose; mediaId: string; alt: string },
): BatchWrite =>
  mustChangeOne(
    ctx.db
      .update(media)
      .set({ alt })
      .where(and(eq(media.id, mediaId), isUnusedOf(ownerId, purpose))),
  );

/**
 * Deletes the bytes of a prepared file whose row was not committed. Does nothing if there is a row,
 * so that a failure after the commit loses no file. Safe to repeat.
 */
export async function discardUnsavedFile(
  ctx: Context,
  { mediaId }: Pick<PreparedFile, "mediaId">,
): Promise<void> {
  const row = await ctx.db.select({ id: media.id }).from(media).where(eq(media.id, mediaId)).get();
  if (row) return;
  const variants = mediaVariants.filter((variant) => variant !== "captions");
  await ctx.mediaStore.delete(variants.map((variant) => mediaKey(mediaId, variant)));
}
