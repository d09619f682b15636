import { syncDoor } from "#app/domain/events/door/commands.server.ts";
import { OtherAccountAtDoor } from "#app/domain/events/errors.ts";
import { doorSyncSchema } from "#app/domain/events/door/schema.ts";
import { ActingPageChanged, TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { actorPageLabel } from "#app/domain/teams/rules/actor.ts";
import { actorContext } from "#app/http/contexts.ts";
import { allowMethods, memberResponse, parseResourceBody } from "#app/http/resource.server.ts";
import type { Route } from "./+types/door-sync.ts";

/** Takes what the device of a door queued, and answers one scan. */
export async function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  return await memberResponse(context, async (ctx) => {
    const { account, space, ...sync } = await parseResourceBody(request, doorSyncSchema);
    const actor = context.get(actorContext);
    if (account !== actor.member.id) throw new OtherAccountAtDoor();
    if (space !== actor.space.personId) throw new ActingPageChanged(actorPageLabel(actor));
    if (!actor.may("events:manage")) throw new TeamPermissionDenied();
    return await syncDoor(ctx, {
      ...sync,
      eventId: params.id,
      creatorId: space,
      byId: actor.member.id,
    });
  });
}
