import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { APPROVAL_DAYS } from "#app/domain/documents/rules.ts";
import { documentFilesStatement, documentViewsStatement, keptKinds, sameCpfStatement } from "#app/domain/documents/queries/files.server.ts";
import { warnedUntil } from "#app/domain/documents/rules/calendar.ts";
import { renewableUntil } from "#app/domain/documents/rules/files.ts";
import type { Documents, FileKind } from "#app/domain/documents/schema.ts";
import type { TaxId, TaxKind } from "#app/domain/identity/rules/tax-ids.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { hasTurn } from "#app/domain/setbacks/queries.server.ts";
import { addDays, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const documentsColumns = {
  personId: documents.personId,
  status: documents.status,
  cpf: documents.cpf,
  fullName: documents.fullName,
  birthDate: documents.birthDate,
  cnpj: documents.cnpj,
  companyName: documents.companyName,
  // Generated from columns that are never null.
  sellerName: sql<string>`${documents.sellerName}`.as("seller_name"),
  taxKind: sql<TaxKind>`${documents.taxKind}`.as("tax_kind"),
  taxId: sql<string>`${documents.taxId}`.as("tax_id"),
  rejectionReason: documents.rejectionReason,
  rejectionCode: documents.rejectionCode,
  filesAt: documents.filesAt,
  expiresOn: documents.expiresOn,
  remindedAt: documents.remindedAt,
  submittedAt: documents.submittedAt,
  decidedAt: documents.decidedAt,
};

/** The statement behind `documentsOf`, for pages that read more in the same round trip. */
export function documentsStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db.select(documentsColumns).from(documents).where(eq(documents.personId, personId)).limit(1);
}

/** The documents of a person, or null while they were never sent. */
export async function documentsOf(ctx: Context, { personId }: { personId: string }): Promise<Documents | null> {
  const [row] = await documentsStatement(ctx, { personId });
  return row ?? null;
}

/** The documents of a person and what came whole of their files, in one round trip. */
export async function papersStanding(ctx: Context, { personId }: { personId: string }) {
  const [[row], files] = await ctx.db.batch([documentsStatement(ctx, { personId }), documentFilesStatement(ctx, { personId })]);
  return { documents: row ?? null, files };
}

/** `maySell` as a condition: true when `personId` (an SQL expression) may sell at `now`. */
export function sellsAt(personId: SQL, now: Instant): SQL {
  return sql`EXISTS (SELECT 1 FROM documents proof WHERE proof.person_id = ${personId} AND (proof.status = 'approved' OR (proof.status = 'submitted' AND proof.submitted_at > ${addDays(now, -APPROVAL_DAYS)})))`;
}

/**
 * The account other than `personId`'s that sells under this CPF or CNPJ, was not rejected and still exists, or null. `isEmpty`: its 14 days are over and no file of it ever
 * came whole, so that nothing but words says that the number is theirs.
 */
export async function taxIdHolder(ctx: Context, { personId, taxId }: { personId: string } & Pick<TaxId, "taxId">): Promise<{ personId: string; submittedAt: Instant; isEmpty: boolean } | null> {
  const [row] = await ctx.db
    .select({ personId: documents.personId, submittedAt: documents.submittedAt, isEmpty: sql<number>`(${wordsOnly(ctx.now())})` })
    .from(documents)
    .where(and(eq(documents.taxId, taxId), ne(documents.personId, personId), ne(documents.status, "rejected"), isNull(documents.archivedAt)))
    .limit(1);
  return row ? { ...row, isEmpty: row.isEmpty === 1 } : null;
}

/** Documents that wait since before the 14 days and have no file. */
export const wordsOnly = (now: Instant): SQL => sql`${documents.status} = 'submitted' AND ${documents.submittedAt} <= ${addDays(now, -APPROVAL_DAYS)}
  AND NOT EXISTS (SELECT 1 FROM document_files came WHERE came.person_id = ${documents.personId} AND came.state = 'kept')`;

/** Whether somebody of this CPF, who sold under it or for a company, was banned; documents of deleted accounts say so too. */
export async function isCpfBanned(ctx: Context, { personId, cpf }: { personId: string; cpf: string }): Promise<boolean> {
  const rows = await ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .where(and(eq(documents.cpf, cpf), ne(documents.personId, personId), isNotNull(people.bannedAt)))
    .limit(1);
  return rows.length > 0;
}

export async function isModerator(ctx: Context, { personId }: { personId: string }): Promise<boolean> {
  const [person] = await ctx.db.select({ isModerator: people.isModerator }).from(people).where(eq(people.id, personId)).limit(1);
  return person?.isModerator ?? false;
}

export type DocumentsUnderDecision = Documents & { name: string; username: string; email: string; /** What was sent whole. */ kinds: FileKind[] };

function withPerson(ctx: Context) {
  return ctx.db
    .select({ ...documentsColumns, name: profiles.name, username: profiles.username, email: people.email, kinds: keptKinds })
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .innerJoin(profiles, eq(profiles.personId, documents.personId));
}

/** What waits for a moderator, oldest first: who sent first is answered first. */
export async function pendingDocuments(
  ctx: Context,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<DocumentsUnderDecision>> {
  const after = decodeCursor(cursor);
  const rows = await withPerson(ctx)
    .where(
      and(
        eq(documents.status, "submitted"),
        after
          ? or(
              gt(documents.submittedAt, after.at),
              and(eq(documents.submittedAt, after.at), gt(documents.personId, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(asc(documents.submittedAt), asc(documents.personId))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.submittedAt, id: row.personId }));
}

const VIEWS_SHOWN = 50;

/** All that a moderator sees of one person's documents, in one round trip; null when none were sent. */
export async function documentsForModerator(ctx: Context, { personId }: { personId: string }) {
  const [[found], files, views, others] = await ctx.db.batch([
    withPerson(ctx).where(eq(documents.personId, personId)).limit(1),
    documentFilesStatement(ctx, { personId }),
    documentViewsStatement(ctx, { personId, limit: VIEWS_SHOWN }),
    sameCpfStatement(ctx, { personId }),
  ]);
  return found ? { documents: found, files, views, others } : null;
}

/** One person's documents as a moderator decides them, or null when none were sent. */
export async function documentsUnderDecision(
  ctx: Context,
  { personId }: { personId: string },
): Promise<DocumentsUnderDecision | null> {
  const [row] = await withPerson(ctx).where(eq(documents.personId, personId)).limit(1);
  return row ?? null;
}

/** Whose documents the calendar may ask something of at `now` (`documentsStep`): the deadline of the 14 days, and the end of a paper. */
export async function documentsDue(ctx: Context, { now, limit }: { now: Instant; limit: number }): Promise<string[]> {
  const [waiting, ending] = await ctx.db.batch([
    ctx.db
      .select({ personId: documents.personId })
      .from(documents)
      .where(and(eq(documents.status, "submitted"), gt(documents.submittedAt, addDays(now, -APPROVAL_DAYS)), lte(documents.submittedAt, warnedUntil(now)), isNull(documents.remindedAt), isNull(documents.archivedAt), hasTurn(ctx, documents.personId)))
      .limit(limit),
    ctx.db
      .select({ personId: documents.personId })
      .from(documents)
      .where(
        and(
          eq(documents.status, "approved"),
          lte(documents.expiresOn, renewableUntil(now)),
          or(isNull(documents.remindedAt), sql`${documents.expiresOn} < ${isoDay(now)}`),
          isNull(documents.archivedAt),
          hasTurn(ctx, documents.personId),
        ),
      )
      .limit(limit),
  ]);
  return [...waiting, ...ending].map(({ personId }) => personId);
}
