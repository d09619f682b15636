import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { APPROVAL_DAYS } from "#app/domain/documents/rules.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documentFiles, documents } from "#drizzle/schema/documents.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/**
 * Documents that hold their tax id. Matches the text of the index `documents_tax_id`: a bound
 * parameter finds no partial index.
 */
const hasNumber: SQL = sql`${documents.status} IN ('submitted', 'approved') AND ${documents.archivedAt} IS NULL`;

/**
 * Rejected documents that their owner can correct, and that reserve their tax id for a while
 * (`NUMBER_KEPT_DAYS`).
 */
const keepsNumber = (now: Instant): SQL =>
  sql`${documents.numberUntil} > ${now} AND ${documents.archivedAt} IS NULL`;

/** Documents, of the table or the alias `of`, that have waited for over 14 days without a file. */
export const isWithoutFilesSql = (now: Instant, of: "documents" | "rival" = "documents"): SQL => {
  const row = sql.raw(of);
  return sql`${row}.status = 'submitted' AND ${row}.submitted_at <= ${addDays(now, -APPROVAL_DAYS)}
  AND NOT EXISTS (SELECT 1 FROM document_files came WHERE came.person_id = ${row}.person_id AND came.state = 'kept')`;
};

/** `missingFiles` as a SQL condition: nothing is missing. */
export const hasAllFiles: SQL = sql`(SELECT (SUM(f.kind IN ('passport', 'id_pdf')) > 0 OR SUM(f.kind IN ('id_front', 'id_back')) = 2) AND SUM(f.kind = 'selfie') > 0 AND (documents.cnpj IS NULL OR SUM(f.kind = 'company_card') > 0)
  FROM document_files f WHERE f.person_id = documents.person_id AND f.state = 'kept')`;

/**
 * Whether the CPF of a banned person's documents, of the table or the alias `of`, stays barred.
 * False where a moderator decided that it belongs to another person. For a company that decision is
 * about its CNPJ, and says nothing of the CPF.
 */
export const isTaxIdBarredSql = (of: "documents" | "banned"): SQL => {
  const row = sql.raw(of);
  return sql`NOT (${row}.rejection_code IS 'number_of_another' AND ${row}.cnpj IS NULL)`;
};

/**
 * Contested documents that can take their tax id at `now`. All their files came. No other account
 * holds it with files, or has it reserved. No banned account names their CPF (`isTaxIdBarredSql`).
 * INVARIANT: without a moderator, a tax id passes only to a person who sent every file, and never
 * from a banned one. Source: docs/decisions/identity/give-each-cpf-or-cnpj-to-one-seller.md.
 */
export const canTakeTaxIdSql = (
  now: Instant,
): SQL => sql`${documents.status} = 'contested' AND ${documents.archivedAt} IS NULL AND ${hasAllFiles}
  AND NOT EXISTS (SELECT 1 FROM documents rival WHERE rival.tax_id = documents.tax_id AND rival.person_id <> documents.person_id AND rival.status IN ('submitted', 'approved') AND rival.archived_at IS NULL AND NOT (${isWithoutFilesSql(now, "rival")}))
  AND NOT EXISTS (SELECT 1 FROM documents rival WHERE rival.tax_id = documents.tax_id AND rival.person_id <> documents.person_id AND rival.number_until > ${now} AND rival.archived_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM documents banned JOIN people ON people.id = banned.person_id WHERE banned.cpf = documents.cpf AND banned.person_id <> documents.person_id AND people.banned_at IS NOT NULL AND ${isTaxIdBarredSql("banned")})`;

type TaxIdHolder = {
  personId: string;
  submittedAt: Instant;
  /** Its 14 days are over and no complete file came: only a claim without proof. */
  isEmpty: boolean;
};

/**
 * Returns the existing account, other than `personId`'s, that holds or reserves this CPF or CNPJ;
 * or null.
 */
export async function taxIdHolder(
  ctx: Context,
  { personId, taxId }: { personId: string } & Pick<TaxId, "taxId">,
): Promise<TaxIdHolder | null> {
  const same = eq(documents.taxId, taxId);
  const [row] = await ctx.db
    .select({
      personId: documents.personId,
      submittedAt: documents.submittedAt,
      isEmpty: sql<number>`(${isWithoutFilesSql(ctx.now())})`.as("is_empty"),
    })
    .from(documents)
    .where(
      and(
        ne(documents.personId, personId),
        or(and(same, hasNumber), and(same, keepsNumber(ctx.now()))),
      ),
    )
    .orderBy(sql`${documents.status} = 'rejected'`)
    .limit(1);
  return row ? { ...row, isEmpty: row.isEmpty === 1 } : null;
}

/**
 * Builds the statement that reads whether the tax id that `personId` holds or reserves is
 * contested. One row if so, else none.
 */
