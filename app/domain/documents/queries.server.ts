import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { APPROVAL_DAYS } from "./rules.ts";
import {
  contestedStatement,
  isTaxIdBarredSql,
  isTaxIdPartySql,
  canTakeTaxIdSql,
  taxIdPartyStatement,
  contestantFilesStatement,
  contestantsStatement,
} from "#app/domain/documents/contests/queries.server.ts";
import {
  documentFilesStatement,
  documentViewsStatement,
  savedFileKinds,
  sameCpfStatement,
  unopenedFilesStatement,
} from "#app/domain/documents/files/queries.server.ts";
import {
  latestRegistryAnswers,
  registryAnswersStatement,
} from "#app/domain/documents/registry/queries.server.ts";
import { warningCutoff } from "#app/domain/documents/expiry/rules.ts";
import {
  missingFiles,
  renewalCutoff,
  salesEndWithoutFiles,
} from "#app/domain/documents/files/rules.ts";
import type { MissingFile } from "#app/domain/documents/files/rules.ts";
import { taxIdChecks } from "#app/domain/documents/registry/rules.ts";
import type { TaxIdCheck } from "#app/domain/documents/registry/rules.ts";
import type { Documents } from "./schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import type { TaxKind } from "#app/domain/identity/tax-ids/rules.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { addDays, DAY_MS, isoDay } from "#app/domain/time.ts";
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
  statedBirthDate: documents.statedBirthDate,
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
  numberUntil: documents.numberUntil,
};

/** Builds the statement behind `documentsOfPerson`, for pages that read more in the same round trip. */
export function documentsStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select(documentsColumns)
    .from(documents)
    .where(eq(documents.personId, personId))
    .limit(1);
}

/** Reads the documents of a person, or null if they never sent any. */
export async function documentsOfPerson(
  ctx: Context,
  { personId }: { personId: string },
): Promise<Documents | null> {
  const [row] = await documentsStatement(ctx, { personId });
  return row ?? null;
}

/**
 * Builds the statements behind `loadDocumentStatus`, for pages that read more in the same round
 * trip.
 */
export function documentStatusStatements(ctx: Context, { personId }: { personId: string }) {
  return [
    documentsStatement(ctx, { personId }),
    documentFilesStatement(ctx, { personId }),
    contestedStatement(ctx, { personId }),
  ] as const;
}

/**
 * Reads the documents of a person, the kinds of their complete files, and whether their tax id is
 * contested. One round trip.
 */
export async function loadDocumentStatus(ctx: Context, { personId }: { personId: string }) {
  const [[row], files, contests] = await ctx.db.batch(documentStatusStatements(ctx, { personId }));
  return { documents: row ?? null, files, isContested: contests.length > 0 };
}

/**
 * Reads which files a selling person still has to send, and when selling stops without them; null
 * while it has no such end.
 */
export async function salesDeadline(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ missing: MissingFile[]; endsAt: Instant } | null> {
  const [[row], files] = await ctx.db.batch([
    documentsStatement(ctx, { personId }),
    documentFilesStatement(ctx, { personId }),
  ]);
  if (!row) return null;
  const kinds = files.map(({ kind }) => kind);
  const missing = missingFiles(kinds, row.cnpj !== null);
  const endsAt = salesEndWithoutFiles(row, missing);
  return endsAt === null ? null : { missing, endsAt };
}

/**
 * `canSell` as a SQL condition: true when `personId` (an SQL expression) can sell at `now`. The SQL
 * subtracts, because `now` can be a placeholder.
 */
export function canSellSql(personId: SQL, now: Instant): SQL {
  return sql`EXISTS (SELECT 1 FROM documents proof WHERE proof.person_id = ${personId} AND (proof.status = 'approved' OR (proof.status = 'submitted' AND proof.submitted_at > ${now} - ${APPROVAL_DAYS * DAY_MS})))`;
}

/**
 * Whether a person with this CPF, who sold under it or for a company, was banned. False when a
 * moderator decided that the CPF was not theirs (`isTaxIdBarredSql`). Includes documents of deleted
 * accounts.
 */
