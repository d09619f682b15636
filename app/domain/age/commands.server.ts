import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { AdultSpacesOff, AgeCheckNotStarted, PageNotMarked, TooManyAgeChecks } from "./errors.ts";
import { adultPageOf, loadAgeStatus } from "./queries.server.ts";
import {
  AGE_CHECK_RATE_LIMITS,
  ageCheckProblem,
  AGE_CHECK_LIFETIME_MS,
  adultMarkProblem,
  AGE_CHECK_RETRY_AFTER_MS,
} from "./rules.ts";
import type { AgeAnswer, AgeCheck } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { ageVerifiedStatement } from "#app/domain/identity/account-status/commands/age.server.ts";
import { adultPageStatement } from "#app/domain/profiles/commands/adult.server.ts";
import { ageChecks } from "#drizzle/schema/age.ts";

type AgeCheckPerson = { personId: string };

/**
 * Starts an age check and returns the provider's URL. Then the person returns to `returnTo` with a
 * reference. An earlier unanswered check becomes invalid. Refuses where adult spaces are off,
 * verified people, and people who declared to be under 18. Refuses a retry within a day of a "no",
 * and more than ten checks a day.
 */
export async function startAgeCheck(
  ctx: Context,
  { personId, returnTo }: AgeCheckPerson & { returnTo: string },
): Promise<string> {
  const port = switchedOn(ctx);
  const ageStatus = await loadAgeStatus(ctx, { personId });
  if (!ageStatus) throw new AdultSpacesOff();
  const now = ctx.now();
  const problem = ageCheckProblem(ageStatus, now);
  if (problem) throw new AgeCheckNotStarted(problem);
  const check = {
    id: ctx.newId(),
    provider: port.name,
    begunAt: now,
    expiresAt: now + AGE_CHECK_LIFETIME_MS,
    answer: null,
    answeredAt: null,
  };
  const counted = { act: "age_check", personId, limits: AGE_CHECK_RATE_LIMITS };
  const mayBegin = or(
    isNull(ageChecks.answer),
    and(
      eq(ageChecks.answer, "no"),
      sql`${ageChecks.answeredAt} <= ${now - AGE_CHECK_RETRY_AFTER_MS}`,
    ),
  );
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      mustChangeOne(
        ctx.db
          .insert(ageChecks)
          .values({ personId, ...check })
          .onConflictDoUpdate({ target: ageChecks.personId, set: check, setWhere: mayBegin }),
      ),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite
      ? new TooManyAgeChecks(await rateLimitResetAt(ctx, counted))
      : error;
  }
  return await port.begin({ checkId: check.id, returnTo });
}

/**
 * Asks the provider for the answer to the person's latest check and stores it once, with its time.
 * Stores a "yes" also on the person. Safe to repeat. Returns "unknown" for a reference of another
 * check, or an expired one.
 */
export async function settleAgeCheck(
  ctx: Context,
  { personId, reference }: AgeCheckPerson & { reference: string },
): Promise<AgeAnswer> {
  const port = switchedOn(ctx);
  const ageStatus = await loadAgeStatus(ctx, { personId });
  if (!ageStatus?.check) return "unknown";
  const { id, answer, expiresAt } = ageStatus.check;
  if (answer === null && expiresAt <= ctx.now()) return "unknown";
  const ageAnswer = await port.answer({ checkId: id, reference });
  if (answer !== null) return ageAnswer === answer ? answer : "unknown";
  if (ageAnswer === "unknown") return ageAnswer;
  try {
    await saveAnswer(ctx, { personId, checkId: id, ageAnswer });
  } catch (error) {
    // Another tab stored the answer, or a new check started. The stored check decides.
    if (error instanceof StaleWrite) return settleAgeCheck(ctx, { personId, reference });
    throw error;
  }
  return ageAnswer;
}

async function saveAnswer(
  ctx: Context,
  { personId, checkId, ageAnswer }: AgeCheckPerson & { checkId: string; ageAnswer: "yes" | "no" },
): Promise<void> {
  const answeredAt = ctx.now();
  const answered = ctx.db
    .update(ageChecks)
    .set({ answer: ageAnswer, answeredAt })
    .where(
      and(
        eq(ageChecks.personId, personId),
        eq(ageChecks.id, checkId),
        isNull(ageChecks.answer),
        gt(ageChecks.expiresAt, answeredAt),
      ),
    );
  await commit(ctx.db, [
    mustChangeOne(answered),
    ...(ageAnswer === "yes"
      ? [ageVerifiedStatement(ctx, { personId, checkedAt: answeredAt })]
      : []),
  ]);
  ctx.log("age.check_answered", { personId, answer: ageAnswer });
}

/** Builds the statement that deletes a person's age check. */
export function eraseAgeCheckStatement(ctx: Context, { personId }: AgeCheckPerson): BatchWrite {
  return ctx.db.delete(ageChecks).where(eq(ageChecks.personId, personId));
}

/**
 * Marks the person's page as for adults. Refuses where adult spaces are off, and until the
 * documents show 18 years. Safe to repeat.
 */
export async function markPageAdult(ctx: Context, { personId }: AgeCheckPerson): Promise<void> {
  switchedOn(ctx);
  const page = await adultPageOf(ctx, { personId });
  if (!page?.isCreator) throw new AdultSpacesOff();
  if (page.isAdult) return;
  const problem = adultMarkProblem(page.documents, ctx.now());
  if (problem) throw new PageNotMarked(problem);
  await commit(ctx.db, [adultPageStatement(ctx, { personId, isAdult: true })]);
  ctx.log("age.page_marked", { personId });
}

/** Removes the mark of the person's page, whether adult spaces are on or off. Safe to repeat. */
export async function unmarkPageAdult(ctx: Context, { personId }: AgeCheckPerson): Promise<void> {
  const page = await adultPageOf(ctx, { personId });
  if (!page?.isAdult) return;
  await commit(ctx.db, [adultPageStatement(ctx, { personId, isAdult: false })]);
  ctx.log("age.page_unmarked", { personId });
}

function switchedOn(ctx: Context): AgeCheck {
  if (!ctx.ageCheck) throw new AdultSpacesOff();
  return ctx.ageCheck;
}
