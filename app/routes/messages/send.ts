import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { OtherAccountWrote } from "#app/domain/messages/errors.ts";
import { sentMessageSchema } from "#app/domain/messages/schema.ts";
import { ActingPageChanged, TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { actingPersonId, actorPageLabel } from "#app/domain/teams/rules/actor.ts";
import { actorContext } from "#app/http/contexts.ts";
import { allowMethods, memberResponse, parseResourceBody } from "#app/http/resource.server.ts";
import type { Route } from "./+types/send.ts";

/** Sends a message of an open page without leaving it. */
export async function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  return await memberResponse(context, async (ctx) => {
    const { account, space, text, clientMessageId, replyTo } = await parseResourceBody(
      request,
      sentMessageSchema,
    );
    const actor = context.get(actorContext);
    // Another account signed in since: nobody sends the words of somebody else.
    if (account !== actor.member.id) throw new OtherAccountWrote();
    if (space !== actor.space.personId) throw new ActingPageChanged(actorPageLabel(actor));
    if (!actor.may("messages:write")) throw new TeamPermissionDenied();
    const { seq } = await sendMessage(ctx, {
      conversationId: params.id,
      personId: space,
      writtenById: actingPersonId(actor),
      text,
      clientMessageId,
      replyToSeq: replyTo,
    });
    return { seq };
  });
}
