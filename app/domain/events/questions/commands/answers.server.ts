import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { QuestionUnanswered } from "#app/domain/events/questions/errors.ts";
import { firstUnanswered } from "#app/domain/events/questions/rules.ts";
import type { Answer, EventQuestion } from "#app/domain/events/questions/rules.ts";
import { eventAnswers } from "#drizzle/schema/events-people.ts";

/** Refuses QuestionUnanswered where `answers` leave out one of the questions, or do not fit it. */
export function refuseUnanswered(
  questions: readonly EventQuestion[],
  answers: readonly Answer[],
): void {
  const found = firstUnanswered(questions, answers);
  if (found)
    throw new QuestionUnanswered({ questionId: found.question.id, problem: found.problem });
}

/**
 * Builds the statement that stores answers, and the id under which a seat, an order or a request
 * names them. Without answers there is neither.
 */
export function answersStatements(
  ctx: Context,
  { answers, ...who }: { eventId: string; personId: string; answers: readonly Answer[] },
): { answersId: string | null; writes: BatchWrite[] } {
  if (answers.length === 0) return { answersId: null, writes: [] };
  const answersId = ctx.newId();
  const row = { ...who, id: answersId, answers: [...answers] };
  return { answersId, writes: [ctx.db.insert(eventAnswers).values(row)] };
}
