import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { availableActions, subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import { decideCharge } from "#app/domain/subscriptions/settlement/rules.ts";
import { dueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { givesAccess, canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { earlyEnd } from "#app/domain/subscriptions/endings/rules.ts";
import { periodFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { ChargeDecisionInput } from "#app/domain/subscriptions/settlement/rules.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { civilDate, DAY_MS, formatDay, instantOf } from "#app/domain/time.ts";

const day = (year: number, month: number, date: number) =>
  instantOf({ year, month, day: date }, 10 * 3_600_000);
const now = day(2026, 3, 10);

const subscription: Subscription = {
  id: "s",
  fanId: "bruno",
  creatorId: "ana",
  planId: "plan",
  planPriceId: "price",
  interval: "monthly",
  amountCents: 1_990,
  method: "pix",
  status: "incomplete",
  startedAt: null,
  anchorAt: null,
  currentPeriodStartsAt: null,
  currentPeriodEndsAt: null,
  accessUntil: null,
  trialEndsAt: null,
  canceledAt: null,
  pausedAt: null,
  resumesAt: null,
  holdsSeat: true,
  savedMethodId: null,
  recurringPixId: null,
  compEndsAt: null,
  giftedBy: null,
  createdAt: now,
};

const said = (
  status: ProviderCharge["status"],
  more: Partial<ProviderCharge> = {},
): ProviderCharge => ({
  id: "ch",
  reference: "c",
  status,
  amountCents: 1_990,
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

const input = (more: Partial<ChargeDecisionInput> = {}): ChargeDecisionInput => ({
  charge: {
    status: "awaiting_payment",
    method: "pix",
    amountCents: 1_990,
    expiresAt: now + 1_000,
    periodStartsAt: null,
    periodEndsAt: null,
    periodsCents: null,
    planChangeId: null,
    debitOn: null,
    confirmAskedAt: null,
  },
  providerCharge: said("succeeded"),
  subscription,
  hasOtherLive: false,
  isShut: false,
  isPayerLeaving: false,
  plan: { state: "active", hasFreeSeat: true },
  coupon: null,
  now,
  ...more,
});

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
        coupon: { isFreed: true, mayRetake: true },
      },
      { kind: "activate", retakesCoupon: true },
    ],
    [
      "late, and its coupon has no use left",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        coupon: { isFreed: true, mayRetake: false },
      },
      { kind: "give_back", reason: "coupon_gone" },
    ],
    [
      "in time, although the coupon ended since",
      { coupon: { isFreed: false, mayRetake: false } },
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
      { providerCharge: said("succeeded", { amountCents: 1 }) },
      { kind: "give_back", reason: "amount_differs" },
    ],
    [
      "reported again after it succeeded",
      { charge: { ...input().charge, status: "succeeded" } },
      { kind: "nothing" },
    ],
    [
      "reported again after its refund",
      { charge: { ...input().charge, status: "refunded" } },
      { kind: "nothing" },
    ],
    [
      "failed",
      { providerCharge: said("failed", { failureCode: "card_declined" }) },
      { kind: "progress", status: "failed", failureCode: "card_declined", endsPurchase: true },
    ],
    [
      "failed late, after the success",
      { providerCharge: said("failed"), charge: { ...input().charge, status: "succeeded" } },
      { kind: "nothing" },
    ],
    [
      "a failed renewal does not end the subscription",
      { providerCharge: said("failed"), subscription: { ...subscription, status: "active" } },
      { kind: "progress", endsPurchase: false },
    ],
    ["unknown to the provider, before its expiry", { providerCharge: null }, { kind: "nothing" }],
    [
      "unknown to the provider, after its expiry",
      { providerCharge: null, now: now + 1_000 },
      { kind: "progress", status: "expired", endsPurchase: true },
    ],
  ])("%s", (_, more, expected) => {
    expect(decideCharge(input(more))).toMatchObject(expected);
  });

  test("a charge of the next period renews, and one of any other period is refunded", () => {
    const endsAt = day(2026, 4, 10);
    const live = {
      ...subscription,
      status: "active" as const,
      startedAt: now,
      currentPeriodEndsAt: endsAt,
    };
    const renewal = { ...input().charge, periodStartsAt: endsAt, periodEndsAt: day(2026, 5, 10) };
    expect(decideCharge(input({ subscription: live, charge: renewal }))).toEqual({
      kind: "renew",
      periods: [{ startsAt: endsAt, endsAt: day(2026, 5, 10) }],
    });
    expect(
      decideCharge(
        input({
          subscription: { ...live, currentPeriodEndsAt: day(2026, 5, 10) },
          charge: renewal,
        }),
      ),
    ).toMatchObject({ kind: "give_back", reason: "already_subscribed" });
  });
});

