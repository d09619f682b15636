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
import { mediaVariants } from "#app/domain/media/schema.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { media, mediaUploadParts, mediaUploads } from "#drizzle/schema/media.ts";
import { purgeAbortedUpload } from "./uploads.server.ts";

/** How long somebody may take to go on with an upload. The bucket itself waits a week. */
export const UPLOAD_IDLE_MS = 3 * DAY_MS;
/** How long a file may wait for its post. */
export const UNUSED_MS = 7 * DAY_MS;
/** Pages that the edge keeps may still name what nothing shows any more. */
export const CLAIMED_MS = HOUR_MS;
const AT_ONCE = 100;

/**
 * Removes what nobody will ask for: uploads that nobody went on with, and media that nothing shows.
 * What is to go is first claimed in one transaction that looks whether anything shows it; from then
 * on the database lets nothing begin to. Safe to repeat and to kill.
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

/** A part or the completion may come in this very moment: then the upload is not idle, and stays. */
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
  // The original of an image is not kept; a completion that was killed may have left it.
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
    // Something began to show it without a trigger saying so.
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
