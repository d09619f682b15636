import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { OtherWays } from "#app/components/checkout/methods/other-ways.tsx";
import { IntervalLinks } from "#app/components/checkout/order/interval-links.tsx";
import { methodChoices } from "#app/components/checkout/methods/method-choices.ts";
import { PeriodChoices } from "#app/components/checkout/order/period-choices.tsx";
import { pixOnlyText } from "#app/components/checkout/pix/pix-only-text.ts";

test("the year says what it saves", () => {
  const prices = [
    { id: "m", interval: "monthly" as const, amountCents: 1_990 },
    { id: "a", interval: "annual" as const, amountCents: 19_900 },
  ];
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => <IntervalLinks planId="p" priceId="m" prices={prices} coupon={null} />,
    },
  ]);
  const page = renderToStaticMarkup(<Stub />);
  expect(page).toContain("por ano: economize R$\u00a039,80");
  expect(page).not.toContain("por mês: economize");
});

test("other periods are folded behind what they save, until one of them is chosen", () => {
  const fold = (isOpen: boolean, savedCents: number) =>
    renderToStaticMarkup(
      <PeriodChoices isOpen={isOpen} savedCents={savedCents}>
        <a href="/checkout">por ano</a>
      </PeriodChoices>,
    );
  expect(fold(false, 3_980)).toMatch(/^<details><summary[^>]*>[^<]*economize R\$\u00a039,80</);
  expect(fold(true, 0)).toMatch(/^<details open=""><summary[^>]*>Pagar por mais tempo</);
});

test("a card is called by what its page takes: wallets only where the provider has them", () => {
  const labels = (hasWallets: boolean) =>
    methodChoices({
      methods: ["pix", "card"],
      cards: [],
      cardHint: "Em uma vez.",
      hasWallets,
    }).map(({ label }) => label);
  expect(labels(false)).toEqual(["Pix", "Cartão de crédito"]);
  expect(labels(true)).toEqual(["Pix", "Cartão de crédito, Apple Pay ou Google Pay"]);
});

test.each([
  [["pix", "card"] as const, 1_990, false, null],
  [["pix"] as const, 5_970, true, "Vários períodos de uma vez se pagam só com Pix"],
  [["pix"] as const, 900, false, "Valores abaixo de R$\u00a010,00 se pagam só com Pix."],
  [["pix"] as const, 1_990, false, null],
])(
  "with %j for %i, prepaid %s, it says why there is no card",
  (methods, amountCents, isPrepaid, said) => {
    const text = pixOnlyText({ methods, amountCents, isPrepaid });
    if (said === null) expect(text).toBeNull();
    else expect(text).toContain(said);
  },
);

test.each([
  ["/checkout/c1/other", ["Escolher outra forma", "Desistir"]],
  [null, ["Desistir"]],
])("what is not paid yet, with another way %s, offers %j", (otherPath, expected) => {
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => <OtherWays otherPath={otherPath} abandonPath="/checkout/c1/abandonment" />,
    },
  ]);
  const links = renderToStaticMarkup(<Stub />).matchAll(/<a [^>]*>([^<]*)</g);
  expect([...links].map(([, label]) => label)).toEqual(expected);
});
