import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import { waitTextForStaff } from "#app/components/payouts/payout-labels.ts";
import {
  availableMoneyText,
  timelineDisputeText,
  inTransitText,
} from "#app/components/payouts/timeline-texts.ts";
import {
  availableReason,
  moneyTimeline,
  nextScheduledPayoutAt,
  unpaidBalanceCents,
  timelineRowPayout,
  pendingReason,
} from "#app/domain/payouts/timeline/rules/timeline.ts";
import type {
  AvailableInput,
  OpenPayout,
  PendingItem,
} from "#app/domain/payouts/timeline/rules/timeline.ts";
import { sendableAt } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { DAY_MS, HOUR_MS, instantOf } from "#app/domain/time.ts";

// A Sunday noon in São Paulo.
const NOW = instantOf({ year: 2026, month: 11, day: 22 }, 12 * 3_600_000);

const payout = (status: OpenPayout["status"], more: Partial<OpenPayout> = {}): OpenPayout => ({
  id: "p1",
  status,
  amountCents: 0,
  requestedAt: NOW,
  sentAt: null,
  heldReason: null,
  heldUntil: null,
  ...more,
});
const FREE: AvailableInput = {
  openPayout: null,
  hasMethod: true,
  methodKind: "email",
  isUnderage: false,
  documentsApproved: true,
  canPayOut: true,
  availableCents: 5_000,
  availableSince: NOW,
  holdUntil: null,
  isHeldByStaff: false,
  isBanned: false,
  isLeaving: false,
  isHeldByBooks: false,
  schedule: "weekly",
  lastRequestedAt: null,
  now: NOW,
};

describe("why a paid amount is pending", () => {
  const sold = { at: NOW + DAY_MS, method: "pix" as const, beginsAt: null, succeededAt: NOW };
  test.each([
    ["the first Pix of a contract", { at: NOW + 8 * DAY_MS }, "first_pix"],
    ["a renewal by Pix", {}, "renewal_pix"],
    ["a card", { method: "card" as const, at: NOW + 30 * DAY_MS }, "card"],
    ["a prepaid period", { at: NOW + 61 * DAY_MS, beginsAt: NOW + 60 * DAY_MS }, "paid_ahead"],
    [
      "a prepaid period that starts within the cooling-off period",
      { at: NOW + 8 * DAY_MS, beginsAt: NOW },
      "first_pix",
    ],
    ["an unclaimed gift", { at: UNSCHEDULED_RELEASE_AT, beginsAt: UNSCHEDULED_RELEASE_AT }, "gift"],
    ["a provider that settles on its own day", { at: NOW + 3 * DAY_MS }, "settlement"],
    ["due for release", { at: NOW }, "leaving_now"],
  ])("%s", (_, more, why) => {
    expect(pendingReason({ ...sold, ...more }, NOW)).toBe(why);
  });
});

describe("why an available amount was not paid out", () => {
  const held = payout("held", { heldReason: "approval" });
  test.each<[string, Partial<AvailableInput>, object]>([
    ["nothing holds it", {}, { why: "scheduled", schedule: "weekly" }],
    ["requested by the seller", { schedule: "manual" }, { why: "asked_by_hand" }],
    [
      "a held payout, with its reason",
      { openPayout: held, isHeldByBooks: true },
      { why: "held", payoutId: "p1", reason: "approval" },
    ],
    [
      "a ledger check fails",
      { openPayout: payout("requested"), isHeldByBooks: true },
      { why: "books" },
    ],
    ["requested", { openPayout: payout("requested") }, { why: "requested", payoutId: "p1" }],
    ["another payout is pending", { openPayout: payout("sent") }, { why: "already_open" }],
    ["no key", { hasMethod: false, documentsApproved: false }, { why: "no_method" }],
    ["no documents", { documentsApproved: false }, { why: "documents" }],
    ["no provider can send it", { canPayOut: false }, { why: "no_provider" }],
    ["a moderator", { isHeldByStaff: true }, { why: "held_by_staff" }],
    ["a changed key", { holdUntil: NOW + 1 }, { why: "method_on_hold", until: NOW + 1 }],
    [
      "below the minimum",
      { availableCents: 999 },
      { why: "below_minimum", until: NOW + 30 * DAY_MS },
    ],
    ["leaving", { isLeaving: true }, { why: "leaving" }],
    [
      "an account that closes, without a minimum",
      { isLeaving: true, availableCents: 999 },
      { why: "leaving" },
    ],
    [
      "a seller under 18, whatever was requested",
      {
        isUnderage: true,
        openPayout: payout("held", { heldReason: "documents" }),
        documentsApproved: false,
      },
      { why: "underage" },
    ],
    [
      "a schedule to an account, which leaves when its bank opens",
      {
        schedule: "monthly",
        methodKind: "bank_account",
        now: instantOf({ year: 2026, month: 12, day: 20 }),
      },
      { why: "scheduled", at: instantOf({ year: 2027, month: 1, day: 4 }, 7 * 3_600_000) },
    ],
    [
      "a schedule to a key, on its day",
      { schedule: "monthly", now: instantOf({ year: 2026, month: 12, day: 20 }) },
      { why: "scheduled", at: instantOf({ year: 2027, month: 1, day: 1 }) },
    ],
    [
      "a banned seller, before any other reason",
      { isBanned: true, openPayout: held },
      { why: "banned" },
    ],
  ])("%s", (_, more, wait) => {
    expect(availableReason({ ...FREE, ...more })).toMatchObject(wait);
  });
});

