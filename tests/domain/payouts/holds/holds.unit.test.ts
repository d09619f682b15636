import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payoutFailedText } from "#app/components/payouts/payout-labels.ts";
import { minimumPayoutCents } from "#app/domain/payouts/rules.ts";
import {
  claimedCents,
  payoutEnd,
  HELD_BEFORE_SENDING_CODE,
  payoutHold,
  canApprovePayout,
  DOCUMENTS_RESUBMIT_MS,
} from "#app/domain/payouts/holds/rules/holds.ts";
import { batchFigures, allowedStaffActions } from "#app/domain/payouts/staff-review/rules.ts";
import {
  isBatchDue,
  scheduledDays,
  schedulesDueOn,
} from "#app/domain/payouts/batches/rules/schedules.ts";
import { payoutStatuses } from "#app/domain/payouts/schema.ts";
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";

const NOW = instantOf({ year: 2026, month: 11, day: 23 }, 10 * HOUR_MS);
const free = {
  isHeldByStaff: false,
  documentsApproved: true,
  methodHoldUntil: null,
  availableCents: 500_000,
  approvedCents: null,
  approvalLimitCents: 500_000,
  keyVerdict: "own" as const,
  now: NOW,
};

describe("what holds a payout", () => {
  test.each([
    ["not held at the limit", {}, null],
    [
      "held for approval a centavo above the limit",
      { availableCents: 500_001 },
      { reason: "approval", until: null },
    ],
    ["not held once it was approved", { availableCents: 900_000, approvedCents: 800_000 }, null],
    [
      "held for documents that are not approved",
      { documentsApproved: false },
      { reason: "documents", until: null },
    ],
    [
      "held for a changed key",
      { methodHoldUntil: NOW + 1 },
      { reason: "changed_method", until: NOW + 1 },
    ],
    ["not held from the end of the wait for a changed key", { methodHoldUntil: NOW }, null],
    [
      "held by a moderator, before any other reason",
      {
        isHeldByStaff: true,
        documentsApproved: false,
        methodHoldUntil: NOW + 1,
        availableCents: 900_000,
      },
      { reason: "moderation", until: null },
    ],
    [
      "held for documents, before the key and the amount",
      { documentsApproved: false, methodHoldUntil: NOW + 1, availableCents: 900_000 },
      { reason: "documents", until: null },
    ],
    [
      "held for another person's key, before a changed key",
      { keyVerdict: "other", methodHoldUntil: NOW + 1, availableCents: 900_000 },
      { reason: "owner_differs", until: null },
    ],
    [
      "held for a key without an owner, also when approved",
      { keyVerdict: "not_found", approvedCents: 500_000 },
      { reason: "owner_differs", until: null },
    ],
    [
      "held for documents, before the key's owner",
      { documentsApproved: false, keyVerdict: "other" },
      { reason: "documents", until: null },
    ],
    ["not held while the key's owner is unconfirmed", { keyVerdict: "unasked" }, null],
    [
      "held by a moderator, also when approved",
      { isHeldByStaff: true, approvedCents: 900_000 },
      { reason: "moderation", until: null },
    ],
  ] as const)("is %s", (_, input, expected) => {
    expect(payoutHold({ ...free, ...input })).toEqual(expected);
  });

  const waiting = {
    isBanned: false,
    isUnderage: false,
    documentsRejectedAt: null,
    hasMethod: true,
    availableCents: 1_000,
    leastCents: 1_000,
    now: NOW,
  };
  test.each([
    ["not of a seller who can be paid", {}, null],
    [
      "not of a seller whose documents were rejected less than thirty days ago",
      { documentsRejectedAt: NOW - DOCUMENTS_RESUBMIT_MS + 1 },
      null,
    ],
    [
      "of a seller without new documents for thirty days",
      { documentsRejectedAt: NOW - DOCUMENTS_RESUBMIT_MS },
      "documents_rejected",
    ],
    [
      "of a seller under 18, at once",
      { isUnderage: true, documentsRejectedAt: NOW, availableCents: 0 },
      "underage",
    ],
    [
      "of a banned seller, before any other reason",
      { isBanned: true, isUnderage: true, availableCents: 0 },
      "account_suspended",
    ],
    ["of less than the minimum", { availableCents: 999 }, "below_minimum"],
    ["not of a balance that is thirty days old", { availableCents: 1, leastCents: 1 }, null],
    ["of an empty balance", { availableCents: 0 }, "nothing_available"],
    ["of a seller without a destination", { hasMethod: false }, "nothing_available"],
  ] as const)("and is over before the payout is sent: %s", (_, input, expected) => {
    expect(payoutEnd({ ...waiting, ...input })).toBe(expected);
  });

  test("a claim never exceeds the available balance or the approved amount", () => {
    fc.assert(
      fc.property(
        fc.nat(10_000_000),
        fc.option(fc.nat(10_000_000)),
        (availableCents, approvedCents) => {
          const taken = claimedCents({ availableCents, approvedCents });
          expect(taken).toBeLessThanOrEqual(
            Math.min(availableCents, approvedCents ?? availableCents),
          );
          expect(approvedCents !== null || taken === availableCents).toBe(true);
        },
      ),
    );
  });

  test("nobody approves a payout of their own money or one that they requested", () => {
    const payout = { creatorId: "ana", actedBy: "bruno" };
    expect(["ana", "bruno", "carla"].map((id) => canApprovePayout(id, payout))).toEqual([
      false,
      false,
      true,
    ]);
    expect(canApprovePayout("carla", { creatorId: "ana", actedBy: null })).toBe(true);
  });
});

