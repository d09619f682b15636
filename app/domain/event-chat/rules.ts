import { isLiveEarly } from "#app/domain/events/live/rules.ts";
import type { WatchableEvent } from "#app/domain/events/live/rules.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long after the end of its event a chat still takes messages. */
export const CHAT_CLOSES_AFTER_MS = 30 * MINUTE_MS;
/** Letters of one message. */
export const CHAT_TEXT_MAX = 500;
/** Messages that a page shows at once. */
export const CHAT_PAGE = 50;

/** Messages of one person. */
export const CHAT_LIMITS: readonly RateLimit[] = [
  { windowMs: MINUTE_MS, limit: 15 },
  { windowMs: HOUR_MS, limit: 300 },
];

/** Messages of all people in one chat: five a second, which people can read and D1 can store. */
export const CHAT_ROOM_LIMITS: readonly RateLimit[] = [{ windowMs: 10 * SECOND_MS, limit: 50 }];

/** Reactions of all people in one chat, so that few messages are read anew at once. */
export const CHAT_REACTION_LIMITS: readonly RateLimit[] = [{ windowMs: 10 * SECOND_MS, limit: 50 }];

/** Open pages hear of new messages at most once in this time, however many people write. */
export const CHAT_GATHER_MS = SECOND_MS;

/**
 * `none`: the event has no chat for this person. `early`: it opens later. `open`: it can be written
 * in. `closed` and `canceled`: it can be read only.
 */
export type ChatState = "none" | "early" | "open" | "closed" | "canceled";

/**
 * Decides what an event's chat is at `now` for a person. It opens with the video (`liveOpensAt`),
 * and closes 30 minutes after the end. Who may watch may read; an event without a video has no
 * chat.
 */
export function chatState(event: WatchableEvent, now: Instant): ChatState {
  if (!event.mayWatch || !event.hasVideo) return "none";
  if (event.status === "canceled") return "canceled";
  if (isLiveEarly(event, now)) return "early";
  return now < event.endsAt + CHAT_CLOSES_AFTER_MS ? "open" : "closed";
}

/** Why nothing can be written now; null while the chat is open. */
export const CHAT_CLOSED_TEXTS: Record<ChatState, string | null> = {
  none: "Este evento não tem chat para você.",
  early: "O chat abre junto com o vídeo.",
  open: null,
  closed:
    "O chat fechou: ele fica aberto até 30 minutos depois do fim. O que foi escrito continua aqui.",
  canceled: "O evento foi cancelado, e o chat fechou.",
};

/** The topic on which the open pages of a chat hear that something changed. */
export const chatTopic = (eventId: string): string => `event-chat:${eventId}`;
