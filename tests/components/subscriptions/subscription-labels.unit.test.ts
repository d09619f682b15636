import { expect, test } from "vitest";
import { subscriptionActionLink } from "#app/components/subscriptions/subscription-action-links.ts";
import {
  paymentDueText,
  coolingOffBlockedText,
} from "#app/components/subscriptions/subscription-labels.ts";
import { DAY_MS, instantOf } from "#app/domain/time.ts";

const now = instantOf({ year: 2026, month: 3, day: 10 }, 36_000_000);
const fought = {
  status: "active" as const,
  startedAt: now - DAY_MS,
  trialEndsAt: null,
  createdAt: now - DAY_MS,
  giftedBy: null,
  isDisputed: true,
};

test.each([
  [
    "an upcoming subscription",
    { ...fought, status: "upcoming" as const, startedAt: now + DAY_MS },
    /não dá para cancelar.*ela não começa/,
  ],
  [
    "a renewing subscription",
    fought,
    /não dá para desistir e receber tudo de volta.*Parar de renovar, você pode/,
  ],
  [
    "a subscription that no longer renews",
    { ...fought, status: "canceled" as const },
    /receber tudo de volta\.$/,
  ],
])("%s: explains why a dispute blocks the cooling-off refund", (_, subscription, words) => {
  expect(coolingOffBlockedText(subscription, now)).toMatch(words);
});

test.each([
  ["has no dispute", { ...fought, isDisputed: false }],
  ["started long ago", { ...fought, startedAt: now - 20 * DAY_MS }],
  ["has ended", { ...fought, status: "expired" as const }],
])("no cooling-off text for a subscription that %s", (_, subscription) => {
  expect(coolingOffBlockedText(subscription, now)).toBeNull();
});

test.each([
  [
    "a declined card",
    { status: "past_due" as const, method: "card" as const },
    "A renovação não passou no cartão. Sem o pagamento, o acesso termina em 17/03/2026.",
  ],
  [
    "an unpaid Pix",
    { status: "past_due" as const, method: "pix" as const },
    "A renovação ainda não foi paga. Sem o pagamento, o acesso termina em 17/03/2026.",
  ],
  [
    "a bank that needs confirmation",
    { status: "requires_action" as const, method: "card" as const },
    "O banco quer que você confirme a renovação. Sem o pagamento, o acesso termina em 17/03/2026.",
  ],
  ["a paid one", { status: "active" as const, method: "card" as const }, null],
])(
  "%s: the payment-due text says when access ends, and is empty during a vacation",
  (_, subscription, words) => {
    const at = { ...subscription, accessUntil: now + 7 * DAY_MS };
    expect(paymentDueText({ ...at, awayUntil: null })).toBe(words);
    expect(paymentDueText({ ...at, awayUntil: now + DAY_MS })).toBeNull();
  },
);

test('the payment method action is "Pagar agora" for an unpaid card, unless a charge is open or the creator is away', () => {
  const owed = {
    id: "s1",
    planId: "p1",
    interval: "monthly" as const,
    status: "past_due" as const,
    method: "card" as const,
    openChargeId: null,
    isToConfirm: false,
    awayUntil: null,
  };
  expect(subscriptionActionLink("payment_method", owed)).toEqual({
    label: "Pagar agora",
    to: "/settings/subscriptions/s1/payment-method/change",
    variant: "primary",
  });
  const other = {
    label: "Forma de pagamento",
    to: "/settings/subscriptions/s1/payment-method",
    variant: "outline",
  };
  for (const more of [
    { openChargeId: "c1" },
    { awayUntil: 1 },
    { status: "active" as const },
    { method: "pix" as const },
  ])
    expect(subscriptionActionLink("payment_method", { ...owed, ...more })).toEqual(other);
  expect(subscriptionActionLink("pay", { ...owed, openChargeId: "c1" })).toEqual({
    label: "Pagar agora",
    to: "/checkout/c1",
    variant: "primary",
  });
});
