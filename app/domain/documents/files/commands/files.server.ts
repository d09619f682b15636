import { and, eq, inArray, lte, or, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { DocumentFileRefused, TooManyDocumentFiles } from "#app/domain/documents/files/errors.ts";
import { DocumentsNotEditable } from "#app/domain/documents/errors.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { documentKey } from "#app/domain/documents/files/queries.server.ts";
import {
  inspectDocumentFile,
  canChangeFiles,
  DOCUMENT_WIDTH_PIXELS,
  renewalCutoff,
} from "#app/domain/documents/files/rules.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { resizedOrRefused } from "#app/domain/media/commands/save-file.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { documentFiles, documents } from "#drizzle/schema/documents.ts";

/** Three or four files are needed, and photos are often retaken. */
const FILE_LIMITS = [{ windowMs: HOUR_MS, limit: 60 }] as const;

/**
 * Saves a photo or PDF of a person's document, and replaces any of its kind. A photo is encoded
 * again, which removes its metadata of place and device. Throws DocumentFileRefused by its bytes.
 * Throws DocumentsNotEditable unless documents wait for a decision or are about to expire. Throws
 * TooManyDocumentFiles (`FILE_LIMITS`), because each file is decoded and stored.
 */
export async function saveDocumentFile(
  ctx: Context,
  { personId, kind, bytes }: { personId: string; kind: FileKind; bytes: Uint8Array<ArrayBuffer> },
): Promise<void> {
  const judged = inspectDocumentFile(kind, bytes);
  if (!judged.ok) throw new DocumentFileRefused(judged.why);
  if (!canChangeFiles(await documentsOfPerson(ctx, { personId }), ctx.now()))
    throw new DocumentsNotEditable();
  await countAction(
    ctx,
    { act: "document-file", personId, limits: FILE_LIMITS },
    () => new TooManyDocumentFiles(),
  );
  const whole = bytes.buffer.byteLength === bytes.byteLength ? bytes.buffer : bytes.slice().buffer;
  const image = judged.isImage
    ? (
        await resizedOrRefused(
          ctx,
          whole,
          DOCUMENT_WIDTH_PIXELS,
          () => new DocumentFileRefused("broken"),
        )
      ).bytes
    : whole;
  const file = {
    id: ctx.newId(),
    personId,
    kind,
    contentType: judged.isImage ? ("image/webp" as const) : ("application/pdf" as const),
    sizeBytes: image.byteLength,
    createdAt: ctx.now(),
  };
  await commit(ctx.db, [ctx.db.insert(documentFiles).values({ ...file, state: "arriving" })]);
  await ctx.mediaStore.put(documentKey(file), image, file.contentType);
  try {
    await commit(ctx.db, [
      stillOpenStatement(ctx, { personId }),
      removeDocumentFilesStatement(ctx, { personId, kinds: [kind] }),
      mustChangeOne(
        ctx.db
          .update(documentFiles)
          .set({ state: "kept" })
          .where(and(eq(documentFiles.id, file.id), eq(documentFiles.state, "arriving"))),
      ),
    ]);
  } catch (error) {
    // Decided or deleted while the bytes arrived.
    if (error instanceof StaleWrite || error instanceof UniqueViolation)
      throw new DocumentsNotEditable();
    throw error;
  }
  await purgeRemovedFiles(ctx, { personId });
}

/** Records that files changed. Throws StaleWrite unless they can be changed, as in `canChangeFiles`. */
function stillOpenStatement(ctx: Context, { personId }: { personId: string }): BatchWrite {
  const now = ctx.now();
  return mustChangeOne(
    ctx.db
      .update(documents)
      .set({ filesAt: sql`MAX(COALESCE(${documents.filesAt}, 0) + 1, CAST(${now} AS INTEGER))` })
      .where(
        and(
          eq(documents.personId, personId),
          or(
            inArray(documents.status, ["submitted", "contested"]),
            and(eq(documents.status, "approved"), lte(documents.expiresOn, renewalCutoff(now))),
          ),
        ),
      ),
  );
}

/**
 * Removes the complete files of these kinds from a person's documents. `purgeRemovedFiles` deletes
 * their bytes.
 */
export function removeDocumentFilesStatement(
  ctx: Context,
  { personId, kinds }: { personId: string; kinds: readonly FileKind[] },
): BatchWrite {
  return ctx.db
    .update(documentFiles)
    .set({ state: "removed" })
    .where(
      and(
        eq(documentFiles.personId, personId),
        inArray(documentFiles.kind, [...kinds]),
        eq(documentFiles.state, "kept"),
      ),
    );
}

/** Deletes bytes before rows: a row without bytes can be found again, bytes without a row cannot. */
export async function purgeRemovedFiles(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  await forgetFiles(
    ctx,
    await ctx.db
      .select({ id: documentFiles.id, personId: documentFiles.personId })
      .from(documentFiles)
      .where(and(eq(documentFiles.personId, personId), eq(documentFiles.state, "removed")))
      .limit(100),
  );
}

/**
 * Erases up to `limit` files of a departing member. The law asks to keep a seller's data, not the
 * pictures. Returns the number of files.
 */
export async function eraseDocumentFiles(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const files = await ctx.db
    .select({ id: documentFiles.id, personId: documentFiles.personId })
    .from(documentFiles)
    .where(eq(documentFiles.personId, personId))
    .limit(limit);
  await forgetFiles(ctx, files);
  return files.length;
}

async function forgetFiles(ctx: Context, files: { id: string; personId: string }[]): Promise<void> {
  if (files.length === 0) return;
  await ctx.mediaStore.delete(files.map(documentKey));
  await ctx.db
    .delete(documentFiles)
    .where(
      inArray(
        documentFiles.id,
        sql`(SELECT value FROM json_each(${JSON.stringify(files.map(({ id }) => id))}))`,
      ),
    );
}
