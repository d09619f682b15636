import { describe, expect, test } from "vitest";
import {
  hasRecording,
  recordingAudience,
  recordingOf,
} from "#app/domain/events/live/rules/recording.ts";
import { HOUR_MS } from "#app/domain/time.ts";

const startsAt = Date.parse("2026-11-10T23:00:00Z");
const event = {
  title: "Aula de rabeca",
  description: "",
  link: "https://www.youtube.com/live/dQw4w9WgXcQ",
  startsAt,
  endsAt: startsAt + HOUR_MS,
  timeZone: "America/Sao_Paulo",
  status: "published" as const,
  access: "subscribers" as const,
  planIds: [],
  priceFromCents: null,
};
const now = event.endsAt;
const open = { planId: null, amountCents: null, opensAt: null };

describe("an event has a recording", () => {
  test.each([
    ["when it is over", event, now, true],
    ["at Vimeo too", { ...event, link: "https://vimeo.com/76979871" }, now, true],
    ["not before its end", event, now - 1, false],
    ["not without a link", { ...event, link: null }, now, false],
    [
      "not of a channel, which shows something else later",
      { ...event, link: "https://twitch.tv/ana" },
      now,
      false,
    ],
    ["not of a meeting", { ...event, link: "https://meet.google.com/abc-defg-hij" }, now, false],
    ["not when it was canceled", { ...event, status: "canceled" as const }, now, false],
  ])("%s", (_, given, at, expected) => {
    expect(hasRecording(given, at)).toBe(expected);
    expect(recordingOf(given, { now: at, titleMax: 140 }) !== null).toBe(expected);
  });
});

describe("the post of a recording", () => {
  const post = (
    more: Partial<typeof event> & {
      access?: string;
      planIds?: string[];
      priceFromCents?: number | null;
    },
  ) =>
    recordingOf({ ...event, ...more } as Parameters<typeof recordingOf>[0], { now, titleMax: 140 });

  test("shows the video below the day of the event", () => {
    expect(post({})).toMatchObject({
      title: "Gravação: Aula de rabeca",
      content:
        "Ao vivo em terça-feira, 10 de novembro de 2026, 20:00.\n\nhttps://www.youtube.com/live/dQw4w9WgXcQ",
    });
  });

  test("has the text of the event below the video", () => {
    expect(post({ description: "Traga o arco.\n\nE breu." })?.content).toBe(
      "Ao vivo em terça-feira, 10 de novembro de 2026, 20:00.\n\nhttps://www.youtube.com/live/dQw4w9WgXcQ\n\nTraga o arco.\n\nE breu.",
    );
  });

  test("has the event's title alone where both are too long", () => {
    const title = "a".repeat(135);
    expect(post({ title })?.title).toBe(title);
  });

  test.each([
    ["public", {}, [{ ...open, kind: "public" }]],
    ["followers", {}, [{ ...open, kind: "followers" }]],
    ["subscribers", {}, [{ ...open, kind: "subscribers" }]],
    [
      "plans",
      { planIds: ["a", "b"] },
      [
        { ...open, kind: "plan", planId: "a" },
        { ...open, kind: "plan", planId: "b" },
      ],
    ],
    ["public", { priceFromCents: 0 }, [{ ...open, kind: "public" }]],
    ["public", { priceFromCents: 2_500 }, [{ ...open, kind: "price", amountCents: 2_500 }]],
  ])("of an event for %s %o is for the same people", (access, more, rules) => {
    expect(post({ access, ...more } as Parameters<typeof post>[0])?.rules).toEqual(rules);
  });
});

test.each([
  ["public" as const, null, "para todo mundo"],
  ["followers" as const, 0, "para quem segue"],
  ["subscribers" as const, null, "para quem assina"],
  ["plans" as const, null, "para quem assina os planos do evento"],
  ["public" as const, 2_500, "à venda por R$\u00A025,00"],
])("the recording of an event for %s at %o centavos is said to be %s", (access, price, text) => {
  expect(recordingAudience({ access, priceFromCents: price })).toBe(text);
});
