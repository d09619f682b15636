import { and, desc, eq, gt, gte, inArray, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { APPROVAL_DAYS } from "#app/domain/documents/rules.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents, registryAnswers } from "#drizzle/schema/documents.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** More queries than moderators make for one tax id. */
const ANSWERS_READ = 100;

/**
 * Builds the statement that reads the registry answers for a person's documents since they were
 * submitted, the latest first.
 */
export function registryAnswersStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({
      taxKind: registryAnswers.taxKind,
      taxId: registryAnswers.taxId,
      situation: registryAnswers.situation,
      name: registryAnswers.name,
      source: registryAnswers.source,
      answeredAt: registryAnswers.answeredAt,
      askedByName: sql<string | null>`${profiles.name}`.as("asked_by_name"),
    })
    .from(registryAnswers)
    .innerJoin(
      documents,
      and(
        eq(documents.personId, registryAnswers.personId),
        gte(registryAnswers.answeredAt, documents.submittedAt),
      ),
    )
    .leftJoin(profiles, eq(profiles.personId, registryAnswers.askedBy))
    .where(eq(registryAnswers.personId, personId))
    .orderBy(desc(registryAnswers.answeredAt), desc(sql`registry_answers.rowid`))
    .limit(ANSWERS_READ);
}

/**
 * The registry answers for a row's documents, the latest first, as `taxIdChecks` reads them.
 * Drizzle maps no NULL, so none is an empty list.
 */
export const latestRegistryAnswers = sql<
  Pick<typeof registryAnswers.$inferSelect, "taxKind" | "taxId" | "situation" | "name">[]
>`(SELECT json_group_array(json_object('taxKind', tax_kind, 'taxId', tax_id, 'situation', situation, 'name', name)) FROM (
    SELECT a.tax_kind, a.tax_id, a.situation, a.name FROM registry_answers a WHERE a.person_id = documents.person_id AND a.answered_at >= documents.submitted_at ORDER BY a.answered_at DESC, a.rowid DESC LIMIT 20))`
  .mapWith((text: string) => JSON.parse(text))
  .as("last_answers");

/**
 * Returns whose documents were submitted in the last 14 days and have a tax id without an answer
 * since. For older ones a moderator asks.
 */
export async function documentsToQuery(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const unanswered = (
    number: "cpf" | "cnpj",
  ) => sql`NOT EXISTS (SELECT 1 FROM registry_answers answer_row
    WHERE answer_row.person_id = ${documents.personId} AND answer_row.tax_id = ${documents[number]} AND answer_row.answered_at >= ${documents.submittedAt})`;
  const rows = await ctx.db
    .select({ personId: documents.personId })
    .from(documents)
    .where(
      and(
        inArray(documents.status, ["submitted", "contested"]),
        gt(documents.submittedAt, addDays(now, -APPROVAL_DAYS)),
        isNull(documents.archivedAt),
        sql`(${unanswered("cpf")} OR (${documents.cnpj} IS NOT NULL AND ${unanswered("cnpj")}))`,
        isRetryDue(ctx, documents.personId, "registry"),
      ),
    )
    .orderBy(documents.submittedAt)
    .limit(limit);
  return rows.map(({ personId }) => personId);
}
