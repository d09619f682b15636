import type { Context } from "#app/domain/context.ts";
import { EventCanceled, EventNotFound, EventOver } from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";

/**
 * Reads a creator's own event that can still be changed. Refuses EventNotFound, EventCanceled, and
 * EventOver for a published one.
 */
export async function livingEvent(
  ctx: Context,
  own: { eventId: string; creatorId: string },
): Promise<EditableEvent> {
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new EventNotFound();
  if (saved.status === "canceled") throw new EventCanceled();
  if (saved.endsAt <= ctx.now() && saved.status === "published") throw new EventOver();
  return saved;
}
