import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { datesOfScope } from "#app/domain/events/dates/commands.server.ts";
import { livingEvent } from "#app/domain/events/dates/commands/living.server.ts";
import { QuestionNotFound, TooManyQuestions } from "./errors.ts";
import { QUESTIONS_MAX } from "./rules.ts";
import type { EventQuestion } from "./rules.ts";
import type { QuestionInput } from "./schema.ts";
import type { Scope } from "#app/domain/events/series/rules.ts";
import { events } from "#drizzle/schema/events.ts";

type OwnEvent = { eventId: string; creatorId: string };
/** `scope` says which dates of a repeating event. */
type Scoped = OwnEvent & { scope: Scope };

/**
 * Adds a question to an event, and to the other dates of `scope` that have room for it. Refuses
 * EventNotFound, EventCanceled, EventOver and TooManyQuestions (10).
 */
export async function addQuestion(
  ctx: Context,
  { scope, eventId, creatorId, ...input }: Scoped & QuestionInput,
): Promise<{ questionId: string }> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const question: EventQuestion = { id: ctx.newId(), ...input };
  const added = await changeQuestions(
    ctx,
    sql`json_insert(events.questions, '$[#]', json(${JSON.stringify(question)}))`,
    sql`${datesOfScope(ctx, saved, { creatorId, scope })} AND json_array_length(events.questions) < ${QUESTIONS_MAX}`,
  );
  if (!added.includes(eventId)) throw new TooManyQuestions();
  return { questionId: question.id };
}

/**
 * Changes a question of an event, and of the other dates of `scope` that have it. Answers keep the
 * text that they answered. Refuses QuestionNotFound, and what `addQuestion` does but for the
 * number.
 */
export async function updateQuestion(
  ctx: Context,
  {
    scope,
    eventId,
    creatorId,
    questionId,
    ...input
  }: Scoped & QuestionInput & { questionId: string },
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const question: EventQuestion = { id: questionId, ...input };
  const changed = await changeQuestions(
    ctx,
    questionsSql(sql`json(iif(${isQuestion(questionId)}, ${JSON.stringify(question)}, one.value))`),
    sql`${datesOfScope(ctx, saved, { creatorId, scope })} AND ${hasQuestion(questionId)}`,
  );
  if (!changed.includes(eventId)) throw new QuestionNotFound();
}

/**
 * Asks a question no longer, at an event and the other dates of `scope`. Its answers stay. Refuses
 * as `updateQuestion` does.
 */
export async function removeQuestion(
  ctx: Context,
  { scope, eventId, creatorId, questionId }: Scoped & { questionId: string },
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const changed = await changeQuestions(
    ctx,
    questionsSql(sql`json(one.value)`, sql` WHERE NOT ${isQuestion(questionId)}`),
    sql`${datesOfScope(ctx, saved, { creatorId, scope })} AND ${hasQuestion(questionId)}`,
  );
  if (!changed.includes(eventId)) throw new QuestionNotFound();
}

/** Sets the questions of the events of `where`. Returns their ids. */
async function changeQuestions(ctx: Context, questions: SQL, where: SQL): Promise<string[]> {
  const changed = await ctx.db
    .update(events)
    .set({ questions, updatedAt: ctx.now() })
    .where(where)
    .returning({ id: events.id });
  return changed.map(({ id }) => id);
}

const isQuestion = (questionId: string): SQL =>
  sql`json_extract(one.value, '$.id') = ${questionId}`;

const hasQuestion = (questionId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(events.questions) one WHERE ${isQuestion(questionId)})`;

/** The questions of the row in their order, each as `item` of the entry `one`. */
const questionsSql = (item: SQL, where = sql``): SQL =>
  sql`(SELECT json_group_array(${item}) FROM (SELECT every.value FROM json_each(events.questions) every ORDER BY every.key) one${where})`;