describe("a payment that arrives after the end", () => {
  const [startedAt, endsAt] = [day(2026, 3, 3), day(2026, 3, 10)];
  const over = {
    ...subscription,
    status: "expired" as const,
    holdsSeat: false,
    startedAt,
    currentPeriodStartsAt: startedAt,
    currentPeriodEndsAt: endsAt,
  };
  const [early, byItself, afterGrace] = [
    { ...over, accessUntil: endsAt - 1 },
    { ...over, accessUntil: endsAt },
    { ...over, accessUntil: day(2026, 3, 17) },
  ];
  const trial = { ...over, startedAt: null, trialEndsAt: endsAt, accessUntil: endsAt };
  const first = { ...input().charge, status: "expired" as const };
  const code = { ...first, periodStartsAt: endsAt, periodEndsAt: day(2026, 3, 17) };
  const prepaid = { ...code, periodEndsAt: day(2026, 3, 24), periodsCents: [995, 995] };
  const card = { ...code, status: "processing" as const, method: "card" as const };
  const debit = { ...code, status: "processing" as const, debitOn: "2026-03-10" };
  const confirmed = { ...card, confirmAskedAt: startedAt };
  const back = (reason: string) => ({ kind: "give_back", reason, endsPurchase: false });
  const starts = { kind: "activate" };
  test.each<[string, Pick<ChargeDecisionInput, "charge" | "subscription">, object]>([
    [
      "a code, after a cooling-off or other full refund",
      { subscription: early, charge: code },
      back("ended_early"),
    ],
    [
      "several weeks, after a cooling-off refund",
      { subscription: early, charge: prepaid },
      back("ended_early"),
    ],
    [
      "a card, after a cooling-off refund",
      { subscription: early, charge: card },
      back("ended_early"),
    ],
    [
      "a card confirmed by its owner, after a cooling-off refund",
      { subscription: early, charge: confirmed },
      back("ended_early"),
    ],
    [
      "another code of the first week, after a cooling-off refund",
      { subscription: early, charge: first },
      back("ended_early"),
    ],
    [
      "a debit, after a cooling-off refund",
      { subscription: early, charge: debit },
      back("debit_stopped"),
    ],
    [
      "a code, after an upcoming subscription was canceled",
      {
        subscription: {
          ...over,
          startedAt: endsAt,
          currentPeriodStartsAt: endsAt,
          currentPeriodEndsAt: day(2026, 3, 17),
          accessUntil: now,
        },
        charge: { ...code, periodStartsAt: day(2026, 3, 17) },
      },
      back("ended_early"),
    ],
    [
      "a code from before a pause, after a full refund during the pause",
      {
        subscription: {
          ...over,
          currentPeriodEndsAt: day(2026, 4, 9),
          accessUntil: day(2026, 3, 12),
        },
        charge: code,
      },
      back("ended_early"),
    ],
    [
      "a code, after a dispute was lost in the grace period",
      { subscription: { ...over, accessUntil: earlyEnd(over, day(2026, 3, 12)) }, charge: code },
      back("ended_early"),
    ],
    ["a code, after a cancellation took effect", { subscription: byItself, charge: code }, starts],
    ["a code, after the grace period", { subscription: afterGrace, charge: code }, starts],
    [
      "several weeks, after the grace period",
      { subscription: afterGrace, charge: prepaid },
      starts,
    ],
    ["a code, after a trial", { subscription: trial, charge: code }, starts],
    [
      "the first code, of a subscription that never started",
      { subscription: { ...subscription, status: "expired", holdsSeat: false }, charge: first },
      starts,
    ],
    [
      "a plan change code, after the grace period",
      { subscription: afterGrace, charge: { ...code, planChangeId: "m" } },
      back("change_over"),
    ],
    [
      "a plan change code, after a cancellation took effect",
      { subscription: byItself, charge: { ...code, planChangeId: "m" } },
      back("change_over"),
    ],
    [
      "a plan change code, after a cooling-off refund",
      { subscription: early, charge: { ...code, planChangeId: "m" } },
      back("ended_early"),
    ],
    [
      "a card, after the grace period: no payer was present",
      { subscription: afterGrace, charge: card },
      back("renewed_late"),
    ],
    [
      "a card, after a trial: no payer was present",
      { subscription: { ...trial, accessUntil: day(2026, 3, 17) }, charge: card },
      back("renewed_late"),
    ],
    [
      "a card awaiting confirmation at its bank, after the grace period",
      { subscription: afterGrace, charge: { ...confirmed, status: "requires_action" } },
      starts,
    ],
    [
      "a card confirmed in time and charged after the grace period",
      { subscription: afterGrace, charge: confirmed },
      starts,
    ],
    [
      "the first card, of a subscription that never started",
      {
        subscription: { ...subscription, status: "expired", holdsSeat: false },
        charge: { ...first, method: "card" },
      },
      starts,
    ],
  ])("%s", (_, more, expected) => {
    expect(decideCharge(input(more))).toMatchObject(expected);
  });

  test("no earlier charge starts a subscription again that ended early", () => {
    const charged = fc.constantFrom(first, code, prepaid, card, confirmed);
    fc.assert(
      fc.property(
        fc.integer({ min: startedAt, max: endsAt - 1 }),
        charged,
        fc.boolean(),
        (accessUntil, charge, holdsSeat) => {
          expect(
            decideCharge(
              input({
                subscription: { ...over, accessUntil, holdsSeat },
                charge,
                now: accessUntil + 1,
              }),
            ).kind,
          ).toBe("give_back");
        },
      ),
    );
  });

  test.each<[string, Subscription, RenewalAttempt["status"], string]>([
    ["an open charge is canceled", early, "awaiting_payment", "let_go"],
    ["an unconfirmed charge is looked up", early, "created", "let_go"],
    ["a canceled charge is left unchanged", early, "canceled", "nothing"],
    ["a code stays open after an ordinary end", afterGrace, "awaiting_payment", "nothing"],
  ])("for its renewal, %s", (_, ended, status, kind) => {
    const attempt: RenewalAttempt = {
      status,
      method: "pix",
      failureCode: null,
      createdAt: startedAt,
      recurringPixId: null,
      debitOn: null,
      periodsCents: null,
    };
    const asked = { methodChangedAt: null, isReminded: false, isDebited: false, now: endsAt };
    expect(dueStep(ended, { ...asked, attempts: [attempt] }).kind).toBe(kind);
    expect(dueStep(ended, { ...asked, attempts: [{ ...attempt, recurringPixId: "r" }] }).kind).toBe(
      "nothing",
    );
  });
});

