import { storeUploadedFile } from "#app/domain/messages/commands/files.server.ts";
import { TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { actorContext } from "#app/http/contexts.ts";
import { allowMethods, memberResponse, parseResourceFile } from "#app/http/resource.server.ts";
import type { Route } from "./+types/broadcast-files.ts";

/** Stores one file of a message to many that an open page is writing. */
export async function action({ request, context }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  return await memberResponse(context, async (ctx) => {
    const actor = context.get(actorContext);
    if (!actor.may("messages:write") || !actor.space.isCreator) throw new TeamPermissionDenied();
    const file = await parseResourceFile(request);
    return await storeUploadedFile(ctx, { personId: actor.space.personId, file });
  });
}
