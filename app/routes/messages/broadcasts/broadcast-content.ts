import type { z } from "zod";
import type { broadcastSchema } from "#app/domain/broadcasts/schema.ts";
import { filesOfForm } from "#app/domain/messages/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";

/** What the form of a broadcast says, for the commands that store it in the actor's name. */
export const broadcastContent = (
  { segment, planIds, text, ...form }: z.output<typeof broadcastSchema>,
  actor: Actor,
) => ({
  creatorId: actor.space.personId,
  writtenById: actingPersonId(actor),
  segment,
  planIds,
  text,
  files: {
    savedIds: form.savedFileIds,
    ...filesOfForm(form),
    isSensitive: form.isSensitive === "true",
    priceCents: form.price,
  },
});
