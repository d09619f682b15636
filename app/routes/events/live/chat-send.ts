import { sendChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { sentChatMessageSchema } from "#app/domain/event-chat/schema.ts";
import { OtherAccountWrote } from "#app/domain/messages/errors.ts";
import { allowMethods, memberResponse, parseResourceBody } from "#app/http/resource.server.ts";
import type { Route } from "./+types/chat-send.ts";

/** Sends a message of an open chat without leaving the page, in the member's own name. */
export async function action({ request, context, params }: Route.ActionArgs) {
  allowMethods(request, ["POST"]);
  return await memberResponse(context, async (ctx, member) => {
    const { account, replyTo, ...message } = await parseResourceBody(
      request,
      sentChatMessageSchema,
    );
    // Another account signed in since: nobody sends the words of somebody else.
    if (account !== member.id) throw new OtherAccountWrote();
    return await sendChatMessage(ctx, {
      eventId: params.id,
      personId: member.id,
      replyToSeq: replyTo,
      ...message,
    });
  });
}
