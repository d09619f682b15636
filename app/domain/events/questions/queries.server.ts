import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { AnswerColumn, EventQuestion } from "./rules.ts";
import { events } from "#drizzle/schema/events.ts";

/** Reads what an event asks who takes a seat; nothing for an unknown one. */
export async function questionsOf(
  ctx: Context,
  { eventId }: { eventId: string },
): Promise<EventQuestion[]> {
  const [row] = await ctx.db
    .select({ questions: events.questions })
    .from(events)
    .where(eq(events.id, eventId))
    .limit(1);
  return row?.questions ?? [];
}

/** Reads the questions that the people with a seat at an own event answered, the latest first. */
export async function answeredQuestions(
  ctx: Context,
  { eventId, creatorId }: { eventId: string; creatorId: string },
): Promise<AnswerColumn[]> {
  return await ctx.db
    .select({
      id: sql<string>`json_extract(one.value, '$.id')`.as("question_id"),
      text: sql<string>`json_extract(one.value, '$.question')`.as("question_text"),
    })
    .from(
      sql`${events} JOIN event_seats s ON s.event_id = events.id AND s.status = 'taken' JOIN event_answers given ON given.id = s.answers_id JOIN json_each(given.answers) one`,
    )
    .where(and(eq(events.id, eventId), eq(events.creatorId, creatorId)))
    .groupBy(sql`1, 2`)
    .orderBy(sql`MAX(s.taken_at) DESC, 2`);
}
