import type { PresenceAnswer } from "#app/components/messages/live/use-presence.ts";
import { isOtherPresent, sendTyping } from "#app/domain/messages/commands/typing.server.ts";
import { TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { actorContext, memberContext } from "#app/http/contexts.ts";
import { enforcePresenceLimit } from "#app/http/limits/presence-limit.ts";
import { allowMethods, memberResponse } from "#app/http/resource.server.ts";
import type { Route } from "./+types/presence.ts";

/** Whether the other side of an open conversation is here. */
export async function loader({ context, params }: Route.LoaderArgs) {
  return await memberResponse(context, async (ctx): Promise<PresenceAnswer> => {
    const actor = context.get(actorContext);
    if (!actor.may("messages:read")) throw new TeamPermissionDenied();
    await enforcePresenceLimit(context, { memberId: context.get(memberContext).id });
    return {
      isPresent: await isOtherPresent(ctx, {
        conversationId: params.id,
        personId: actor.space.personId,
      }),
    };
  });
}

/** The person of an open conversation is typing. */
export async function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  return await memberResponse(context, async (ctx) => {
    const actor = context.get(actorContext);
    if (!actor.may("messages:write")) throw new TeamPermissionDenied();
    await enforcePresenceLimit(context, { memberId: context.get(memberContext).id });
    await sendTyping(ctx, { conversationId: params.id, personId: actor.space.personId });
  });
}
