import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents, documentViews } from "#drizzle/schema/documents.ts";

/**
 * The statements after which a person's documents are gone, or, where they ever sold something, are only kept for the law: who was
 * paid must be known for five years (Código Tributário Nacional, art. 195). The CPF or CNPJ is free for a new account at once. Files are gone before (`eraseDocumentFiles`).
 */
export function erasedDocumentsStatements(ctx: Context, { personId }: { personId: string }): Write[] {
  const sold = sql`EXISTS (SELECT 1 FROM charges WHERE charges.creator_id = ${personId} AND charges.succeeded_at IS NOT NULL)`;
  return [
    ctx.db.delete(documents).where(and(eq(documents.personId, personId), sql`NOT ${sold}`)),
    ctx.db.update(documents).set({ archivedAt: ctx.now() }).where(eq(documents.personId, personId)),
  ];
}

/** Deletes up to `limit` documents that were archived before `before`: the law asks for them no longer. */
export async function forgetArchivedDocuments(ctx: Context, { before, limit }: { before: Instant; limit: number }): Promise<void> {
  const old = ctx.db.select({ personId: documents.personId }).from(documents).where(and(isNotNull(documents.archivedAt), lt(documents.archivedAt, before))).limit(limit);
  await ctx.db.delete(documents).where(sql`${documents.personId} IN ${old}`);
  // Who looked at what is kept no longer than what was looked at.
  await ctx.db.delete(documentViews).where(sql`rowid IN (SELECT v.rowid FROM document_views v WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.person_id = v.person_id) LIMIT ${limit})`);
}