describe("the next payout of a schedule", () => {
  const monday = instantOf({ year: 2026, month: 11, day: 23 });
  const next = (more: object) => nextScheduledPayoutAt({ ...FREE, methodKind: "email", ...more });
  test.each<[string, object, number]>([
    ["on its day", {}, monday],
    [
      "its day although a key was changed, when the wait ends before it",
      { holdUntil: monday },
      monday,
    ],
    [
      "at the end of the wait after a change of key, where its day is within it",
      { holdUntil: monday + 11 * HOUR_MS },
      monday + 11 * HOUR_MS,
    ],
    [
      "to an account, when banks open after that",
      { methodKind: "bank_account", holdUntil: monday + 11 * HOUR_MS },
      sendableAt("bank_account", monday + 11 * HOUR_MS),
    ],
  ])("is on %s", (_, more, at) => {
    expect(next(more)).toBe(at);
  });

  test.each(["isHeldByStaff", "isHeldByBooks", "isBanned", "isUnderage", "isLeaving"])(
    "has no predictable day: %s",
    (why) => {
      expect(next({ [why]: true })).toBeNull();
    },
  );

  test("is none while a payout is held, without approved documents, without a payout provider or with manual payouts", () => {
    expect([
      next({ openPayout: payout("held", { heldReason: "approval" }) }),
      next({ documentsApproved: false }),
      next({ canPayOut: false }),
      next({ schedule: "manual" }),
    ]).toEqual([null, null, null, null]);
  });
});

test.each<[string, OpenPayout | null, string | null]>([
  ["none was requested", null, null],
  ["held", payout("held", { heldReason: "approval" }), "p1"],
  ["requested", payout("requested"), "p1"],
  ["waits for balance", payout("requested", { waitsFor: "balance" }), "p1"],
  ["left", payout("sent", { amountCents: 5_000 }), "p1"],
])("the payout behind a row opens: %s", (_, openPayout, payoutId) => {
  const rows = moneyTimeline({
    balances: {
      pendingCents: 0,
      availableCents: 5_000,
      reservedCents: 0,
      inTransitCents: 0,
      owedCents: 0,
    },
    available: { ...FREE, openPayout },
    waiting: [],
    waitingCents: 0,
  });
  expect(rows.map(timelineRowPayout).find((id) => id !== null) ?? null).toBe(payoutId);
});

