import type { Context } from "#app/domain/context.ts";
import {
  editChatMessage,
  reactToChatMessage,
  sendChatMessage,
} from "#app/domain/event-chat/commands.server.ts";
import type { Reaction } from "#app/domain/messages/rules.ts";
import { chatMessage, eventWithChat } from "#app/domain/event-chat/queries.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { World } from "./context.ts";
import { publishedEvent } from "./events.ts";

type Person = { id: string };

/** An event with a video that started ten minutes ago and lasts an hour; `people` have seats. */
export async function eventWithVideo(
  ctx: Context,
  creator: Person,
  people: readonly Person[],
): Promise<string> {
  const startsAt = ctx.now() - 10 * MINUTE_MS;
  const eventId = await publishedEvent(ctx, creator, {
    startsAt,
    endsAt: startsAt + HOUR_MS,
    place: "",
    link: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  });
  for (const { id } of people) await takeSeats(ctx, { eventId, personId: id, quantity: 1 });
  return eventId;
}

/** Short forms of the commands of a chat, for tests. */
export function chatHelpers(world: () => World) {
  const ctx = () => world().ctx;
  return {
    write: (person: Person, eventId: string, text = "Oi", clientMessageId = ctx().newId()) =>
      sendChatMessage(ctx(), { eventId, personId: person.id, text, clientMessageId }),
    /** Answers a message of the chat. */
    answer: (person: Person, eventId: string, replyToSeq: number, text = "Oi") =>
      sendChatMessage(ctx(), {
        eventId,
        personId: person.id,
        text,
        clientMessageId: ctx().newId(),
        replyToSeq,
      }),
    react: (person: Person, eventId: string, seq: number, emoji: Reaction | null) =>
      reactToChatMessage(ctx(), { eventId, personId: person.id, seq, emoji }),
    edit: (person: Person, eventId: string, seq: number, text: string) =>
      editChatMessage(ctx(), { eventId, personId: person.id, seq, text }),
    /** One message as a person sees it. */
    seen: async (person: Person, eventId: string, seq: number) => {
      const found = await chatMessage(ctx(), { eventId, viewerId: person.id, seq });
      return found?.message ?? null;
    },
    /** The texts that a person reads, a deleted one as null. */
    texts: async (person: Person, eventId: string) => {
      const found = await eventWithChat(ctx(), { eventId, viewerId: person.id, limit: 500 });
      return found?.chat.messages.map(({ text, isDeleted }) => (isDeleted ? null : text)) ?? null;
    },
  };
}
