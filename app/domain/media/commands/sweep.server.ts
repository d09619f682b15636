import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  captionsKey,
  idleUploads,
  isMediaUsed,
  sweptMedia,
  unusedMedia,
} from "#app/domain/media/queries.server.ts";
import type { UploadRow } from "#app/domain/media/queries.server.ts";
import { mediaKey } from "#app/domain/media/rules.ts";
import { mediaVariants } from "#app/domain/media/rules/limits.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { media, mediaUploadParts, mediaUploads } from "#drizzle/schema/media.ts";
import { purgeAbortedUpload } from "./uploads.server.ts";

/** How long an upload may be idle. The bucket itself waits a week. */
export const UPLOAD_IDLE_MS = 3 * DAY_MS;
/** How long a file may stay without a post. */
export const UNUSED_MS = 7 * DAY_MS;
/** Pages in the edge cache may still link to unused media. */
export const CLAIMED_MS = HOUR_MS;
const AT_ONCE = 100;

/**
 * Deletes idle uploads, and media that nothing shows. It first claims them in one transaction that
 * checks for uses. From then on the database refuses new uses. Safe to repeat and to be killed.
 */
export async function sweepMedia(ctx: Context): Promise<void> {
  const now = ctx.now();
  for (const upload of await idleUploads(ctx, { before: now - UPLOAD_IDLE_MS, limit: AT_ONCE }))
    await endUpload(ctx, upload, now - UPLOAD_IDLE_MS);
  await claimUnused(ctx, now);
  for (const claimed of await sweptMedia(ctx, { before: now - CLAIMED_MS, limit: AT_ONCE }))
    await removeMedia(ctx, claimed);
}

async function endUpload(ctx: Context, upload: UploadRow, before: number): Promise<void> {
  if (upload.state === "done") return await forgetDone(ctx, upload);
  if (upload.state === "open" && !(await claimIdle(ctx, upload, before))) return;
  await purgeAbortedUpload(ctx, upload);
  ctx.log("media.upload_swept", { id: upload.id });
}

/** Claims an idle upload. Returns false when a part or the completion arrived meanwhile. */
async function claimIdle(ctx: Context, upload: UploadRow, before: number): Promise<boolean> {
  const stillIdle = and(
    eq(mediaUploads.id, upload.id),
    eq(mediaUploads.state, "open"),
    lt(mediaUploads.touchedAt, before),
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(mediaUploads).set({ state: "aborted" }).where(stillIdle)),
    ]);
    return true;
  } catch (error) {
    if (error instanceof StaleWrite) return false;
    throw error;
  }
}

async function forgetDone(ctx: Context, upload: UploadRow): Promise<void> {
  // The original of an image is not stored, but a killed completion may have left it.
  if (upload.kind === "image") await ctx.mediaStore.delete([mediaKey(upload.id, "original")]);
  await commit(ctx.db, [
    ctx.db.delete(mediaUploadParts).where(eq(mediaUploadParts.uploadId, upload.id)),
    ctx.db
      .delete(mediaUploads)
      .where(and(eq(mediaUploads.id, upload.id), eq(mediaUploads.state, "done"))),
  ]);
}

async function claimUnused(ctx: Context, now: number): Promise<void> {
  const before = now - UNUSED_MS;
  const ids = await unusedMedia(ctx, { before, limit: AT_ONCE });
  if (ids.length === 0) return;
  const listed = inArray(media.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  await commit(ctx.db, [
    // A use without a trigger: the mark is corrected.
    ctx.db.update(media).set({ unusedSince: null }).where(and(listed, isMediaUsed())),
    ctx.db
      .update(media)
      .set({ sweptAt: now })
      .where(
        and(
          listed,
          isNull(media.sweptAt),
          sql`${media.unusedSince} IS NOT NULL`,
          lt(media.unusedSince, before),
          sql`NOT ${isMediaUsed()}`,
        ),
      ),
  ]);
}

async function removeMedia(
  ctx: Context,
  { id, captionsVersion }: { id: string; captionsVersion: number },
): Promise<void> {
  const keys = mediaVariants
    .filter((variant) => variant !== "captions")
    .map((variant) => mediaKey(id, variant));
  await ctx.mediaStore.delete([...keys, captionsKey(id, captionsVersion)]);
  await commit(ctx.db, [
    ctx.db.delete(media).where(and(eq(media.id, id), sql`${media.sweptAt} IS NOT NULL`)),
  ]);
  ctx.log("media.swept", { id });
}
