import { asc, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { mediaUploadParts } from "#drizzle/schema/media.ts";

/** Reads the uploaded parts, by number. */
export async function uploadedParts(
  ctx: Context,
  { uploadId }: { uploadId: string },
): Promise<{ number: number; etag: string }[]> {
  return await ctx.db
    .select({ number: mediaUploadParts.number, etag: mediaUploadParts.etag })
    .from(mediaUploadParts)
    .where(eq(mediaUploadParts.uploadId, uploadId))
    .orderBy(asc(mediaUploadParts.number));
}
