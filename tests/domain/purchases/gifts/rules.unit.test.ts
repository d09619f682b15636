import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chargeStatuses } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import {
  claimProblem,
  giftCodeFromBytes,
  decideGift,
  giftDeliveryAt,
  giftState,
  parseGiftCode,
} from "#app/domain/purchases/gifts/rules.ts";
import type { ClaimInput, GiftDecisionInput } from "#app/domain/purchases/gifts/rules.ts";
import { giftSchema } from "#app/domain/purchases/gifts/schema.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";

const NOW = Date.UTC(2026, 10, 22, 15);

describe("a gift code", () => {
  test("has 24 of 32 unambiguous characters, and is parsed however it is typed", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 15, maxLength: 32 }),
        fc.boolean(),
        (bytes, isSpaced) => {
          const code = giftCodeFromBytes(bytes);
          expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
          const typed = code
            .toLowerCase()
            .replaceAll("-", isSpaced ? " " : "")
            .replaceAll("0", "o")
            .replaceAll("1", "i");
          expect(parseGiftCode(typed)).toBe(code);
        },
      ),
    );
  });

  test("holds 120 bits: a change in any of the first fifteen bytes gives another code", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 15, maxLength: 15 }),
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, flip) => {
          const other = Uint8Array.from(bytes, (byte, index) =>
            index === at ? byte ^ flip : byte,
          );
          expect(giftCodeFromBytes(other)).not.toBe(giftCodeFromBytes(bytes));
        },
      ),
    );
  });

  test.each([
    "",
    "ABCD",
    "UUUU-UUUU-UUUU-UUUU-UUUU-UUUU",
    "0000-0000-0000-0000-0000-0000-0",
    "../../../etc/passwd/xxxxx",
    "0000-0000-0000-0000-0000-000é",
  ])("%s is no gift code", (typed) => {
    expect(parseGiftCode(typed)).toBeNull();
  });
});

const said = (status: ProviderCharge["status"], amountCents = 1_990): ProviderCharge => ({
  id: "ch",
  reference: "c",
  status,
  amountCents,
  refundedCents: 0,
  pixCode: null,
  nextActionUrl: null,
  expiresAt: null,
  failureCode: null,
  settlesAt: null,
  savedMethodId: null,
  costCents: null,
  recurringPixId: null,
});
const input = (more: Partial<GiftDecisionInput> = {}): GiftDecisionInput => ({
  charge: { status: "awaiting_payment", amountCents: 1_990, expiresAt: NOW + 1 },
  providerCharge: said("succeeded"),
  gift: { paidAt: null, endedAt: null, holdsSeat: true },
  isShut: false,
  isPayerLeaving: false,
  plan: { state: "active", hasFreeSeat: true },
  now: NOW,
  ...more,
});

describe("the payment of a gift", () => {
  const late = { paidAt: null, endedAt: NOW - 1, holdsSeat: false };
  test.each<[string, Partial<GiftDecisionInput>, ReturnType<typeof decideGift>]>([
    ["makes the gift", {}, { kind: "give", needsSeat: false }],
    [
      "makes the gift while its seat is reserved, although the plan was archived",
      { plan: { state: "archived", hasFreeSeat: false } },
      { kind: "give", needsSeat: false },
    ],
    [
      "when late makes the gift if a seat is free",
      { gift: late },
      { kind: "give", needsSeat: true },
    ],
    [
      "when late is refunded if no seat is free",
      { gift: late, plan: { state: "active", hasFreeSeat: false } },
      { kind: "give_back", reason: "no_seat", endsAttempt: false },
    ],
    [
      "when late is refunded if the plan is not sold",
      { gift: late, plan: { state: "archived", hasFreeSeat: true } },
      { kind: "give_back", reason: "not_sold", endsAttempt: false },
    ],
    [
      "is refunded if the creator's page is closed",
      { isShut: true },
      { kind: "give_back", reason: "not_sold", endsAttempt: true },
    ],
    [
      "is refunded if the payer is leaving",
      { isPayerLeaving: true },
      { kind: "give_back", reason: "payer_leaving", endsAttempt: true },
    ],
    [
      "of another amount is refunded",
      { providerCharge: said("succeeded", 1_989) },
      { kind: "give_back", reason: "amount_differs", endsAttempt: true },
    ],
    [
      "that expired frees the seat",
      { providerCharge: said("expired") },
      { kind: "progress", status: "expired", failureCode: null, endsAttempt: true },
    ],
    [
      "is applied once",
      {
        charge: { status: "succeeded", amountCents: 1_990, expiresAt: NOW + 1 },
        gift: { paidAt: NOW, endedAt: null, holdsSeat: true },
      },
      { kind: "nothing" },
    ],
  ])("%s", (_, more, decision) => {
    expect(decideGift(input(more))).toEqual(decision);
  });
});

