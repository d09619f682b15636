import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import {
  FileRefused,
  FileTooHeavy,
  PartNotFound,
  PartsMissing,
  QuotaReached,
  TooManyOpenUploads,
  UploadNotFound,
  InvalidPart,
} from "#app/domain/media/errors.ts";
import { ownedMedia, uploadRow } from "#app/domain/media/queries.server.ts";
import { uploadedParts } from "#app/domain/media/queries/parts.server.ts";
import type { UploadRow } from "#app/domain/media/queries.server.ts";
import { mediaKey } from "#app/domain/media/rules.ts";
import { isTooHeavy, declaredKind, undeclaredProblem } from "#app/domain/media/rules/files.ts";
import { missingParts, partLength } from "#app/domain/media/rules/parts.ts";
import { OPEN_UPLOADS_MAX, PART_BYTES, QUOTA_BYTES } from "#app/domain/media/schema.ts";
import type { MediaItem, UploadState } from "#app/domain/media/schema.ts";
import { media, mediaUploadParts, mediaUploads, mediaUsage } from "#drizzle/schema/media.ts";
import { saveFile } from "./save-file.server.ts";

type OwnedUploadRef = { ownerId: string; uploadId: string };

/**
 * Opens a multipart upload for a file as its browser describes it. Refuses kinds that are not
 * accepted, and files over their kind's limit. Refuses more than 20 open uploads and more than 100
 * GB in all, both counted where the row is written.
 */
export async function startUpload(
  ctx: Context,
  {
    ownerId,
    ...file
  }: {
    ownerId: string;
    filename: string;
    contentType: string;
    sizeBytes: number;
    fingerprint: string;
  },
): Promise<UploadState> {
  const kind = declaredKind(file);
  if (!kind) throw new FileRefused(undeclaredProblem(file));
  if (isTooHeavy(kind, file.sizeBytes)) throw new FileTooHeavy(kind);
  const id = ctx.newId();
  const key = mediaKey(id, "original");
  // If the row fails, the bucket deletes an upload without parts after a week.
  const bucketUploadId = await ctx.mediaStore.beginUpload(key);
  const { filename, fingerprint, sizeBytes } = file;
  const row = {
    id,
    ownerId,
    kind,
    filename,
    fingerprint,
    sizeBytes,
    partSizeBytes: PART_BYTES,
    bucketUploadId,
    state: "open" as const,
  };
  try {
    await commit(ctx.db, [mustChangeOne(insertWithinLimits(ctx, row))]);
  } catch (error) {
    await ctx.mediaStore.abandonUpload(key, bucketUploadId);
    throw error instanceof StaleWrite ? await whichLimit(ctx, ownerId) : error;
  }
  return { id, kind, filename, fingerprint, sizeBytes, partSizeBytes: PART_BYTES, parts: [] };
}

type NewUpload = Omit<UploadRow, "hasPoster" | "createdAt" | "touchedAt">;

function insertWithinLimits(ctx: Context, row: NewUpload) {
  const now = ctx.now();
  const open = sql`FROM media_uploads u WHERE u.owner_id = ${row.ownerId} AND u.state = 'open'`;
  const usedBytes = sql`COALESCE((SELECT stored_bytes FROM media_usage WHERE owner_id = ${row.ownerId}), 0)`;
  // In the order of the table's columns.
  return ctx.db.insert(mediaUploads).select(sql`
    SELECT ${row.id}, ${row.ownerId}, ${row.kind}, ${row.filename}, ${row.fingerprint}, CAST(${row.sizeBytes} AS INTEGER), CAST(${row.partSizeBytes} AS INTEGER),
      ${row.bucketUploadId}, 0, ${row.state}, CAST(${now} AS INTEGER), CAST(${now} AS INTEGER)
    WHERE (SELECT COUNT(*) ${open}) < ${OPEN_UPLOADS_MAX}
      AND ${usedBytes} + COALESCE((SELECT SUM(u.size_bytes) ${open}), 0) + ${row.sizeBytes} <= ${QUOTA_BYTES}`);
}

