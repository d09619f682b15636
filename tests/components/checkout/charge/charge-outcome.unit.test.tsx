import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import type { ReactNode } from "react";
import { describe, expect, test } from "vitest";
import {
  RetryPaymentCard,
  DisputedCard,
  PaidCard,
  RefundPendingCard,
} from "#app/components/checkout/charge/charge-outcome.tsx";
import { SuggestedCreators } from "#app/components/checkout/suggested-creators.tsx";
import { alreadySubscribedText } from "#app/components/checkout/checkout-obstacle.tsx";
import { decidePlanWay } from "#app/domain/access/rules/plan-way.ts";
import { paymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import type { PaymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import { addDays, formatDay, instantOf } from "#app/domain/time.ts";

const NOW = instantOf({ year: 2026, month: 11, day: 23 });
const [BEFORE, LATER] = [addDays(NOW, -1), addDays(NOW, 9)];

function shown(page: ReactNode): string {
  const Stub = createRoutesStub([{ path: "/", Component: () => page }]);
  return renderToStaticMarkup(<Stub />);
}

describe("current access shown on a subscription payment", () => {
  test.each([
    ["active", LATER, LATER, { kind: "open", until: null, nextChargeAt: LATER }],
    ["active", BEFORE, BEFORE, { kind: "over", until: null, nextChargeAt: null }],
    ["past_due", LATER, BEFORE, { kind: "open", until: null, nextChargeAt: null }],
    ["upcoming", null, LATER, { kind: "open", until: null, nextChargeAt: LATER }],
    ["paused", LATER, LATER, { kind: "paused", until: null, nextChargeAt: null }],
    ["canceled", LATER, LATER, { kind: "ending", until: LATER, nextChargeAt: null }],
    ["canceled", BEFORE, BEFORE, { kind: "over", until: null, nextChargeAt: null }],
    ["expired", LATER, LATER, { kind: "over", until: null, nextChargeAt: null }],
    ["incomplete", null, null, { kind: "over", until: null, nextChargeAt: null }],
  ] as const)(
    "is derived for a %s subscription with access until %s and the next charge at %s",
    (status, accessUntil, currentPeriodEndsAt, expected) => {
      expect(paymentAccess({ status, accessUntil, currentPeriodEndsAt }, NOW)).toEqual(expected);
    },
  );
});

test.each<[PaymentAccess["kind"], boolean, string]>([
  ["open", true, "já está aberto para você"],
  [
    "ending",
    true,
    `A assinatura está cancelada: vai até ${formatDay(LATER)}, e nada mais é cobrado.`,
  ],
  ["paused", false, "está pausada, e tudo abre de novo quando ela voltar"],
  ["over", false, "já terminou"],
])("the card of a paid plan states the access when it is %s", (kind, isOpen, words) => {
  const page = shown(
    <PaidCard
      planName="Camarim"
      benefits={["Ensaios"]}
      creatorName="Ana"
      creatorUsername="ana"
      creatorPath="/space/ana"
      paid={{ kind, until: kind === "ending" ? LATER : null, nextChargeAt: null }}
    />,
  );
  expect(page).toContain(words);
  expect(page.includes("já está aberto para você")).toBe(isOpen);
  expect(page.includes("Ensaios")).toBe(isOpen);
});

describe("a new subscriber", () => {
  const card = {
    planName: "Camarim",
    benefits: [],
    creatorName: "Ana",
    creatorUsername: "ana",
    creatorPath: "/space/ana",
    paid: { kind: "open" as const, until: null, nextChargeAt: null },
    firstPost: { path: "/post/p1", title: "Ensaio" },
    welcomeMessage: "Que bom!\nAna",
  };

  test("reads the welcome message and begins with a post", () => {
    const page = shown(<PaidCard {...card} />);
    expect(page).toContain("Que bom!");
    expect(page).toMatch(/href="\/post\/p1"[^>]*>Começar por/);
  });

  test("who came from a post goes back to that one", () => {
    const page = shown(<PaidCard {...card} soldBy={{ path: "/post/p2", title: "Outro" }} />);
    expect(page).toMatch(/href="\/post\/p2"[^>]*>Ver/);
    expect(page).not.toContain("/post/p1");
  });

  test("is suggested nobody where there is nobody", () => {
    expect(shown(<SuggestedCreators people={[]} />)).toBe("");
  });
});

test.each([
  ["past_due", LATER, "A renovação ainda não foi paga"],
  ["requires_action", LATER, "A renovação ainda não foi paga"],
  ["paused", LATER, "Ela está pausada"],
  ["canceled", LATER, `até ${formatDay(LATER)}`],
  ["active", LATER, "está tudo aberto para você"],
] as const)(
  "a subscriber in status %s sees the current access instead of a second payment",
  (status, accessUntil, words) => {
    const way = decidePlanWay("p1", { id: "s1", planId: "p1", status, isGiven: false });
    expect(alreadySubscribedText({ id: "s1", status, accessUntil, way })).toContain(words);
  },
);

test("a refund that the provider refused is not announced as on its way", () => {
  expect(shown(<RefundPendingCard reason="regret" isRefused />)).toContain(
    "nossa equipe já foi avisada e vai devolver",
  );
  expect(shown(<RefundPendingCard reason="regret" isRefused />)).not.toContain("a caminho");
  expect(shown(<RefundPendingCard reason="regret" isRefused={false} />)).toContain("a caminho");
});

test("a lost dispute announces the end of access only if access ended", () => {
  expect(
    shown(<DisputedCard isLost hasEnded disputedCents={1_000} amountCents={1_000} />),
  ).toContain("O acesso terminou.");
  expect(
    shown(<DisputedCard isLost hasEnded={false} disputedCents={1_000} amountCents={1_000} />),
  ).not.toContain("O acesso terminou.");
});

test("an item no longer on sale links to the creator's page; a retry with its own label is the only action", () => {
  const card = {
    text: "O código expirou.",
    label: "Gerar novo código",
    method: "pix" as const,
    creatorPath: "/space/ana",
    creatorName: "Ana",
  };
  expect(shown(<RetryPaymentCard {...card} again={null} />)).toMatch(
    /href="\/space\/ana"[^>]*>Ver a página de (<!-- -->)?Ana/,
  );
  const only = shown(
    <RetryPaymentCard
      {...card}
      again={{ path: "/settings/subscriptions/s1", fields: null, label: "Ver como pagar" }}
    />,
  );
  expect(only).toContain("Ver como pagar");
  expect(only).not.toMatch(/Gerar novo código|Escolher outra forma/);
});
