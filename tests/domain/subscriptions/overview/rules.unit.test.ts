import { describe, expect, test } from "vitest";
import { availableActions, subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { day, now } from "#tests/support/charge-decisions.ts";

describe("the actions of a subscriber", () => {
  const later = now + 10 * DAY_MS;
  const running = {
    method: "pix" as const,
    accessUntil: later,
    startedAt: 0,
    currentPeriodStartsAt: now - DAY_MS,
    currentPeriodEndsAt: later,
    pausedAt: null,
    compEndsAt: null,
    trialEndsAt: null,
    giftedBy: null,
    createdAt: 0,
    openChargeId: null,
    debit: null,
  };
  const over = { ...running, accessUntil: now, currentPeriodEndsAt: now };
  const unpaid = {
    ...running,
    accessUntil: null,
    startedAt: null,
    currentPeriodStartsAt: null,
    currentPeriodEndsAt: null,
  };
  test.each<[string, Parameters<typeof availableActions>[0], string[]]>([
    ["not paid yet", { ...unpaid, status: "incomplete", openChargeId: "c" }, ["pay"]],
    ["not paid, and its code expired", { ...unpaid, status: "incomplete" }, ["subscribe_again"]],
    [
      "active",
      { ...running, status: "active" },
      ["pay_ahead", "change_plan", "payment_method", "pause", "cancel"],
    ],
    [
      "active, paused once in this period",
      { ...running, status: "active", pausedAt: now - 1 },
      ["pay_ahead", "change_plan", "payment_method", "cancel"],
    ],
    [
      "active, with the next Pix already sent",
      { ...running, status: "active", openChargeId: "c" },
      ["pay", "pay_ahead", "change_plan", "payment_method", "pause", "cancel"],
    ],
    [
      "past due",
      { ...over, accessUntil: later, status: "past_due", openChargeId: "c" },
      ["pay", "payment_method", "cancel"],
    ],
    [
      "active, its debit refused by the bank",
      { ...running, status: "active", debit: { isRefused: true } },
      ["pay_by_code", "pay_ahead", "change_plan", "payment_method", "pause", "cancel"],
    ],
    [
      "active, its debit pending",
      { ...running, status: "active", debit: { isRefused: false } },
      ["pay_ahead", "change_plan", "payment_method", "pause", "cancel"],
    ],
    [
      "past due, without further debits",
      { ...over, accessUntil: later, status: "past_due" },
      ["pay_by_code", "payment_method", "cancel"],
    ],
    [
      "past due, after a declined card",
      { ...over, method: "card", accessUntil: later, status: "past_due" },
      ["payment_method", "cancel"],
    ],
    [
      "paused",
      { ...running, status: "paused", pausedAt: now - 1, openChargeId: "c" },
      ["resume", "payment_method", "cancel"],
    ],
    [
      "in a trial",
      { ...running, status: "trialing", startedAt: now, createdAt: now, trialEndsAt: later },
      ["payment_method", "cancel"],
    ],
    [
      "canceled in a trial",
      { ...running, status: "canceled", startedAt: now, createdAt: now, trialEndsAt: later },
      ["reactivate"],
    ],
    [
      "canceled, before the end",
      { ...running, status: "canceled", openChargeId: "c" },
      ["reactivate"],
    ],
    [
      "canceled, in the cooling-off period",
      { ...running, status: "canceled", startedAt: now },
      ["reactivate", "cancel"],
    ],
    ["canceled, at the end", { ...over, status: "canceled" }, []],
    ["expired", { ...over, status: "expired" }, ["subscribe_again"]],
    [
      "a gift in the cooling-off period, which is the giver's",
      { ...running, status: "canceled", startedAt: now, giftedBy: "p" },
      ["follow"],
    ],
    ["a gift, at its end", { ...over, status: "expired", giftedBy: "p" }, ["subscribe_again"]],
    [
      "a complimentary subscription",
      { ...unpaid, status: "active", accessUntil: later, startedAt: now, compEndsAt: later },
      ["follow", "leave_comp"],
    ],
    [
      "a complimentary subscription with an upcoming one",
      {
        ...unpaid,
        status: "active",
        accessUntil: later,
        startedAt: now,
        compEndsAt: later,
        hasUpcoming: true,
      },
      ["leave_comp"],
    ],
    [
      "an expired complimentary subscription",
      { ...unpaid, status: "expired", accessUntil: now, startedAt: 0, compEndsAt: now },
      ["subscribe_again"],
    ],
    [
      "an expired complimentary subscription with an upcoming one",
      {
        ...unpaid,
        status: "expired",
        accessUntil: now,
        startedAt: 0,
        compEndsAt: now,
        hasUpcoming: true,
      },
      [],
    ],
    [
      "an expired subscription beside an upcoming one",
      { ...over, status: "expired", hasUpcoming: true },
      [],
    ],
  ])("%s", (_, subscription, acts) => {
    expect(availableActions(subscription, now)).toEqual(acts);
  });
});

test("badges show the status and its date", () => {
  const dated = {
    accessUntil: day(2026, 3, 12),
    currentPeriodEndsAt: day(2026, 3, 12),
    resumesAt: day(2026, 3, 12),
    startedAt: now,
    compEndsAt: null,
    giftedBy: null,
  };
  expect(subscriptionStatuses.map((status) => subscriptionBadge({ ...dated, status }))).toEqual([
    "Aguardando pagamento",
    "Começa em 10/03",
    "Período grátis · até 12/03",
    "Ativa · renova em 12/03",
    "Falta confirmar o pagamento",
    "Em atraso · acesso até 12/03",
    "Pausada · volta em 12/03",
    "Cancelada · termina em 12/03",
    "Expirada",
  ]);
  expect(subscriptionBadge({ ...dated, status: "incomplete", isToConfirm: true })).toBe(
    "Falta terminar o pagamento",
  );
});
