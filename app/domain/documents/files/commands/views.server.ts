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
 * Opens a file of somebody's documents to a moderator: first the line of who looked at what, then
 * the bytes; null when there is no such file. Refuses NotAModerator, OwnDocuments for one's own,
 * and OwnNumber, without a line, as `viewDocumentsAsModerator`.
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
 * All that a moderator sees of somebody's documents (whole numbers, birth date, e-mail) and of
 * those who contest the same number; null when none were sent. In the same round trip it is written
 * down who looked: one line for each account shown, moderator and hour. One's own documents leave
 * no line, and show nobody else's. `sideOf` says why this moderator may not decide. Refuses
 * OwnNumber, without a line, to a moderator whose own documents, in any state, name that number or
 * CPF (`isTaxIdPartySql`). The page asks whether the viewer is a moderator. Source: issue 6, "each
 * view logged"; docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
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
  const [, , team, [found], files, views, others, own, rivals, rivalFiles, answers] =
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
    sideOf: sideOf({ moderatorId, personId, team }),
    ...other,
  };
}

/**
 * What a moderator who refuses documents chooses from; null when none were sent. `isCompared`:
 * another account sent files with the same number. Refuses OwnNumber as `viewDocumentsAsModerator`,
 * and OwnDocuments as `rejectDocuments`.
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
        /** Until when the old paper counts, of who sent a new one. */ standsUntil:
          isRenewalPending(found) ? found.expiresOn : null,
        isCompared: rivalFiles.length > 0,
      }
    : null;
}

/**
 * Why a moderator decides nothing about these documents: they are their own, or of who has them in
 * a team that sees their money; null for everybody else.
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