describe("claiming a gift", () => {
  const gift = {
    claimUntil: NOW + 1,
    claimedAt: null,
    claimedBy: null,
    endedAt: null,
    endedReason: null,
    creatorId: "ana",
  };
  const asked: ClaimInput = {
    gift,
    chargeStatus: "succeeded",
    memberId: "clara",
    isShut: false,
    isLeaving: false,
    isAgeClosed: false,
    isSubscribed: false,
  };
  test.each<[string, Partial<ClaimInput>, ReturnType<typeof claimProblem>]>([
    ["is possible", {}, null],
    ["is possible after a won dispute", { chargeStatus: "dispute_won" }, null],
    ["is refused at its expiry", { gift: { ...gift, claimUntil: NOW } }, "unclaimed"],
    [
      "is refused to its claimer, again",
      { gift: { ...gift, claimedAt: 1, claimedBy: "clara" } },
      "own_claim",
    ],
    [
      "is refused after another person claimed it",
      { gift: { ...gift, claimedAt: 1, claimedBy: "davi" } },
      "claimed",
    ],
    [
      "is refused after a refund, also to its claimer",
      { gift: { ...gift, claimedAt: 1, claimedBy: "clara", endedAt: 2, endedReason: "regret" } },
      "returned",
    ],
    [
      "is refused after the refund of an unclaimed gift",
      { gift: { ...gift, endedAt: 2, endedReason: "unclaimed" } },
      "unclaimed",
    ],
    ["is refused while a dispute is open", { chargeStatus: "disputed" }, "disputed"],
    ["is refused after its payment was refunded", { chargeStatus: "refunded" }, "returned"],
    ["is refused to the creator", { memberId: "ana" }, "own_page"],
    ["is refused if the creator's page is closed", { isShut: true, isSubscribed: true }, "shut"],
    ["is refused to a member who is leaving", { isLeaving: true }, "leaving"],
    ["is refused without an age check", { isAgeClosed: true, isSubscribed: true }, "age"],
    ["subscribes", { isSubscribed: true }, "subscribed"],
  ])("%s", (_, more, problem) => {
    expect(claimProblem({ ...asked, ...more }, NOW)).toBe(problem);
  });

  test("is never possible while its money is not held", () => {
    fc.assert(
      fc.property(fc.constantFrom(...chargeStatuses), (chargeStatus) => {
        const opens = claimProblem({ ...asked, chargeStatus }, NOW) === null;
        expect(opens).toBe(
          ["succeeded", "partially_refunded", "dispute_won"].includes(chargeStatus),
        );
      }),
    );
  });
});

test.each([
  ["scheduled", { deliverAt: NOW + 1 }],
  ["waiting", { deliverAt: NOW + 1, deliveredAt: NOW }],
  ["waiting", {}],
  ["claimed", { claimedAt: NOW }],
  ["unclaimed", { claimUntil: NOW }],
  ["unclaimed", { endedAt: NOW, endedReason: "unclaimed" as const }],
  ["returned", { claimedAt: 1, endedAt: NOW, endedReason: "regret" as const }],
])("its giver sees it as %s", (state, more) => {
  expect(
    giftState(
      {
        deliverAt: null,
        deliveredAt: null,
        claimUntil: NOW + 1,
        claimedAt: null,
        endedAt: null,
        endedReason: null,
        ...more,
      },
      NOW,
    ),
  ).toBe(state);
});

describe("the delivery day of a gift", () => {
  const on = (day: string) => giftDeliveryAt(instantOfIsoDay(day), NOW);
  test("can be empty or today: at once", () => {
    expect([giftDeliveryAt(null, NOW), on("2026-11-22")]).toEqual([
      { deliverAt: null },
      { deliverAt: null },
    ]);
  });
  test("starts at nine in the morning in São Paulo", () => {
    expect(on("2026-11-23")).toEqual({ deliverAt: Date.UTC(2026, 10, 23, 12) });
  });
  test("is neither past nor too late for a claim after it", () => {
    expect(on("2026-11-21")).toEqual({ problem: "Este dia já passou" });
    expect(on("2027-09-18")).toHaveProperty("deliverAt");
    expect(on("2027-09-20")).toEqual({ problem: "Escolha um dia até 18/09/2027" });
  });
});

describe("the gift form", () => {
  const filled = {
    planPriceId: "p1",
    amountCents: "1990",
    recipientName: " Clara ",
    recipientEmail: "",
    message: "",
    deliverOn: "",
    method: "pix",
    cardToken: "",
  };
  test("accepts a recipient or none", () => {
    expect(giftSchema.parse(filled)).toMatchObject({
      recipientName: "Clara",
      recipientEmail: "",
      deliverOn: null,
      cardToken: null,
    });
    expect(giftSchema.parse({ ...filled, recipientEmail: " Clara@Exemplo.Test " })).toMatchObject({
      recipientEmail: "clara@exemplo.test",
    });
  });
  test.each([
    ["recipientEmail", { recipientEmail: "clara" }, "Confira o e-mail"],
    [
      "recipientEmail",
      { deliverOn: "2026-12-24" },
      "Para entregar num dia, diga o e-mail de quem recebe",
    ],
    ["deliverOn", { deliverOn: "ontem" }, "Escolha um dia do calendário"],
    ["message", { message: "a".repeat(281) }, "Use até 280 letras"],
    ["recipientName", { recipientName: "a".repeat(81) }, "Use até 80 letras"],
  ])("shows beside %s what is wrong", (field, more, message) => {
    const issue = giftSchema.safeParse({ ...filled, ...more }).error?.issues[0];
    expect({ field: issue?.path[0], message: issue?.message }).toEqual({ field, message });
  });
});
