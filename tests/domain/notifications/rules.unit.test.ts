import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestMail, nextDigestAt } from "#app/domain/notifications/rules/digests.ts";
import {
  isOptional,
  isWanted,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
} from "#app/domain/notifications/rules/kinds.ts";
import { TIME_ZONES } from "#app/domain/notifications/rules/quiet-hours.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";

const at = (text: string): number => Date.parse(text);

describe("the next digest", () => {
  test.each([
    ["daily", "America/Sao_Paulo", "2026-11-27T10:59:59Z", "2026-11-27T11:00:00Z"],
    ["daily", "America/Sao_Paulo", "2026-11-27T11:00:00Z", "2026-11-28T11:00:00Z"],
    ["daily", "America/Sao_Paulo", "2026-11-28T02:30:00Z", "2026-11-28T11:00:00Z"],
    ["weekly", "America/Sao_Paulo", "2026-11-30T10:59:00Z", "2026-11-30T11:00:00Z"],
    ["weekly", "America/Sao_Paulo", "2026-11-30T11:00:00Z", "2026-12-07T11:00:00Z"],
    ["weekly", "America/Sao_Paulo", "2026-11-27T15:00:00Z", "2026-11-30T11:00:00Z"],
    ["daily", "Asia/Tokyo", "2026-11-27T22:59:59Z", "2026-11-27T23:00:00Z"],
    ["daily", "Asia/Tokyo", "2026-11-27T23:00:00Z", "2026-11-28T23:00:00Z"],
    // Monday in Tokyo begins on Sunday in São Paulo.
    ["weekly", "Asia/Tokyo", "2026-11-29T15:30:00Z", "2026-11-29T23:00:00Z"],
    // The clock of Lisbon moves on 28 March 2027.
    ["daily", "Europe/Lisbon", "2027-03-27T09:00:00Z", "2027-03-28T07:00:00Z"],
    ["daily", "America/Rio_Branco", "2026-11-27T12:00:00Z", "2026-11-27T13:00:00Z"],
  ] as const)("%s in %s after %s is at %s", (rhythm, timeZone, now, due) => {
    expect(nextDigestAt(rhythm, { now: at(now), timeZone })).toBe(at(due));
  });

  test("is always later, at most a day or a week", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at("2026-01-01"), max: at("2040-01-01") }),
        fc.constantFrom(...Object.keys(TIME_ZONES)),
        (now, timeZone) => {
          const until = (rhythm: "daily" | "weekly") =>
            nextDigestAt(rhythm, { now, timeZone }) - now;
          expect(until("daily")).toBeGreaterThan(0);
          // A clock that moves makes a day of 25 hours.
          expect(until("daily")).toBeLessThanOrEqual(25 * 3_600_000);
          expect(until("weekly")).toBeLessThanOrEqual((7 * 24 + 1) * 3_600_000);
        },
      ),
    );
  });
});

test.each([
  [1, 1, "1 novidade no Coreto", undefined],
  [2, 3, "3 novidades no Coreto", "E mais 1 novidade."],
  [2, 100, "Mais de 99 novidades no Coreto", "E muitas outras."],
])("a digest of %i lines of %i is called %s", (lines, total, subject, rest) => {
  const bodies = Array.from({ length: lines }, () => "Uma\ncoisa.");
  const mail = digestMail({ bodies, total });
  expect(mail.subject).toBe(subject);
  expect(mail.body).toContain("• Uma coisa.");
  expect(/\nE (mais|muitas)/.test(mail.body)).toBe(rest !== undefined);
  if (rest) expect(mail.body).toContain(rest);
});

describe("what a person may switch off", () => {
  const kinds = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];

  test("never is security, moderation, the terms, or the money of somebody", () => {
    const fixed = kinds.filter((kind) =>
      (["app", "mail"] as const).every((one) => !isOptional(kind, one)),
    );
    expect(fixed).toEqual([
      "payment",
      "failure",
      "dispute",
      "document",
      "security",
      "moderation",
      "terms",
      "staff",
    ]);
  });

  test("is on until they do", () => {
    for (const kind of kinds)
      for (const channel of NOTIFICATION_CHANNELS) {
        const off = [{ kind, channel, isOn: false }];
        expect(isWanted([], kind, channel)).toBe(NOTIFICATION_KINDS[kind][channel] !== "none");
        expect(isWanted(off, kind, channel)).toBe(NOTIFICATION_KINDS[kind][channel] === "always");
      }
  });
});
