import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { DOCUMENT_LINK_MS } from "./rules.ts";
import { fileKinds } from "#app/domain/documents/schema/file-kinds.ts";
import type { DocumentFile } from "#app/domain/documents/schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import type { SignedLink } from "#app/domain/media/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { documentFiles, documents, documentViews } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export const documentKey = ({ personId, id }: { personId: string; id: string }): string =>
  `documents/${personId}/${id}`;

/**
 * Builds the statement of a person's complete files, for pages that read more in the same round
 * trip.
 */
export function documentFilesStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({
      id: documentFiles.id,
      personId: documentFiles.personId,
      kind: documentFiles.kind,
      contentType: documentFiles.contentType,
      sizeBytes: documentFiles.sizeBytes,
      createdAt: documentFiles.createdAt,
    })
    .from(documentFiles)
    .where(and(eq(documentFiles.personId, personId), eq(documentFiles.state, "kept")))
    .orderBy(documentFiles.createdAt)
    .limit(12);
}

/**
 * The kinds of a person's complete files, as a column joined by commas. Without files it is NULL,
 * which drizzle does not map.
 */
export const savedFileKinds = sql<
  FileKind[]
>`coalesce((SELECT group_concat(f.kind) FROM document_files f WHERE f.person_id = documents.person_id AND f.state = 'kept'), '')`
  .mapWith((kinds: string) => fileKinds.filter((kind) => kinds.split(",").includes(kind)))
  .as("kept_kinds");

export async function documentFile(
  ctx: Context,
  { personId, fileId }: { personId: string; fileId: string },
): Promise<DocumentFile | null> {
  const files = await documentFilesStatement(ctx, { personId });
  return files.find(({ id }) => id === fileId) ?? null;
}

/** Builds the statement that reads who opened files of a person, the latest first. */
export function documentViewsStatement(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
) {
  return ctx.db
    .select({
      kind: documentViews.kind,
      viewerName: profiles.name,
      viewedAt: documentViews.viewedAt,
    })
    .from(documentViews)
    .innerJoin(profiles, eq(profiles.personId, documentViews.viewerId))
    .where(eq(documentViews.personId, personId))
    .orderBy(desc(documentViews.viewedAt), desc(documentViews.id))
    .limit(limit);
}

/**
 * Builds the statement that reads which complete files of a person this moderator never opened. A
 * file that was replaced has another id, so the new one counts as not opened.
 */
export function unopenedFilesStatement(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
) {
  return ctx.db
    .select({ kind: documentFiles.kind })
    .from(documentFiles)
    .where(
      and(
        eq(documentFiles.personId, personId),
        eq(documentFiles.state, "kept"),
        sql`NOT EXISTS (SELECT 1 FROM document_views seen WHERE seen.person_id = ${documentFiles.personId} AND seen.file_id = ${documentFiles.id} AND seen.viewer_id = ${moderatorId})`,
      ),
    )
    .orderBy(documentFiles.createdAt)
    .limit(12);
}

/**
 * Builds the statement that reads other accounts whose documents name the same CPF, of any status.
 * One person may be responsible for several companies.
 */
export function sameCpfStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({
      personId: documents.personId,
      sellerName: sql<string>`${documents.sellerName}`.as("seller_name"),
      status: documents.status,
      isBanned: sql<number>`${people.bannedAt} IS NOT NULL`.mapWith(Boolean).as("is_banned"),
    })
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .where(
      and(
        sql`${documents.cpf} = (SELECT own.cpf FROM documents own WHERE own.person_id = ${personId})`,
        ne(documents.personId, personId),
      ),
    )
    .limit(10);
}

type DocumentLinkRequest = {
  moderatorId: string;
  personId: string;
  fileId: string;
  expiresAt: Instant;
};

const asLink = ({ moderatorId, personId, fileId, expiresAt }: DocumentLinkRequest): SignedLink => ({
  mediaId: documentKey({ personId, id: fileId }),
  variant: "original",
  personId: moderatorId,
  expiresAt,
});

/** Signs the URL by which one moderator opens one file, for five minutes. */
export async function documentFileLink(
  ctx: Context,
  file: Omit<DocumentLinkRequest, "expiresAt">,
): Promise<string> {
  const expiresAt = ctx.now() + DOCUMENT_LINK_MS;
  const signature = await ctx.mediaLinks.sign(asLink({ ...file, expiresAt }));
  return `/admin/documents/${file.personId}/files/${file.fileId}?${new URLSearchParams({ until: String(expiresAt), signature }).toString()}`;
}

/** Whether a URL was signed for this moderator and this file, and has not expired. */
export async function isDocumentLinkValid(
  ctx: Context,
  { signature, ...asked }: DocumentLinkRequest & { signature: string },
): Promise<boolean> {
  return (
    Number.isSafeInteger(asked.expiresAt) &&
    ctx.now() < asked.expiresAt &&
    (await ctx.mediaLinks.isGenuine(asLink(asked), signature))
  );
}
