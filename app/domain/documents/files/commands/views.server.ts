import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  DocumentModeratorRequired,
  DocumentsConflictOfInterest,
  TaxIdConflictOfInterest,
} from "#app/domain/documents/errors.ts";
import {
  documentsStatement,
  isModerator,
  moderatorDocumentStatements,
} from "#app/domain/documents/queries.server.ts";
import {
  isTaxIdPartySql,
  isContestingSql,
  RIVALS_MAX,
  taxIdPartyStatement,
  contestantFilesStatement,
  contestantOrder,
} from "#app/domain/documents/contests/queries.server.ts";
import { documentFile, documentKey } from "#app/domain/documents/files/queries.server.ts";
import { teamMembersWithMoneyAccess } from "#app/domain/identity/colleagues/queries.server.ts";
import { isRenewalPending } from "#app/domain/documents/rules.ts";
import { DETAILS_VIEW, DETAILS_VIEW_WINDOW_MS } from "#app/domain/documents/files/rules.ts";
import type { DocumentFile } from "#app/domain/documents/schema.ts";
import { documents, documentViews } from "#drizzle/schema/documents.ts";

/**
 * Opens a file of a person's documents to a moderator. Logs the view first, then returns the bytes.
 * Returns null when there is no such file. Throws DocumentModeratorRequired,
 * DocumentsConflictOfInterest for one's own documents, and TaxIdConflictOfInterest without a log
 * entry, as `viewDocumentsAsModerator`.
 */
export async function openDocumentFile(
  ctx: Context,
  { moderatorId, personId, fileId }: { moderatorId: string; personId: string; fileId: string },
): Promise<{ file: DocumentFile; body: ReadableStream; sizeBytes: number } | null> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new DocumentModeratorRequired();
  if (moderatorId === personId) throw new DocumentsConflictOfInterest();
  const [file, own] = await Promise.all([
    documentFile(ctx, { personId, fileId }),
    taxIdPartyStatement(ctx, { moderatorId, personId }),
  ]);
  if (!file) return null;
  if (own.length > 0) throw new TaxIdConflictOfInterest();
  await commit(ctx.db, [
    ctx.db.insert(documentViews).values({
      id: ctx.newId(),
      personId,
      fileId,
      kind: file.kind,
      viewerId: moderatorId,
      viewedAt: ctx.now(),
    }),
  ]);
  const object = await ctx.mediaStore.get(documentKey(file));
  return object && { file, body: object.body, sizeBytes: object.sizeBytes };
}

/**
 * Reads all that a moderator sees of a person's documents. That includes full tax ids, birth date,
 * e-mail, and the contestants of the same tax id. Returns null when there are none. Logs the view
 * in the same round trip: one entry for each account shown, moderator and hour. A moderator's own
 * documents are not logged, and show nobody else's. `sideOf` says why this moderator cannot decide.
 * Throws TaxIdConflictOfInterest when the moderator's own documents, of any status, name that tax
 * id or CPF (`isTaxIdPartySql`). Then nothing is logged. The page checks that the viewer is a
 * moderator. Source: issue 6, "each view logged";
 * docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export async function viewDocumentsAsModerator(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
) {
  const now = ctx.now();
  const rival = isContestingSql({ personId, now });
  const line = sql`SELECT ${`${DETAILS_VIEW}:`} || documents.person_id || ${`:${moderatorId}:${Math.floor(now / DETAILS_VIEW_WINDOW_MS)}`}, documents.person_id, '', ${DETAILS_VIEW}, ${moderatorId}, CAST(${now} AS INTEGER) FROM documents`;
  const isOther = sql`${personId} <> ${moderatorId} AND NOT ${isTaxIdPartySql({ moderatorId, personId })}`;
  const lines = [
    sql`${line} WHERE ${documents.personId} = ${personId} AND ${isOther}`,
    sql`${line} WHERE ${rival} AND ${isOther} ORDER BY ${contestantOrder} LIMIT ${RIVALS_MAX}`,
  ] as const;
  const [seen, seenRivals] = [
    ctx.db.insert(documentViews).select(lines[0]).onConflictDoNothing(),
    ctx.db.insert(documentViews).select(lines[1]).onConflictDoNothing(),
  ];
  const [, , team, [found], files, views, others, own, rivals, rivalFiles, answers, unopened] =
    await ctx.db.batch([
      seen,
      seenRivals,
      teamMembersWithMoneyAccess(ctx, { creatorId: personId }),
      ...moderatorDocumentStatements(ctx, { moderatorId, personId }),
    ]);
  if (!found) return null;
  if (own.length > 0) throw new TaxIdConflictOfInterest();
  const other = moderatorId === personId ? { rivals: [], rivalFiles: [] } : { rivals, rivalFiles };
  return {
    documents: found,
    files,
    views,
    others,
    answers,
    unopened: unopened.map(({ kind }) => kind),
    sideOf: sideOf({ moderatorId, personId, team }),
    ...other,
  };
}

/**
 * Reads the rejection reasons that a moderator can choose; null when there are no documents.
 * `isCompared`: another account sent files with the same tax id. Throws TaxIdConflictOfInterest as
 * `viewDocumentsAsModerator`, and DocumentsConflictOfInterest as `rejectDocuments`.
 */
export async function loadRejectionOptions(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
) {
  const [[found], team, own, rivalFiles] = await ctx.db.batch([
    documentsStatement(ctx, { personId }),
    teamMembersWithMoneyAccess(ctx, { creatorId: personId }),
    taxIdPartyStatement(ctx, { moderatorId, personId }),
    contestantFilesStatement(ctx, { personId }),
  ]);
  if (sideOf({ moderatorId, personId, team }) !== null) throw new DocumentsConflictOfInterest();
  if (own.length > 0) throw new TaxIdConflictOfInterest();
  return found
    ? {
        personId,
        sellerName: found.sellerName,
        isCompany: found.cnpj !== null,
        isApproved: found.status === "approved",
        /** Until when the old document counts, where a new one was sent. */
        standsUntil: isRenewalPending(found) ? found.expiresOn : null,
        isCompared: rivalFiles.length > 0,
      }
    : null;
}

/**
 * Returns why a moderator cannot decide these documents. They are their own, or of a page whose
 * money they see as a team member. Null for everybody else.
 */
function sideOf({
  moderatorId,
  personId,
  team,
}: {
  moderatorId: string;
  personId: string;
  team: readonly { personId: string }[];
}): "own" | "team" | null {
  if (moderatorId === personId) return "own";
  return team.some((one) => one.personId === moderatorId) ? "team" : null;
}
