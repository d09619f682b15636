import type { Context } from "#app/domain/context.ts";
import { THUMBNAIL_WIDTH_PIXELS } from "#app/domain/media/rules.ts";
import { storeCaptions, storePoster } from "#app/domain/media/commands/companions.server.ts";
import {
  completeUpload,
  startUpload,
  storePart,
} from "#app/domain/media/commands/uploads.server.ts";
import { renderer } from "#drizzle/seed/pictures/render.ts";
import { shippedFile } from "#drizzle/seed/town/files.ts";
import type { SeedFile } from "#drizzle/seed/town/files.ts";

const render = renderer();

/** Uploads a file by the commands of a browser's upload; gives the id to attach. */
export async function uploadFile(ctx: Context, ownerId: string, file: SeedFile): Promise<string> {
  const bytes = await file.bytes(ctx.now());
  const { id: uploadId } = await startUpload(ctx, {
    ownerId,
    filename: file.filename,
    contentType: file.contentType,
    sizeBytes: bytes.byteLength,
    fingerprint: file.filename,
  });
  const own = { ownerId, uploadId };
  const body = new Blob([bytes]).stream();
  await storePart(ctx, { ...own, number: 1, sizeBytes: bytes.byteLength, body });
  if (file.poster) {
    const widths = [640, THUMBNAIL_WIDTH_PIXELS];
    const poster = await render({ svg: shippedFile(file.poster), widths, isLossless: false });
    await storePoster(ctx, { ...own, bytes: poster.bytes });
  }
  await completeUpload(ctx, own);
  if (file.captions) await storeCaptions(ctx, { ownerId, mediaId: uploadId, text: file.captions });
  return uploadId;
}
