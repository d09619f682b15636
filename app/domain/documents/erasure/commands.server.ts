import { and, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents, documentViews, registryAnswers } from "#drizzle/schema/documents.ts";
import { contestClosedStatements } from "#app/domain/documents/contests/commands.server.ts";

/**
 * Erases a person's documents. Archives them if they ever sold something. The law requires payees
 * to be known for five years (Código Tributário Nacional, art. 195). The CPF or CNPJ is free for a
 * new account at once. The holder of a tax id that they contested is notified that nobody does any
 * more. `eraseDocumentFiles` erases the files before.
 */
export async function eraseDocumentsStatements(
  ctx: Context,
  { personId }: { personId: string },
): Promise<BatchWrite[]> {
  const sold = sql`EXISTS (SELECT 1 FROM charges WHERE charges.creator_id = ${personId} AND charges.succeeded_at IS NOT NULL)`;
  const isGone = sql`NOT EXISTS (SELECT 1 FROM documents d WHERE d.person_id = ${personId})`;
  const current = await documentsOfPerson(ctx, { personId });
  return [
    ...(current ? await contestClosedStatements(ctx, current) : []),
    ctx.db.delete(documents).where(and(eq(documents.personId, personId), sql`NOT ${sold}`)),
    ctx.db.delete(registryAnswers).where(and(eq(registryAnswers.personId, personId), isGone)),
    ctx.db.delete(documentViews).where(and(eq(documentViews.personId, personId), isGone)),
    ctx.db.update(documents).set({ archivedAt: ctx.now() }).where(eq(documents.personId, personId)),
  ];
}

/**
 * Purges up to `limit` documents that were archived before `before`: the law no longer requires
 * them. Purges their registry answers and view logs in the same batch.
 */
export async function purgeArchivedDocuments(
  ctx: Context,
  { before, limit }: { before: Instant; limit: number },
): Promise<void> {
  const old = await ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .where(and(isNotNull(documents.archivedAt), lt(documents.archivedAt, before)))
    .limit(limit);
  if (old.length === 0) return;
  const these = sql`(SELECT value FROM json_each(${JSON.stringify(old.map(({ personId }) => personId))}))`;
  await commit(ctx.db, [
    ctx.db.delete(documents).where(inArray(documents.personId, these)),
    ctx.db.delete(registryAnswers).where(inArray(registryAnswers.personId, these)),
    ctx.db.delete(documentViews).where(inArray(documentViews.personId, these)),
  ]);
}
