import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { NotAModerator, OwnDocuments } from "#app/domain/documents/errors.ts";
import { isModerator } from "#app/domain/documents/queries.server.ts";
import { documentFile, documentKey } from "#app/domain/documents/queries/files.server.ts";
import type { DocumentFile } from "#app/domain/documents/schema.ts";
import { documentViews } from "#drizzle/schema/documents.ts";

/**
 * Opens a file of somebody's documents to a moderator: first the line of who looked at what, then the bytes; null when there is no such file.
 * Refuses NotAModerator, and OwnDocuments for one's own.
 */
export async function openDocumentFile(ctx: Context, { moderatorId, personId, fileId }: { moderatorId: string; personId: string; fileId: string }): Promise<{ file: DocumentFile; body: ReadableStream; sizeBytes: number } | null> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new NotAModerator();
  if (moderatorId === personId) throw new OwnDocuments();
  const file = await documentFile(ctx, { personId, fileId });
  if (!file) return null;
  await commit(ctx.db, [ctx.db.insert(documentViews).values({ id: ctx.newId(), personId, fileId, kind: file.kind, viewerId: moderatorId, viewedAt: ctx.now() })]);
  const object = await ctx.mediaStore.get(documentKey(file));
  return object && { file, body: object.body, sizeBytes: object.sizeBytes };
}
