import { storeMessageFile } from "#app/domain/messages/commands/files.server.ts";
import { TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { actorContext } from "#app/http/contexts.ts";
import { allowMethods, memberResponse, parseResourceFile } from "#app/http/resource.server.ts";
import type { Route } from "./+types/files.ts";

/** Stores one file of a message that an open page is writing. */
export async function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  return await memberResponse(context, async (ctx) => {
    const actor = context.get(actorContext);
    if (!actor.may("messages:write")) throw new TeamPermissionDenied();
    return await storeMessageFile(ctx, {
      conversationId: params.id,
      personId: actor.space.personId,
      file: await parseResourceFile(request),
    });
  });
}