describe("billing periods", () => {
  test("are anchored: 31 January, 28 February, 31 March", () => {
    const anchor = day(2026, 1, 31);
    const first = periodFrom(anchor, "monthly", anchor);
    const second = periodFrom(anchor, "monthly", first.endsAt);
    expect([first.endsAt, second.endsAt].map(formatDay)).toEqual(["28/02/2026", "31/03/2026"]);
  });

  test("follow each other without a gap and never drift, for any anchor and interval", () => {
    const intervals = ["weekly", "monthly", "quarterly", "semiannual", "annual"] as const;
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) }),
        fc.constantFrom(...intervals),
        fc.integer({ min: 1, max: 30 }),
        (anchor, interval, count) => {
          let at = anchor;
          for (let index = 0; index < count; index += 1) {
            const period = periodFrom(anchor, interval, at);
            expect(period.startsAt).toBe(at);
            expect(period.endsAt).toBeGreaterThan(at);
            if (interval !== "weekly")
              expect(civilDate(period.endsAt).day).toBeLessThanOrEqual(civilDate(anchor).day);
            at = period.endsAt;
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test.each(subscriptionStatuses)("access while %s ends at its date", (status) => {
  const opens = !["incomplete", "expired", "paused"].includes(status);
  expect(givesAccess({ status, accessUntil: now + 1 }, now)).toBe(opens);
  expect(givesAccess({ status, accessUntil: now }, now)).toBe(false);
  expect(givesAccess({ status, accessUntil: null }, now)).toBe(false);
});

describe("the scheduler's next step", () => {
  const endsAt = day(2026, 4, 10);
  const active = {
    ...subscription,
    status: "active" as const,
    startedAt: now,
    currentPeriodEndsAt: endsAt,
    accessUntil: endsAt,
  };
  const pix: RenewalAttempt = {
    status: "awaiting_payment",
    method: "pix",
    failureCode: null,
    recurringPixId: null,
    debitOn: null,
    periodsCents: null,
    createdAt: endsAt - 3 * DAY_MS,
  };
  test.each<[string, Subscription, RenewalAttempt[], number, string]>([
    ["nothing four days before", active, [], endsAt - 4 * DAY_MS, "nothing"],
    ["a Pix three days before", active, [], endsAt - 3 * DAY_MS, "send_renewal"],
    ["nothing while the Pix is unpaid", active, [pix], endsAt - DAY_MS, "nothing"],
    ["a card only on the day", { ...active, method: "card" }, [], endsAt - 4 * DAY_MS, "nothing"],
    ["a card on the day", { ...active, method: "card" }, [], endsAt, "send_renewal"],
    ["the grace period when unpaid", active, [pix], endsAt, "past_due"],
    [
      "the end when the grace period is over",
      { ...active, status: "past_due", accessUntil: endsAt + 7 * DAY_MS },
      [pix],
      endsAt + 7 * DAY_MS,
      "expire",
    ],
    [
      "nothing during the grace period",
      { ...active, status: "past_due", accessUntil: endsAt + 7 * DAY_MS },
      [pix],
      endsAt + 6 * DAY_MS,
      "nothing",
    ],
    [
      "no renewal of a canceled subscription",
      { ...active, status: "canceled" },
      [],
      endsAt - DAY_MS,
      "nothing",
    ],
    ["the end of a canceled subscription", { ...active, status: "canceled" }, [], endsAt, "expire"],
    [
      "nothing during a pause",
      { ...active, status: "paused", resumesAt: endsAt },
      [],
      endsAt - 1,
      "nothing",
    ],
    [
      "the end of a pause",
      { ...active, status: "paused", resumesAt: endsAt },
      [],
      endsAt,
      "resume",
    ],
    ["nothing for a subscription that never started", subscription, [], endsAt, "nothing"],
  ])("%s", (_, given, attempts, when, kind) => {
    expect(
      dueStep(given, {
        attempts,
        methodChangedAt: null,
        isReminded: false,
        isDebited: false,
        now: when,
      }).kind,
    ).toBe(kind);
  });
});

test("the cooling-off period lasts to the end of the seventh day after the first payment", () => {
  const active = {
    status: "active" as const,
    startedAt: now,
    trialEndsAt: null,
    giftedBy: null,
    createdAt: now,
  };
  expect(canWithdraw(active, coolingOffEndsAt(now) - 1)).toBe(true);
  expect(canWithdraw(active, coolingOffEndsAt(now))).toBe(false);
  expect(canWithdraw({ ...active, status: "expired" }, now)).toBe(false);
  // An upcoming subscription gave no access, however long ago it should have started.
  expect(canWithdraw({ ...active, status: "upcoming" }, now + 30 * DAY_MS)).toBe(true);
  // A free trial is not a payment. The cooling-off period follows the first payment.
  expect(canWithdraw({ ...active, status: "trialing", trialEndsAt: now + DAY_MS }, now)).toBe(
    false,
  );
  expect(
    canWithdraw(
      { ...active, trialEndsAt: now - DAY_MS, createdAt: now - 30 * DAY_MS },
      now + 6 * DAY_MS,
    ),
  ).toBe(true);
});

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