export async function isCpfBanned(
  ctx: Context,
  { personId, cpf }: { personId: string; cpf: string },
): Promise<boolean> {
  const rows = await ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .where(
      and(
        eq(documents.cpf, cpf),
        ne(documents.personId, personId),
        isNotNull(people.bannedAt),
        isTaxIdBarredSql("documents"),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function isModerator(
  ctx: Context,
  { personId }: { personId: string },
): Promise<boolean> {
  const [person] = await ctx.db
    .select({ isModerator: people.isModerator })
    .from(people)
    .where(eq(people.id, personId))
    .limit(1);
  return person?.isModerator ?? false;
}

export type DocumentsUnderDecision = Documents & {
  name: string;
  username: string;
  email: string;
  /** The kinds of the complete files. */
  kinds: FileKind[];
};

const decidedColumns = {
  ...documentsColumns,
  name: profiles.name,
  username: profiles.username,
  email: people.email,
  kinds: savedFileKinds,
};

function withPerson(ctx: Context) {
  return ctx.db
    .select(decidedColumns)
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .innerJoin(profiles, eq(profiles.personId, documents.personId));
}

/**
 * `isRenewalPending` as a condition that matches the text of the index `documents_renewed`. The `+`
 * keeps SQLite from scanning every approved row.
 */
const renewed: SQL = sql`+${documents.status} = 'approved' AND ${documents.filesAt} > ${documents.decidedAt} AND ${documents.filesAt} > 0`;
/** Since when documents wait for a moderator. */
const waitsSince = sql<Instant>`CASE ${documents.status} WHEN 'approved' THEN ${documents.filesAt} ELSE ${documents.submittedAt} END`;

/** Which documents wait for `moderatorId`. */
const pendingFor = (moderatorId: string): SQL | undefined =>
  and(
    or(
      inArray(documents.status, ["submitted", "contested"]),
      and(renewed, isNull(documents.archivedAt)),
    ),
    sql`NOT ${isTaxIdPartySql({ moderatorId, personId: sql`${documents.personId}` })}`,
  );

/** Builds the statement that counts what `pendingDocuments` lists, for the staff's home. */
export function pendingDocumentsCountStatement(
  ctx: Context,
  { moderatorId }: { moderatorId: string },
) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("documents_count"),
      oldestAt: sql<Instant | null>`MIN(${waitsSince})`.as("documents_oldest_at"),
    })
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .innerJoin(profiles, eq(profiles.personId, documents.personId))
    .where(pendingFor(moderatorId));
}

/**
 * Returns the documents that wait for `moderatorId` (`awaitsDecision`), oldest first. Leaves out
 * those whose tax id is also the moderator's (`isTaxIdPartySql`).
 */
export async function pendingDocuments(
  ctx: Context,
  { moderatorId, cursor, limit }: { moderatorId: string; cursor: string | null; limit: number },
): Promise<Page<DocumentsUnderDecision & { waitsSince: Instant; numbers: TaxIdCheck[] }>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({
      ...decidedColumns,
      waitsSince: waitsSince.as("waits_since"),
      answers: latestRegistryAnswers,
    })
    .from(documents)
    .innerJoin(people, eq(people.id, documents.personId))
    .innerJoin(profiles, eq(profiles.personId, documents.personId))
    .where(
      and(
        pendingFor(moderatorId),
        after
          ? sql`(${waitsSince}, ${documents.personId}) > (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(waitsSince), asc(documents.personId))
    .limit(limit + 1);
  const page = pageOf(rows, limit, (row) => ({ at: row.waitsSince, id: row.personId }));
  return {
    ...page,
    items: page.items.map(({ answers, ...row }) => ({
      ...row,
      numbers: taxIdChecks(row, answers),
    })),
  };
}

const VIEWS_SHOWN = 50;

/**
 * Builds the statements that read all that a moderator sees of one person's documents, for
 * `viewDocumentsAsModerator`.
 */
export function moderatorDocumentStatements(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
) {
  return [
    withPerson(ctx).where(eq(documents.personId, personId)).limit(1),
    documentFilesStatement(ctx, { personId }),
    documentViewsStatement(ctx, { personId, limit: VIEWS_SHOWN }),
    sameCpfStatement(ctx, { personId }),
    taxIdPartyStatement(ctx, { moderatorId, personId }),
    contestantsStatement(ctx, { personId }),
    contestantFilesStatement(ctx, { personId }),
    registryAnswersStatement(ctx, { personId }),
    unopenedFilesStatement(ctx, { moderatorId, personId }),
  ] as const;
}

/** Reads one person's documents as a moderator decides them, or null when there are none. */
export async function documentsUnderDecision(
  ctx: Context,
  { personId }: { personId: string },
): Promise<DocumentsUnderDecision | null> {
  const [row] = await withPerson(ctx).where(eq(documents.personId, personId)).limit(1);
  return row ?? null;
}

/**
 * Returns whose documents may have a due step at `now` (`documentsStep`). Steps are the 14-day
 * deadline, a contest that ended, and an expiry.
 */
export async function dueDocuments(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const [waiting, unopposed, ending] = await Promise.all([
    ctx.db
      .select({ personId: documents.personId })
      .from(documents)
      .where(
        and(
          eq(documents.status, "submitted"),
          gt(documents.submittedAt, addDays(now, -APPROVAL_DAYS)),
          lte(documents.submittedAt, warningCutoff(now)),
          isNull(documents.remindedAt),
          isNull(documents.archivedAt),
          isRetryDue(ctx, documents.personId),
        ),
      )
      .limit(limit),
    ctx.db
      .select({ personId: documents.personId })
      .from(documents)
      .where(and(canTakeTaxIdSql(now), isRetryDue(ctx, documents.personId)))
      .orderBy(documents.submittedAt)
      .limit(limit),
    ctx.db
      .select({ personId: documents.personId })
      .from(documents)
      .where(
        and(
          eq(documents.status, "approved"),
          lte(documents.expiresOn, renewalCutoff(now)),
          or(
            and(isNull(documents.remindedAt), sql`NOT COALESCE(${renewed}, 0)`),
            sql`${documents.expiresOn} < CASE WHEN ${renewed} THEN ${isoDay(addDays(now, -APPROVAL_DAYS))} ELSE ${isoDay(now)} END`,
          ),
          isNull(documents.archivedAt),
          isRetryDue(ctx, documents.personId),
        ),
      )
      .limit(limit),
  ]);
  return [...waiting, ...unopposed, ...ending].map(({ personId }) => personId);
}
