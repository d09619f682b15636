import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { events } from "#drizzle/schema/events.ts";

/**
 * Builds the statement that hides an event by a moderator's decision: it leaves all lists, and
 * gives no more seats. Who has a seat keeps the page and the ticket, and reads there that it is
 * hidden. Stale when it is hidden already, or gone.
 */
export function holdEventStatement(ctx: Context, { eventId }: { eventId: string }): BatchWrite {
  const isShown = and(eq(events.id, eventId), isNull(events.heldAt));
  return mustChangeOne(ctx.db.update(events).set({ heldAt: ctx.now() }).where(isShown));
}

/**
 * Builds the statement that shows a hidden event again, for a reversed decision. Matches nothing
 * when it is not hidden.
 */
export function releaseEventStatement(ctx: Context, { eventId }: { eventId: string }): BatchWrite {
  return ctx.db
    .update(events)
    .set({ heldAt: null })
    .where(and(eq(events.id, eventId), isNotNull(events.heldAt)));
}
