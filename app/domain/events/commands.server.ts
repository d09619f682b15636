import { eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { events } from "#drizzle/schema/events.ts";

/** Builds the statement that deletes a person's events. */
export function erasedEventsStatement(
  ctx: Context,
  { creatorId }: { creatorId: string },
): BatchWrite {
  return ctx.db.delete(events).where(eq(events.creatorId, creatorId));
}
