import { and, eq, gt, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { delayReleasesStatement } from "#app/domain/payments/releases/commands/hold-release.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { eventWaiting } from "#drizzle/schema/events.ts";

type Moved = { eventId: string; startsAt: Instant; endsAt: Instant };

/**
 * Builds the statements of what follows the times of an event: an offer of the waiting list ends at
 * the start, also at an earlier one, and what was sold is paid out after the end.
 */
export function movedEventStatements(
  ctx: Context,
  { eventId, startsAt, endsAt }: Moved,
): BatchWrite[] {
  return [
    ctx.db
      .update(eventWaiting)
      .set({ offerEndsAt: startsAt })
      .where(and(eq(eventWaiting.eventId, eventId), gt(eventWaiting.offerEndsAt, startsAt))),
    delayReleasesStatement(ctx, {
      chargeIds: sql`SELECT sold.charge_id FROM event_orders placed JOIN purchases sold ON sold.target_id = placed.id AND sold.kind = 'event' WHERE placed.event_id = ${eventId} AND placed.status = 'paid'`,
      beginsAt: endsAt,
    }),
  ];
}
