import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CHAT_CLOSED_TEXTS,
  CHAT_CLOSES_AFTER_MS,
  chatState,
} from "#app/domain/event-chat/rules.ts";
import { liveOpensAt } from "#app/domain/events/live/rules.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

const STARTS_AT = 1_800_000_000_000;
const EVENT = {
  status: "published" as const,
  startsAt: STARTS_AT,
  endsAt: STARTS_AT + HOUR_MS,
  linkMinutes: null,
  mayWatch: true,
  hasVideo: true,
};

test.each<[string, Partial<Parameters<typeof chatState>[0]>, number, string]>([
  ["a moment before it opens", {}, -15 * MINUTE_MS - 1, "early"],
  ["from 15 minutes before the start", {}, -15 * MINUTE_MS, "open"],
  ["whose link is shown at the start, before it", { linkMinutes: 0 }, -1, "early"],
  ["whose link is shown at the start, then", { linkMinutes: 0 }, 0, "open"],
  ["at the end of the event", {}, HOUR_MS, "open"],
  ["a moment before it closes", {}, HOUR_MS + 30 * MINUTE_MS - 1, "open"],
  ["30 minutes after the end", {}, HOUR_MS + 30 * MINUTE_MS, "closed"],
  ["without a seat", { mayWatch: false }, 0, "none"],
  ["without a video", { hasVideo: false }, 0, "none"],
  ["of a canceled event", { status: "canceled" }, 0, "canceled"],
  ["of a draft", { status: "draft" }, 0, "early"],
])("a chat %s", (_, changed, afterStart, state) => {
  expect(chatState({ ...EVENT, ...changed }, STARTS_AT + afterStart)).toBe(state);
});

test("a chat is written in only by who may watch, while it is open, and says so otherwise", () => {
  fc.assert(
    fc.property(
      fc.record({
        status: fc.constantFrom("published" as const, "canceled" as const, "draft" as const),
        mayWatch: fc.boolean(),
        hasVideo: fc.boolean(),
      }),
      fc.integer({ min: -3 * HOUR_MS, max: 5 * HOUR_MS }),
      (changed, afterStart) => {
        const event = { ...EVENT, ...changed };
        const now = STARTS_AT + afterStart;
        const state = chatState(event, now);
        const isOpen =
          event.mayWatch &&
          event.hasVideo &&
          event.status === "published" &&
          now >= liveOpensAt(event.startsAt, event.linkMinutes) &&
          now < event.endsAt + CHAT_CLOSES_AFTER_MS;
        expect(state === "open").toBe(isOpen);
        expect(CHAT_CLOSED_TEXTS[state] === null).toBe(isOpen);
      },
    ),
  );
});
