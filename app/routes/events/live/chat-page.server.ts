import type { Context } from "#app/domain/context.ts";
import { CHAT_CLOSED_TEXTS, chatTopic } from "#app/domain/event-chat/rules.ts";
import type { ChatState } from "#app/domain/event-chat/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";

/**
 * What stands around the messages of a chat, for who may read it. Every answer of an hour has one
 * address, which is given to nobody else and expires within two hours.
 */
export async function chatAround(
  ctx: Context,
  { eventId, state }: { eventId: string; state: ChatState },
): Promise<{ closed: string | null; listenAt: string }> {
  const until = (Math.floor(ctx.realNow() / HOUR_MS) + 2) * HOUR_MS;
  return {
    closed: CHAT_CLOSED_TEXTS[state],
    listenAt: await ctx.live.address(chatTopic(eventId), until),
  };
}

/** The number of a query, such as the seq before which messages are asked for; null without one. */
export const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