async function whichLimit(ctx: Context, ownerId: string): Promise<Refusal> {
  const open = await ctx.db.$count(
    mediaUploads,
    and(eq(mediaUploads.ownerId, ownerId), eq(mediaUploads.state, "open")),
  );
  return open >= OPEN_UPLOADS_MAX ? new TooManyOpenUploads() : new QuotaReached();
}

/**
 * Streams part `number` (from 1, in any order, repeatable) into the bucket. Refuses invalid
 * numbers, a wrong length, and uploads that are over or of other owners.
 */
export async function storePart(
  ctx: Context,
  {
    ownerId,
    uploadId,
    number,
    sizeBytes,
    body,
  }: OwnedUploadRef & {
    number: number;
    /** The length that the request declares; null when it declares none. */ sizeBytes:
      | number
      | null;
    body: ReadableStream;
  },
): Promise<{ number: number }> {
  const upload = await openUpload(ctx, { ownerId, uploadId });
  const expected = partLength(upload, number);
  if (expected === null) throw new PartNotFound();
  if (sizeBytes !== expected) throw new InvalidPart(expected);
  const part = await ctx.mediaStore.putPart(originalKey(upload), upload.bucketUploadId, {
    number,
    body,
    sizeBytes: expected,
  });
  await refusingStale(() =>
    commit(ctx.db, [
      mustChangeOne(touch(ctx, { ownerId, uploadId })),
      ctx.db
        .insert(mediaUploadParts)
        .values({ uploadId, number, etag: part.etag })
        .onConflictDoUpdate({
          target: [mediaUploadParts.uploadId, mediaUploadParts.number],
          set: { etag: part.etag },
        }),
    ]),
  );
  return { number };
}

/**
 * Completes an upload into a file that a post can show. Checks that every part is there and that
 * the bytes are whole and of the declared kind. Re-encodes images and blanks locations. Safe to
 * repeat. Refuses missing parts. A refused file is deleted with its upload.
 */
export async function completeUpload(
  ctx: Context,
  { ownerId, uploadId }: OwnedUploadRef,
): Promise<MediaItem> {
  const upload = await uploadRow(ctx, { ownerId, uploadId });
  if (upload?.state === "done") return await storedMedia(ctx, { ownerId, uploadId });
  if (upload?.state !== "open") throw new UploadNotFound();
  const parts = await uploadedParts(ctx, { uploadId });
  if (missingParts({ ...upload, parts: parts.map(({ number }) => number) }).length > 0)
    throw new PartsMissing();
  await refusingStale(() => commit(ctx.db, [mustChangeOne(touch(ctx, { ownerId, uploadId }))]));
  await assemble(ctx, upload, parts);
  const stored = await storeOrDiscard(ctx, upload);
  const now = ctx.now();
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(mediaUploads)
          .set({ state: "done", touchedAt: now })
          .where(isOpen(uploadId, ownerId)),
      ),
      ctx.db.insert(media).values({
        id: uploadId,
        ownerId,
        purpose: "post",
        ...stored,
        hasPoster: upload.hasPoster && stored.kind !== "image",
        createdAt: now,
        unusedSince: now,
      }),
      ctx.db.delete(mediaUploadParts).where(eq(mediaUploadParts.uploadId, uploadId)),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
  }
  // The camera's metadata is deleted with the original. After a crash before this line the sweeper
  // deletes it.
  if (stored.kind === "image") await ctx.mediaStore.delete([originalKey(upload)]);
  return await storedMedia(ctx, { ownerId, uploadId });
}

/** Deletes an upload and its bytes. Refuses one that is over or of another owner. */
export async function abortUpload(
  ctx: Context,
  { ownerId, uploadId }: OwnedUploadRef,
): Promise<void> {
  const upload = await openUpload(ctx, { ownerId, uploadId });
  await refusingStale(() =>
    commit(ctx.db, [
      mustChangeOne(
        ctx.db.update(mediaUploads).set({ state: "aborted" }).where(isOpen(uploadId, ownerId)),
      ),
    ]),
  );
  await purgeAbortedUpload(ctx, upload);
}