export function contestedStatement(ctx: Context, { personId }: { personId: string }) {
  const own = sql`(SELECT own.tax_id FROM documents own WHERE own.person_id = ${personId} AND (own.status IN ('submitted', 'approved') OR own.number_until > ${ctx.now()}))`;
  return ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .where(
      and(
        sql`${documents.status} = 'contested' AND ${documents.archivedAt} IS NULL AND ${documents.taxId} = ${own}`,
        ne(documents.personId, personId),
      ),
    )
    .limit(1);
}

export const RIVALS_MAX = 10;

/** Selects other accounts than `personId`'s that hold, reserve or contest the same tax id. */
export function isContestingSql({ personId, now }: { personId: string; now: Instant }) {
  const same = sql`${documents.taxId} = (SELECT own.tax_id FROM documents own WHERE own.person_id = ${personId} AND own.status <> 'rejected')`;
  // Each part uses its own partial index.
  const contests = sql`${documents.status} = 'contested' AND ${documents.archivedAt} IS NULL`;
  return and(
    ne(documents.personId, personId),
    or(and(same, hasNumber), and(same, contests), and(same, keepsNumber(now))),
  );
}

/**
 * Orders contestants: the holder, then a reservation, then the contests, oldest first. The holder
 * is always shown, however many contest.
 */
export const contestantOrder: SQL = sql`${documents.status} = 'contested', ${documents.status} = 'rejected', ${documents.submittedAt}`;

/**
 * A condition: documents of `moderatorId`, of any status, name a tax id or a CPF of `personId`'s. A
 * past holder still counts as a party. Either id may be a column.
 */
export const isTaxIdPartySql = ({
  moderatorId,
  personId,
}: {
  moderatorId: string | SQL;
  personId: string | SQL;
}): SQL => sql`EXISTS (SELECT 1 FROM documents own JOIN documents theirs ON theirs.tax_id = own.tax_id OR theirs.cpf = own.cpf
  WHERE own.person_id = ${moderatorId} AND theirs.person_id = ${personId} AND own.person_id <> theirs.person_id)`;

/** Builds the statement of `isTaxIdPartySql`: one row if so, else none. */
export function taxIdPartyStatement(
  ctx: Context,
  { moderatorId, personId }: { moderatorId: string; personId: string },
) {
  return ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .where(and(eq(documents.personId, personId), isTaxIdPartySql({ moderatorId, personId })));
}

/**
 * Returns who of `ids` is no party to `personId`'s tax id: neither that person nor anybody of
 * `isTaxIdPartySql`.
 */
export async function uninvolvedModerators(
  ctx: Context,
  { personId, ids }: { personId: string; ids: readonly string[] },
): Promise<string[]> {
  const sides = await ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .where(
      and(
        inArray(documents.personId, [...ids]),
        isTaxIdPartySql({ moderatorId: sql`${documents.personId}`, personId }),
      ),
    );
  return ids.filter((id) => id !== personId && !sides.some((side) => side.personId === id));
}

/** Builds the statement that reads the other contestants of a tax id, with what decides the contest. */
export function contestantsStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({
      personId: documents.personId,
      status: documents.status,
      sellerName: sql<string>`${documents.sellerName}`.as("seller_name"),
      fullName: documents.fullName,
      submittedAt: documents.submittedAt,
      filesAt: documents.filesAt,
      numberUntil: documents.numberUntil,
      username: profiles.username,
    })
    .from(documents)
    .innerJoin(profiles, eq(profiles.personId, documents.personId))
    .where(isContestingSql({ personId, now: ctx.now() }))
    .orderBy(contestantOrder)
    .limit(RIVALS_MAX);
}

/** Builds the statement that reads the complete files of the other contestants. */
export function contestantFilesStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({
      id: documentFiles.id,
      personId: documentFiles.personId,
      kind: documentFiles.kind,
      createdAt: documentFiles.createdAt,
    })
    .from(documentFiles)
    .innerJoin(documents, eq(documents.personId, documentFiles.personId))
    .where(and(isContestingSql({ personId, now: ctx.now() }), eq(documentFiles.state, "kept")))
    .orderBy(contestantOrder, asc(documentFiles.createdAt))
    .limit(12 * RIVALS_MAX);
}

/**
 * Returns people who contest a tax id, sent every file and have waited over 14 days. Leaves out
 * those of whom the staff was notified.
 */
export async function lateContests(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<{ personId: string; submittedAt: Instant }[]> {
  return await ctx.db
    .select({ personId: documents.personId, submittedAt: documents.submittedAt })
    .from(documents)
    .where(
      and(
        eq(documents.status, "contested"),
        lte(documents.submittedAt, addDays(now, -APPROVAL_DAYS)),
        isNull(documents.remindedAt),
        isNull(documents.archivedAt),
        hasAllFiles,
      ),
    )
    .limit(limit);
}
