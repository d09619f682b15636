import { describe, expect, test } from "vitest";
import { isAddressOpen, OPEN_ADDRESS } from "#app/domain/notifications/rules/addresses.ts";
import { decideSending, nextSendingAt } from "#app/domain/notifications/rules/sending.ts";
import type { RecipientSnapshot } from "#app/domain/notifications/rules/sending.ts";

const NOON = Date.parse("2026-11-11T15:00:00Z");
const NIGHT = Date.parse("2026-11-12T02:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const reader: RecipientSnapshot = {
  isReachable: true,
  isSilenced: false,
  isOutdated: false,
  address: OPEN_ADDRESS,
  choices: [],
  hours: {
    timeZone: "America/Sao_Paulo",
    quiet: { fromMinute: 22 * 60, untilMinute: 7 * 60 },
  },
};
const off = (kind: string) => ({
  ...reader,
  choices: [{ kind, channel: "mail", isOn: false }],
});

describe("a delivery", () => {
  test.each([
    ["comment at noon", "comment", reader, NOON, { do: "send" }],
    [
      "comment at night",
      "comment",
      reader,
      NIGHT,
      { do: "wait", until: Date.parse("2026-11-12T10:00:00Z") },
    ],
    ["payment at night", "payment", reader, NIGHT, { do: "send" }],
    ["security at night", "security", reader, NIGHT, { do: "send" }],
    ["comment, switched off since", "comment", off("comment"), NOON, { do: "skip" }],
    ["payment, which nobody may switch off", "payment", off("payment"), NIGHT, { do: "send" }],
    ["removed comment", "comment", { ...reader, isOutdated: true }, NOON, { do: "skip" }],
    ["comment of a muted post", "comment", { ...reader, isSilenced: true }, NOON, { do: "skip" }],
    [
      "payment to a deleted account",
      "payment",
      { ...reader, isReachable: false },
      NOON,
      { do: "skip" },
    ],
    ["like, which has no email", "like", reader, NOON, { do: "skip" }],
  ] as const)("%s", (_, kind, recipient, now, decision) => {
    expect(decideSending({ kind, channel: "mail" }, recipient, now)).toEqual(decision);
  });
});

describe("a delivery that failed", () => {
  test.each([
    ["mail", 1, 0, MINUTE],
    ["mail", 3, 0, 4 * MINUTE],
    ["mail", 12, 7 * 24 * HOUR - 1, HOUR],
    ["mail", 11, 30 * 24 * HOUR, HOUR],
    ["mail", 12, 7 * 24 * HOUR, null],
    ["push", 12, 2 * 24 * HOUR - 1, HOUR],
    ["push", 12, 2 * 24 * HOUR, null],
  ])("%s, %i times in %i ms, is tried again after %s", (channel, attempts, age, wait) => {
    const next = nextSendingAt({ channel, attempts, createdAt: NOON - age }, NOON);
    expect(next === null ? null : next - NOON).toBe(wait);
  });
});

describe("an address", () => {
  const BOUNCED = { hasBounced: true, hasComplained: false };
  const COMPLAINED = { hasBounced: false, hasComplained: true };

  test.each([
    ["payment", true],
    ["security", true],
    ["moderation", true],
    ["payout", false],
    ["post", false],
    ["comment", false],
  ] as const)("that complained gets %s: %s; one that bounced gets nothing", (kind, isSent) => {
    expect(isAddressOpen(COMPLAINED, kind)).toBe(isSent);
    expect(isAddressOpen(BOUNCED, kind)).toBe(false);
    expect(isAddressOpen(OPEN_ADDRESS, kind)).toBe(true);
  });

  test("that is stopped stops no push", () => {
    const stopped = { ...reader, address: BOUNCED };
    expect(decideSending({ kind: "post", channel: "mail" }, stopped, NOON).do).toBe("skip");
    expect(decideSending({ kind: "post", channel: "push" }, stopped, NOON).do).toBe("send");
  });
});