/** Deletes the bucket objects of an aborted upload, and then its rows. Safe to repeat. */
export async function purgeAbortedUpload(
  ctx: Context,
  upload: Pick<UploadRow, "id" | "bucketUploadId">,
): Promise<void> {
  await ctx.mediaStore.abandonUpload(originalKey(upload), upload.bucketUploadId);
  await ctx.mediaStore.delete([
    originalKey(upload),
    mediaKey(upload.id, "poster"),
    mediaKey(upload.id, "face"),
  ]);
  await commit(ctx.db, [
    ctx.db.delete(mediaUploadParts).where(eq(mediaUploadParts.uploadId, upload.id)),
    ctx.db
      .delete(mediaUploads)
      .where(and(eq(mediaUploads.id, upload.id), eq(mediaUploads.state, "aborted"))),
  ]);
}

/** Reads the open upload of `ownerId`; throws UploadNotFound without one. */
export async function openUpload(ctx: Context, own: OwnedUploadRef): Promise<UploadRow> {
  const upload = await uploadRow(ctx, own);
  if (upload?.state !== "open") throw new UploadNotFound();
  return upload;
}

/**
 * Assembles the object. Accepts an existing object of the right size: two tabs may complete at
 * once, and a response may be lost.
 */
async function assemble(
  ctx: Context,
  upload: UploadRow,
  parts: { number: number; etag: string }[],
): Promise<void> {
  const key = originalKey(upload);
  if ((await ctx.mediaStore.sizeOf(key)) === upload.sizeBytes) return;
  try {
    await ctx.mediaStore.finishUpload(key, upload.bucketUploadId, parts);
  } catch (error) {
    if ((await ctx.mediaStore.sizeOf(key)) === upload.sizeBytes) return;
    if (error instanceof Refusal)
      await commit(ctx.db, [
        ctx.db.delete(mediaUploadParts).where(eq(mediaUploadParts.uploadId, upload.id)),
      ]);
    throw error;
  }
}

async function storeOrDiscard(ctx: Context, upload: UploadRow) {
  try {
    return await saveFile(ctx, upload);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await commit(ctx.db, [
      ctx.db
        .update(mediaUploads)
        .set({ state: "aborted" })
        .where(isOpen(upload.id, upload.ownerId)),
    ]);
    await purgeAbortedUpload(ctx, upload);
    throw error;
  }
}

async function storedMedia(
  ctx: Context,
  { ownerId, uploadId }: OwnedUploadRef,
): Promise<MediaItem> {
  const [item] = await ownedMedia(ctx, { ownerId, mediaIds: [uploadId] });
  if (!item) throw new UploadNotFound();
  return item;
}

function touch(ctx: Context, { ownerId, uploadId }: OwnedUploadRef) {
  return ctx.db.update(mediaUploads).set({ touchedAt: ctx.now() }).where(isOpen(uploadId, ownerId));
}

function isOpen(uploadId: string, ownerId: string) {
  return and(
    eq(mediaUploads.id, uploadId),
    eq(mediaUploads.ownerId, ownerId),
    eq(mediaUploads.state, "open"),
  );
}

function originalKey(upload: { id: string }): string {
  return mediaKey(upload.id, "original");
}

async function refusingStale(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw error instanceof StaleWrite ? new UploadNotFound() : error;
  }
}

/** Returns how many bytes `ownerId` stores. */
export async function storedBytes(ctx: Context, { ownerId }: { ownerId: string }): Promise<number> {
  const [row] = await ctx.db
    .select({ storedBytes: mediaUsage.storedBytes })
    .from(mediaUsage)
    .where(eq(mediaUsage.ownerId, ownerId))
    .limit(1);
  return row?.storedBytes ?? 0;
}
