import type { ChatAnswer } from "#app/components/event-chat/event-chat.tsx";
import { ChatNotFound } from "#app/domain/event-chat/errors.ts";
import { eventWithChat } from "#app/domain/event-chat/queries.server.ts";
import { memberResponse } from "#app/http/resource.server.ts";
import { chatAround, numberOf } from "./chat-page.server.ts";
import type { Route } from "./+types/chat-changes.ts";

const PAGE = 100;

/** What changed in the chat of an event after a revision, for its open page: a page of messages. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  return await memberResponse(context, async (ctx, member): Promise<ChatAnswer> => {
    const found = await eventWithChat(ctx, {
      eventId: params.id,
      viewerId: member.id,
      changedAfter: numberOf(url.searchParams.get("after")) ?? 0,
      limit: PAGE,
    });
    if (!found || found.chat.state === "none") throw new ChatNotFound();
    const { state, messages } = found.chat;
    return {
      messages,
      isComplete: messages.length < PAGE,
      ...(await chatAround(ctx, { eventId: params.id, state })),
    };
  });
}
