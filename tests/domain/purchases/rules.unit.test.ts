import { describe, expect, test } from "vitest";
import { resolveOpenCheckout } from "#app/domain/payments/rules.ts";
import type { OpenCharge } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import {
  decidePurchase,
  singleDescription,
  coolingOffRefundProblem,
} from "#app/domain/purchases/rules.ts";
import type { PurchaseDecisionInput } from "#app/domain/purchases/rules.ts";
import { DAY_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";

const NOW = instantOf({ year: 2026, month: 11, day: 21 }, 12 * 60 * MINUTE_MS);
/** Bought on the 21st: the 22nd is the first day, the 28th the seventh. */
const COOLING_OFF_ENDS_AT = instantOf({ year: 2026, month: 11, day: 29 });

const said = (
  status: ProviderCharge["status"],
  more: Partial<ProviderCharge> = {},
): ProviderCharge => ({
  id: "p1",
  reference: "c1",
  status,
  amountCents: 1_500,
  refundedCents: 0,
  pixCode: null,
  nextActionUrl: null,
  expiresAt: null,
  failureCode: null,
  settlesAt: null,
  savedMethodId: null,
  costCents: null,
  recurringPixId: null,
  ...more,
});

const input = (more: Partial<PurchaseDecisionInput> = {}): PurchaseDecisionInput => ({
  charge: { status: "awaiting_payment", amountCents: 1_500, expiresAt: NOW + MINUTE_MS },
  providerCharge: said("succeeded"),
  purchase: { boughtAt: null, endedAt: null },
  isHeldAlready: false,
  isShut: false,
  isPayerLeaving: false,
  isGone: false,
  isSold: true,
  now: NOW,
  ...more,
});
const overdue = { status: "expired", amountCents: 1_500, expiresAt: NOW - 1 } as const;
const over = { boughtAt: null, endedAt: NOW - 1 };

describe("a paid charge", () => {
  test.each<[string, Partial<PurchaseDecisionInput>]>([
    ["in time", {}],
    ["in time, although the price was changed or withdrawn since,", { isSold: false }],
    [
      "in the last instant",
      { charge: { status: "awaiting_payment", amountCents: 1_500, expiresAt: NOW }, isSold: false },
    ],
    ["late, while it is still sold", { charge: overdue, purchase: over }],
    [
      "after a refusal, while it is still sold",
      { charge: { ...overdue, status: "failed" }, purchase: over },
    ],
  ])("%s buys the post", (_, more) => {
    expect(decidePurchase(input(more))).toEqual({ kind: "buy" });
  });

  test.each<[string, Partial<PurchaseDecisionInput>, string, boolean]>([
    ["for something the payer owns already", { isHeldAlready: true }, "already_bought", true],
    ["for something deleted", { isGone: true }, "not_sold", true],
    ["for a creator who left, or across a block", { isShut: true }, "not_sold", true],
    ["from a payer who is leaving", { isPayerLeaving: true }, "payer_leaving", true],
    [
      "of another amount",
      { providerCharge: said("succeeded", { amountCents: 1_499 }) },
      "amount_differs",
      true,
    ],
    [
      "late, for something no longer sold,",
      { charge: overdue, purchase: over, isSold: false },
      "not_sold",
      false,
    ],
    [
      "unconfirmed until after its expiry, for something no longer sold,",
      {
        charge: { status: "awaiting_payment", amountCents: 1_500, expiresAt: NOW - 1 },
        isSold: false,
      },
      "not_sold",
      true,
    ],
  ])("%s is refunded", (_, more, reason, endsAttempt) => {
    expect(decidePurchase(input(more))).toEqual({ kind: "give_back", reason, endsAttempt });
  });

  test.each([
    "succeeded",
    "partially_refunded",
    "refunded",
    "disputed",
    "dispute_won",
    "dispute_lost",
  ] as const)("that is %s already changes nothing", (status) => {
    expect(
      decidePurchase(
        input({
          charge: { status, amountCents: 1_500, expiresAt: null },
          purchase: { boughtAt: NOW, endedAt: null },
        }),
      ),
    ).toEqual({ kind: "nothing" });
  });
});

describe("an unpaid charge", () => {
  test.each(["failed", "expired", "canceled"] as const)("%s ends the checkout", (status) => {
    expect(decidePurchase(input({ providerCharge: said(status) }))).toEqual({
      kind: "progress",
      status,
      failureCode: null,
      endsAttempt: true,
    });
  });

  test.each(["awaiting_payment", "requires_action", "processing"] as const)(
    "%s leaves it open",
    (status) => {
      expect(
        decidePurchase(
          input({
            providerCharge: said(status),
            charge: { status: "created", amountCents: 1_500, expiresAt: null },
          }),
        ),
      ).toMatchObject({ kind: "progress", endsAttempt: false });
    },
  );

  test("unknown to the provider stays open until its expiry, and is over afterwards", () => {
    expect(decidePurchase(input({ providerCharge: null }))).toEqual({ kind: "nothing" });
    expect(decidePurchase(input({ providerCharge: null, now: NOW + MINUTE_MS }))).toMatchObject({
      status: "expired",
      endsAttempt: true,
    });
  });

  test("a late failure undoes nothing", () => {
    expect(
      decidePurchase(
        input({
          providerCharge: said("failed"),
          charge: { status: "succeeded", amountCents: 1_500, expiresAt: null },
        }),
      ),
    ).toEqual({ kind: "nothing" });
  });
});

describe("a second checkout of the same thing", () => {
  const open: OpenCharge = {
    status: "awaiting_payment",
    method: "pix",
    amountCents: 1_500,
    expiresAt: NOW + MINUTE_MS,
  };
  const pix = { method: "pix" as const, amountCents: 1_500, hasCardToken: false };
  test.each<
    [
      string,
      Partial<OpenCharge>,
      Partial<{ method: "pix" | "card"; amountCents: number | null; hasCardToken: boolean }>,
      "join" | "let_go",
    ]
  >([
    ["of the same Pix", {}, {}, "join"],
    ["of an expired code", { expiresAt: NOW }, {}, "let_go"],
    ["by card instead", {}, { method: "card", hasCardToken: true }, "let_go"],
    ["at another price", {}, { amountCents: 1_600 }, "let_go"],
    ["of another plan", {}, { amountCents: null }, "let_go"],
    [
      "with another card, while the first waits for its bank",
      { status: "requires_action", method: "card" },
      { method: "card", hasCardToken: true },
      "let_go",
    ],
    [
      "typed at the provider, where the first is typed",
      { status: "requires_action", method: "card" },
      { method: "card" },
      "join",
    ],
    [
      "while the bank has not answered",
      { status: "created" },
      { method: "card", hasCardToken: true },
      "join",
    ],
    [
      "while a card is in process",
      { status: "processing", method: "card" },
      { method: "card", hasCardToken: true },
      "join",
    ],
  ])("%s", (_, attempt, wish, step) => {
    expect(resolveOpenCheckout({ ...open, ...attempt }, { ...pix, ...wish }, NOW)).toBe(step);
  });
});

describe("the cooling-off right", () => {
  const paid = { boughtAt: NOW, endedAt: null };
  test.each([
    ["at once", NOW, paid, "succeeded", null],
    [
      "in the last millisecond of the seventh day",
      COOLING_OFF_ENDS_AT - 1,
      paid,
      "succeeded",
      null,
    ],
    ["when seven days are over", COOLING_OFF_ENDS_AT, paid, "succeeded", "too_late"],
    ["after a partial refund", NOW + DAY_MS, paid, "partially_refunded", null],
    ["after a dispute was won", NOW + DAY_MS, paid, "dispute_won", null],
    ["while the bank decides", NOW + DAY_MS, paid, "disputed", "disputed"],
    ["of an ended purchase", NOW + DAY_MS, { boughtAt: NOW, endedAt: NOW }, "refunded", "over"],
    ["of an unpaid purchase", NOW, { boughtAt: null, endedAt: null }, "awaiting_payment", "over"],
  ] as const)("%s", (_, now, purchase, status, problem) => {
    expect(coolingOffRefundProblem(purchase, { status }, now)).toBe(problem);
  });
});

test("a charge describes what was bought, and cuts a long title to the provider's limit", () => {
  expect(
    singleDescription({ kind: "post", title: "Como afino a rabeca", creatorName: "Ana Lira" }),
  ).toBe("Publicação “Como afino a rabeca”, de Ana Lira");
  expect(
    singleDescription({ kind: "collection", title: "Rabeca do zero", creatorName: "Ana Lira" }),
  ).toBe("Coleção “Rabeca do zero”, de Ana Lira");
  expect(
    singleDescription({ kind: "post", title: "“Gato de mudança”, 48 páginas", creatorName: "Bia" }),
  ).toBe("Publicação “‘Gato de mudança’, 48 páginas”, de Bia");
  const long = singleDescription({ kind: "post", title: "🎻".repeat(140), creatorName: "Ana" });
  expect(long).toContain("🎻…”");
  expect(Array.from(long).length).toBeLessThan(120);
});
