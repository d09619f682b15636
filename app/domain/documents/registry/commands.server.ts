import { sql } from "drizzle-orm";
import { commit, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  DocumentsNotPending,
  DocumentModeratorRequired,
  TaxIdNotRegular,
  DocumentsConflictOfInterest,
  RegistryNotQueried,
  RegistryUnavailable,
  TooManyRegistryQueries,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson, isModerator } from "#app/domain/documents/queries.server.ts";
import { taxIdPartyStatement } from "#app/domain/documents/contests/queries.server.ts";
import { registryAnswersStatement } from "./queries.server.ts";
import { isUndecided } from "#app/domain/documents/rules.ts";
import {
  REGISTRY_RATE_LIMITS,
  MANUAL_SOURCE,
  firstIrregular,
  taxIdsToCheck,
  taxIdChecks,
} from "./rules.ts";
import type { Documents, RegistryAnswer } from "#app/domain/documents/schema.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { isPartyToMoney } from "#app/domain/identity/colleagues/queries.server.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { registryAnswers } from "#drizzle/schema/documents.ts";

type RegistryQuery = TaxId & RegistryAnswer & { source: string; askedBy: string | null };

/**
 * Queries the registry for each tax id of a person's documents and stores the answers.
 * `moderatorId` is the person who asked. It is null for the cron, which asks only for unanswered
 * ones. Throws RegistryUnavailable where a tax id got no answer (other answers are stored), and
 * RegistryNotQueried without a registry. For a moderator also throws DocumentModeratorRequired,
 * DocumentsConflictOfInterest and TooManyRegistryQueries.
 */
export async function queryRegistry(
  ctx: Context,
  { personId, moderatorId }: { personId: string; moderatorId: string | null },
): Promise<void> {
  if (moderatorId !== null) await refuseAsker(ctx, { personId, moderatorId });
  const current = await documentsOfPerson(ctx, { personId });
  if (!current || !isUndecided(current.status)) throw new DocumentsNotPending();
  const numbers = moderatorId === null ? await unanswered(ctx, current) : taxIdsToCheck(current);
  const { answered, stillMissing } = await ask(ctx, numbers, moderatorId);
  await saveAnswer(ctx, current, answered);
  if (stillMissing.length > 0) throw new RegistryUnavailable();
}

/**
 * Builds the registry answers that an approval must write. Asks now for tax ids without an answer.
 * Where none comes, it records the moderator's declaration (`isLookedUp`). Throws TaxIdNotRegular
 * by `firstIrregular` (answers are stored) and RegistryUnavailable where nobody gives the status.
 */
export async function registryAnswersForApproval(
  ctx: Context,
  current: Documents,
  { moderatorId, isLookedUp }: { moderatorId: string; isLookedUp: boolean },
): Promise<BatchWrite[]> {
  const answers = await registryAnswersStatement(ctx, current);
  const missing = taxIdChecks(current, answers).flatMap(({ answer, taxKind, taxId }) =>
    answer ? [] : [{ taxKind, taxId }],
  );
  const { answered, stillMissing } = ctx.registry
    ? await ask(ctx, missing, moderatorId)
    : { answered: [], stillMissing: missing };
  const refused = firstIrregular(taxIdChecks(current, [...answered, ...answers]));
  if (refused || (stillMissing.length > 0 && !isLookedUp)) await saveAnswer(ctx, current, answered);
  if (refused) throw new TaxIdNotRegular(refused);
  if (stillMissing.length > 0 && !isLookedUp) throw new RegistryUnavailable("lookedUp");
  const seen = stillMissing.map((number): RegistryQuery => ({
    ...number,
    situation: "regular",
    name: null,
    source: MANUAL_SOURCE,
    askedBy: moderatorId,
  }));
  return answerStatements(ctx, current, [...answered, ...seen]);
}

async function refuseAsker(
  ctx: Context,
  { personId, moderatorId }: { personId: string; moderatorId: string },
): Promise<void> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new DocumentModeratorRequired();
  // As for a decision: no moderator queries their own tax id, one that they contest, or one of a
  // page whose money they see.
  if (await isPartyToMoney(ctx, { creatorId: personId, moderatorId }))
    throw new DocumentsConflictOfInterest();
  if ((await taxIdPartyStatement(ctx, { moderatorId, personId })).length > 0)
    throw new DocumentsConflictOfInterest();
  await countAction(
    ctx,
    { act: "registry_ask", personId: moderatorId, limits: REGISTRY_RATE_LIMITS },
    () => new TooManyRegistryQueries(),
  );
}

async function unanswered(ctx: Context, current: Documents): Promise<TaxId[]> {
  return taxIdChecks(current, await registryAnswersStatement(ctx, current)).flatMap(
    ({ answer, taxKind, taxId }) => (answer ? [] : [{ taxKind, taxId }]),
  );
}

async function ask(
  ctx: Context,
  numbers: readonly TaxId[],
  askedBy: string | null,
): Promise<{ answered: RegistryQuery[]; stillMissing: TaxId[] }> {
  const { registry } = ctx;
  if (!registry) throw new RegistryNotQueried();
  const answers = await Promise.all(
    numbers.map(async (number) => ({ number, answer: await registry.ask(number) })),
  );
  return {
    answered: answers.flatMap(({ number, answer }) =>
      answer ? [{ ...number, ...answer, source: registry.name, askedBy }] : [],
    ),
    stillMissing: answers.flatMap(({ number, answer }) => (answer ? [] : [number])),
  };
}

/** Stores the answers, unless the documents were submitted again meanwhile. */
async function saveAnswer(
  ctx: Context,
  current: Documents,
  answered: readonly RegistryQuery[],
): Promise<void> {
  const stillThose = sql`EXISTS (SELECT 1 FROM documents asked WHERE asked.person_id = ${current.personId} AND asked.submitted_at = ${current.submittedAt})`;
  try {
    if (answered.length > 0)
      await commit(ctx.db, [
        guardStatement(ctx.db, stillThose),
        ...answerStatements(ctx, current, answered),
      ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
  }
}

function answerStatements(
  ctx: Context,
  { personId }: Documents,
  answered: readonly RegistryQuery[],
): BatchWrite[] {
  return answered.map((answer) =>
    ctx.db
      .insert(registryAnswers)
      .values({ ...answer, id: ctx.newId(), personId, answeredAt: ctx.now() }),
  );
}
