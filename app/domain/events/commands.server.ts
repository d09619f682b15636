import { eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { events } from "#drizzle/schema/events.ts";

/** The statement after which a person calls no events. */
export function erasedEventsStatement(
  ctx: Context,
  { creatorId }: { creatorId: string },
): BatchWrite {
  return ctx.db.delete(events).where(eq(events.creatorId, creatorId));
}
