import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { ListedRequest } from "./schema.ts";
import { pageOf } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import { eventRequests } from "#drizzle/schema/events-people.ts";
import { events } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

type OwnEvent = { eventId: string; creatorId: string };

/** Reads a page of the requests of one status at a creator's own event, the first asked first. */
export async function requestsOf(
  ctx: Context,
  {
    eventId,
    creatorId,
    status,
    cursor,
    limit,
  }: OwnEvent & { status: "waiting" | "refused"; cursor: Cursor | null; limit: number },
): Promise<Page<ListedRequest>> {
  const rows = await ctx.db
    .select({
      personId: sql<string>`event_requests.person_id`.as("requester_id"),
      name: sql<string>`${profiles.name}`.as("requester_name"),
      username: profiles.username,
      quantity: eventRequests.quantity,
      kindName: sql<
        string | null
      >`(SELECT kind.name FROM event_ticket_kinds kind WHERE kind.id = event_requests.ticket_kind_id)`.as(
        "kind_name",
      ),
      requestedAt: eventRequests.requestedAt,
      answers: sql<
        Answer[]
      >`COALESCE((SELECT given.answers FROM event_answers given WHERE given.id = event_requests.answers_id), '[]')`
        .mapWith((text: string) => JSON.parse(text) as Answer[])
        .as("request_answers"),
    })
    .from(eventRequests)
    .innerJoin(events, eq(events.id, eventRequests.eventId))
    .innerJoin(profiles, eq(profiles.personId, eventRequests.personId))
    .where(
      and(
        eq(eventRequests.eventId, eventId),
        eq(eventRequests.status, status),
        eq(events.creatorId, creatorId),
        cursor
          ? sql`(event_requests.requested_at, event_requests.person_id) > (${cursor.at}, ${cursor.id})`
          : undefined,
      ),
    )
    .orderBy(asc(eventRequests.requestedAt), sql`event_requests.person_id`)
    .limit(limit + 1);
  return pageOf(rows, limit, ({ requestedAt, personId }) => ({ at: requestedAt, id: personId }));
}

/** Counts the requests at an event that wait for an answer. */
export async function waitingRequests(
  ctx: Context,
  { eventId }: { eventId: string },
): Promise<number> {
  const [row] = await ctx.db
    .select({ count: sql<number>`COUNT(*)`.as("request_count") })
    .from(eventRequests)
    .where(and(eq(eventRequests.eventId, eventId), eq(eventRequests.status, "waiting")));
  return row?.count ?? 0;
}

/** Reads a request that can be approved; null if there is none. */
export async function openRequest(
  ctx: Context,
  { eventId, personId }: { eventId: string; personId: string },
) {
  const [row] = await ctx.db
    .select()
    .from(eventRequests)
    .where(
      and(
        eq(eventRequests.eventId, eventId),
        eq(eventRequests.personId, personId),
        sql`${eventRequests.status} <> 'approved'`,
      ),
    )
    .limit(1);
  return row ?? null;
}