describe("the minimum payout", () => {
  test.each([
    ["R$ 10,00", { availableSince: NOW }, 1_000],
    ["R$ 10,00 a moment before thirty days", { availableSince: NOW - 30 * DAY_MS + 1 }, 1_000],
    ["a centavo at thirty days", { availableSince: NOW - 30 * DAY_MS }, 1],
    ["a centavo of an account that closes", { availableSince: NOW, isClosing: true }, 1],
    ["R$ 10,00 without any balance yet", { availableSince: null }, 1_000],
  ])("is %s", (_, input, expected) => {
    expect(minimumPayoutCents({ ...input, now: NOW })).toBe(expected);
  });
});

describe("payout schedules", () => {
  const at = (month: number, day: number, ms = 0) => instantOf({ year: 2026, month, day }, ms);

  test.each([
    ["a Monday", at(11, 23), ["weekly"]],
    ["the last moment of a Monday in São Paulo", at(11, 24) - 1, ["weekly"]],
    ["a Tuesday", at(11, 24), []],
    ["the first of a month", at(12, 1), ["monthly"]],
    ["a Monday that is the first", at(6, 1), ["weekly", "monthly"]],
  ])("on %s", (_, moment, expected) => {
    expect(schedulesDueOn(moment)).toEqual(expected);
  });

  test("the batches of today and the two days before may run, oldest first", () => {
    expect(scheduledDays(at(12, 1, HOUR_MS)).map(({ day, schedules }) => [day, schedules])).toEqual(
      [
        ["2026-11-30", ["weekly"]],
        ["2026-12-01", ["monthly"]],
      ],
    );
    expect(scheduledDays(at(11, 25, 1)).map(({ day }) => day)).toEqual(["2026-11-23"]);
    expect(scheduledDays(at(11, 26))).toEqual([]);
  });

  const monday = { day: "2026-11-23" };
  test.each([
    ["no batch ran before, and it is Monday", NOW, [], true],
    ["no batch ran before, and it is Tuesday", NOW + DAY_MS, [], false],
    [
      "last week's batch ran, and this Monday was missed",
      NOW + DAY_MS,
      [{ day: "2026-11-16", finishedAt: 1 }],
      true,
    ],
    ["the batch was not finished", NOW + 2 * DAY_MS, [{ ...monday, finishedAt: null }], true],
    ["the batch was finished yesterday", NOW + DAY_MS, [{ ...monday, finishedAt: NOW }], false],
    [
      "the batch was finished 59 minutes ago",
      NOW,
      [{ ...monday, finishedAt: NOW - 59 * MINUTE_MS }],
      false,
    ],
    [
      "the batch was finished an hour ago, today",
      NOW,
      [{ ...monday, finishedAt: NOW - HOUR_MS }],
      true,
    ],
  ])("when %s", (_, now, known, expected) => {
    expect(isBatchDue(monday, known, now)).toBe(expected);
  });
});

test("a payout has at most one manual action in every state, and none once it is paid or canceled", () => {
  for (const status of payoutStatuses) {
    const acts = allowedStaffActions({
      status,
      heldReason: status === "held" ? "documents" : null,
      approvedCents: null,
      providerTransferId: null,
    });
    expect(Object.values(acts).filter(Boolean)).toHaveLength(
      status === "paid" || status === "canceled" ? 0 : 1,
    );
  }
  expect(
    allowedStaffActions({
      status: "held",
      heldReason: "approval",
      approvedCents: null,
      providerTransferId: null,
    }),
  ).toEqual({ approve: true, cancel: true, retry: false, ask: false, record: false });
  expect(
    allowedStaffActions({
      status: "failed",
      heldReason: null,
      approvedCents: null,
      providerTransferId: "tr_1",
    }).record,
  ).toBe(true);
  expect(
    allowedStaffActions({
      status: "held",
      heldReason: "approval",
      approvedCents: 1,
      providerTransferId: null,
    }).approve,
  ).toBe(false);
});

test("the figures of a batch count each payout once", () => {
  const parts = payoutStatuses.map((status, index) => ({
    status,
    count: index + 1,
    cents: 100 * index,
  }));
  const figures = batchFigures(parts);
  expect(figures.paidCount + figures.openCount + figures.backCount).toBe(figures.count);
  expect(figures).toMatchObject({ count: 36, paidCount: 5, paidCents: 400 });
});

describe("the failure message names whose fault it was", () => {
  test.each([
    [HELD_BEFORE_SENDING_CODE, "Foi retido antes de sair"],
    ["recipient_key_not_found", "confira para onde ele vai"],
    ["insufficient_balance", "é o saque seguinte"],
    ["account_suspended_by_provider", "é o saque seguinte"],
    ["something_else", "O banco não aceitou. O valor voltou"],
    [null, "O banco não aceitou. O valor voltou"],
  ])("%s", (code, message) => {
    expect(payoutFailedText(code)).toContain(message);
  });
});
