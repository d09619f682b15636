import { describe, expect, test } from "vitest";
import { decideCharge } from "#app/domain/subscriptions/settlement/rules.ts";
import type { ChargeDecisionInput } from "#app/domain/subscriptions/settlement/rules.ts";
import {
  day,
  decisionInput,
  now,
  providerCharge,
  subscription,
} from "#tests/support/charge-decisions.ts";

describe("the effect of a paid charge", () => {
  test.each<[string, Partial<ChargeDecisionInput>, object]>([
    [
      "the first charge starts the subscription",
      {},
      {
        kind: "activate",
        needsSeat: false,
        periods: [{ startsAt: now, endsAt: day(2026, 4, 10) }],
      },
    ],
    [
      "late, with a seat free",
      { subscription: { ...subscription, status: "expired", holdsSeat: false } },
      { kind: "activate", needsSeat: true },
    ],
    [
      "late, without a seat",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        plan: { state: "active", hasFreeSeat: false },
      },
      { kind: "give_back", reason: "no_seat" },
    ],
    [
      "a gift is active, and the subscription starts after it",
      { hasOtherLive: true, beginsAt: day(2026, 3, 31) },
      {
        kind: "activate",
        beginsAt: day(2026, 3, 31),
        periods: [{ startsAt: day(2026, 3, 31), endsAt: day(2026, 4, 30) }],
      },
    ],
    [
      "late, and its coupon still has a use",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        coupon: { isFreed: true, canTakeAgain: true },
      },
      { kind: "activate", retakesCoupon: true },
    ],
    [
      "late, and its coupon has no use left",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        coupon: { isFreed: true, canTakeAgain: false },
      },
      { kind: "give_back", reason: "coupon_gone" },
    ],
    [
      "in time, although the coupon ended since",
      { coupon: { isFreed: false, canTakeAgain: false } },
      { kind: "activate", retakesCoupon: false },
    ],
    [
      "the payer deletes their account",
      { isPayerLeaving: true },
      { kind: "give_back", reason: "payer_leaving" },
    ],
    [
      "the creator is on vacation",
      { awayUntil: now + 1 },
      { kind: "give_back", reason: "creator_away", endsPurchase: true },
    ],
    [
      "the creator deletes their account or is banned",
      { isShut: true },
      { kind: "give_back", reason: "not_sold" },
    ],
    [
      "late, and the plan is no longer sold",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        plan: { state: "archived", hasFreeSeat: true },
      },
      { kind: "give_back", reason: "not_sold" },
    ],
    [
      "the plan was archived while its seat was reserved",
      { plan: { state: "archived", hasFreeSeat: false } },
      { kind: "activate", needsSeat: false },
    ],
    [
      "already subscribed by another tab",
      { hasOtherLive: true },
      { kind: "give_back", reason: "already_subscribed", endsPurchase: true },
    ],
    [
      "another amount than requested",
      { providerCharge: providerCharge("succeeded", { amountCents: 1 }) },
      { kind: "give_back", reason: "amount_differs" },
    ],
    [
      "reported again after it succeeded",
      { charge: { ...decisionInput().charge, status: "succeeded" } },
      { kind: "nothing" },
    ],
    [
      "reported again after its refund",
      { charge: { ...decisionInput().charge, status: "refunded" } },
      { kind: "nothing" },
    ],
    [
      "failed",
      { providerCharge: providerCharge("failed", { failureCode: "card_declined" }) },
      { kind: "progress", status: "failed", failureCode: "card_declined", endsPurchase: true },
    ],
    [
      "failed late, after the success",
      {
        providerCharge: providerCharge("failed"),
        charge: { ...decisionInput().charge, status: "succeeded" },
      },
      { kind: "nothing" },
    ],
    [
      "a failed renewal does not end the subscription",
      {
        providerCharge: providerCharge("failed"),
        subscription: { ...subscription, status: "active" },
      },
      { kind: "progress", endsPurchase: false },
    ],
    ["unknown to the provider, before its expiry", { providerCharge: null }, { kind: "nothing" }],
    [
      "unknown to the provider, after its expiry",
      { providerCharge: null, now: now + 1_000 },
      { kind: "progress", status: "expired", endsPurchase: true },
    ],
  ])("%s", (_, more, expected) => {
    expect(decideCharge(decisionInput(more))).toMatchObject(expected);
  });

  test("a charge of the next period renews, and one of any other period is refunded", () => {
    const endsAt = day(2026, 4, 10);
    const live = {
      ...subscription,
      status: "active" as const,
      startedAt: now,
      currentPeriodEndsAt: endsAt,
    };
    const renewal = {
      ...decisionInput().charge,
      periodStartsAt: endsAt,
      periodEndsAt: day(2026, 5, 10),
    };
    expect(decideCharge(decisionInput({ subscription: live, charge: renewal }))).toEqual({
      kind: "renew",
      periods: [{ startsAt: endsAt, endsAt: day(2026, 5, 10) }],
    });
    expect(
      decideCharge(
        decisionInput({
          subscription: { ...live, currentPeriodEndsAt: day(2026, 5, 10) },
          charge: renewal,
        }),
      ),
    ).toMatchObject({ kind: "give_back", reason: "already_subscribed" });
  });
});