describe("the texts", () => {
  const disputed = {
    kind: "dispute" as const,
    id: "d1",
    at: NOW,
    cents: 1,
    chargeId: "c1",
    description: "Plano",
    disputeKind: "card" as const,
    respondBy: NOW,
    underReviewAt: null,
  };
  const balances = {
    pendingCents: 1_000,
    availableCents: 0,
    reservedCents: 1,
    inTransitCents: 0,
    owedCents: 0,
  };
  const sold = {
    kind: "sale" as const,
    id: "s1",
    at: NOW + DAY_MS,
    cents: 1_000,
    chargeId: "c2",
    description: "Plano",
    method: "pix" as const,
    beginsAt: null,
    succeededAt: NOW,
    failures: 0,
  };
  const rowsAt = (more: Partial<AvailableInput>) =>
    moneyTimeline({
      balances,
      available: { ...FREE, availableCents: 0, ...more },
      waiting: [disputed, sold],
      waitingCents: 1_001,
    });

  test("of a dispute offer no answer after its deadline", () => {
    expect(rowsAt({}).map((row) => row.of === "reserved" && row.isTooLate)).toContain(true);
    expect(
      rowsAt({ now: NOW - 1 }).map((row) => row.of === "reserved" && row.isTooLate),
    ).not.toContain(true);
    expect(timelineDisputeText(disputed, { mayAct: true, isTooLate: true })).toMatchObject({
      todo: { label: "Ver contestação" },
    });
    expect(timelineDisputeText(disputed, { mayAct: true, isTooLate: true }).why).not.toContain(
      "Dá para responder",
    );
  });

  test("of an underage seller promise nothing", () => {
    expect(
      rowsAt({ isUnderage: true }).flatMap((row) => (row.of === "pending" ? [row.why] : [])),
    ).toEqual(["going_back"]);
    expect(availableMoneyText({ why: "underage" }, { holdReason: null }).why).not.toContain("abre");
  });

  test("of a payout that waits for money promise no number of minutes", () => {
    expect(
      inTransitText(payout("claimed", { waitsFor: "balance", waitsUntil: NOW })).why,
    ).not.toContain("minutos");
  });

  test("of a payout blocked at the provider ask nothing of the seller and name no key or balance; staff see what to check", () => {
    const { why } = inTransitText(payout("claimed", { waitsFor: "provider", waitsUntil: NOW }));
    expect(why).toContain("não precisa fazer nada");
    expect(why).not.toMatch(/chave|conta|junta o dinheiro|minutos/);
    expect(waitTextForStaff("provider", NOW)).toMatch(/chave de API.*permissões.*limites/);
    expect(waitTextForStaff("provider", NOW)).not.toContain("não cobre");
  });
});

const cents = fc.integer({ min: 1, max: 1_000_000 });
const sale = fc.record({
  kind: fc.constant("sale" as const),
  id: fc.uuid(),
  at: fc.integer({ min: NOW - DAY_MS, max: NOW + 90 * DAY_MS }),
  cents,
  chargeId: fc.uuid(),
  description: fc.string(),
  method: fc.constantFrom("pix" as const, "card" as const),
  beginsAt: fc.option(fc.constant(NOW)),
  succeededAt: fc.constant(NOW - DAY_MS),
  failures: fc.nat(3),
});
const dispute = fc.record({
  kind: fc.constant("dispute" as const),
  id: fc.uuid(),
  at: fc.constant(NOW),
  cents,
  chargeId: fc.uuid(),
  description: fc.string(),
  disputeKind: fc.constantFrom("med" as const, "card" as const),
  respondBy: fc.option(fc.constant(NOW)),
  underReviewAt: fc.option(fc.constant(NOW)),
});
const sumOf = (rows: readonly { cents: number }[]) => rows.reduce((sum, row) => sum + row.cents, 0);
const money = fc.record({
  waiting: fc.array(fc.oneof<fc.Arbitrary<PendingItem>[]>(sale, dispute), { maxLength: 12 }),
  availableCents: fc.nat(1_000_000),
  owedCents: fc.nat(1_000_000),
  openPayout: fc.option(
    fc.record({
      status: fc.constantFrom(
        "requested" as const,
        "held" as const,
        "claimed" as const,
        "sent" as const,
      ),
      amountCents: cents,
    }),
  ),
  /** By how much the ledger is wrong. */
  strayCents: fc.oneof(fc.constant(0), fc.integer({ min: -500, max: 500 })),
});

test("the rows sum to the unpaid ledger balance, to the centavo; an unexplained row appears only if the ledger is wrong", () => {
  fc.assert(
    fc.property(money, ({ waiting, availableCents, owedCents, openPayout, strayCents }) => {
      const open = openPayout && payout(openPayout.status, openPayout);
      const isFlying = open?.status === "claimed" || open?.status === "sent";
      const balances = {
        pendingCents: sumOf(waiting.filter(({ kind }) => kind === "sale")) + strayCents,
        reservedCents: sumOf(waiting.filter(({ kind }) => kind === "dispute")),
        inTransitCents: isFlying ? open.amountCents : 0,
        availableCents,
        owedCents,
      };
      const rows = moneyTimeline({
        balances,
        available: { ...FREE, availableCents, openPayout: open },
        waiting,
        waitingCents: sumOf(waiting),
      });
      expect(sumOf(rows)).toBe(unpaidBalanceCents(balances));
      expect(sumOf(rows.filter(({ of }) => of === "unexplained"))).toBe(strayCents);
      for (const [of, whole] of [
        ["available", availableCents],
        ["owed", -owedCents],
        ["in_transit", balances.inTransitCents],
        ["reserved", balances.reservedCents],
        ["pending", balances.pendingCents - strayCents],
      ] as const) {
        expect(sumOf(rows.filter((row) => row.of === of))).toBe(whole || 0);
      }
    }),
  );
});
