import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { EXAMPLE_COMPANY } from "#app/configuration/company.ts";
import { RefreshPaymentButton } from "#app/components/checkout/charge/refresh-button.tsx";
import { SharePixCard } from "#app/components/checkout/pix/share-pix.tsx";
import { RefundedCard } from "#app/components/checkout/charge/charge-outcome.tsx";
import type { Discount } from "#app/components/checkout/order/discount.tsx";
import { OrderSummary } from "#app/components/checkout/order/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { PixCard } from "#app/components/checkout/pix/pix-card.tsx";
import { SharedPixRefundNote } from "#app/components/checkout/refund-note.tsx";
import { unpaidText } from "#app/components/checkout/charge/unpaid-text.ts";
import { SubscriptionMethodNotOffered } from "#app/domain/subscriptions/errors.ts";

describe("unpaid charge text", () => {
  test.each([
    ["expired", "pix", "O código expirou", "Ninguém pagou este código a tempo"],
    ["expired", "card", "O tempo acabou", "O pagamento com cartão não foi concluído a tempo"],
    ["canceled", "pix", "Pagamento cancelado", "não vale mais"],
    ["canceled", "card", "Pagamento cancelado", "não vale mais"],
  ] as const)(
    "an %s charge by %s has a matching title and says that nothing was charged",
    (status, method, title, sentence) => {
      const said = unpaidText({ status, method });
      expect(said.title).toBe(title);
      expect(said.text).toContain(sentence);
      expect(said.text).toContain("nada foi cobrado");
      if (method === "card") expect(`${said.title} ${said.text}`).not.toContain("código");
    },
  );
});

test.each([
  ["card", 500, "Este valor se paga só com Pix."],
  ["card", 5_000, "Esta forma de pagar não está disponível agora. Escolha outra."],
  ["pix", 500, "Esta forma de pagar não está disponível agora. Escolha outra."],
] as const)(
  "the %s error for %i centavos explains why the payment method is refused",
  (method, amountCents, sentence) => {
    expect(new SubscriptionMethodNotOffered({ method, amountCents }).message).toBe(sentence);
  },
);

test("screen readers do not announce the Pix countdown every second", () => {
  const shown = renderToStaticMarkup(
    <PixCard
      code="0002"
      qr={{ path: "", size: 1 }}
      leftMs={60_000}
      wholeMs={60_000}
      expiresAt={0}
      onEnd={() => undefined}
    />,
  );
  expect(shown).toMatch(/<p role="timer" aria-live="off"[^>]*>(?:(?!<\/p>).)*01:00/s);
});

test("the refresh button keeps keyboard focus while the bank is asked", () => {
  const shown = renderToStaticMarkup(
    <RefreshPaymentButton isAsking>Já paguei</RefreshPaymentButton>,
  );
  expect(shown).toContain('aria-disabled="true"');
  expect(shown).not.toMatch(/\sdisabled(=|>)/);
});

describe("order summary of a trial with a coupon", () => {
  const summary = (discount: Discount | null) => {
    const Page = () => (
      <OrderSummary
        kind="plan"
        title="Camarim"
        creatorName="Ana"
        creatorUsername="ana"
        creatorAvatarUrl={null}
        renews="monthly"
        amountCents={2_990}
        nextChargeAt={1}
        seller={null}
        discount={discount}
        trial={{ days: 7, endsAt: Date.UTC(2026, 10, 30, 15) }}
      />
    );
    const Stub = createRoutesStub([{ id: "root", path: "/", loader: () => null, Component: Page }]);
    return renderToStaticMarkup(
      <Stub
        initialEntries={["/"]}
        hydrationData={{ loaderData: { root: { company: EXAMPLE_COMPANY } } }}
      />,
    );
  };

  test("shows the full price only from the date on which it is charged", () => {
    expect(summary(null)).toMatch(
      /7 dias grátis, depois R\$\s29,90 por mês\. Cancele antes de 30\/11\/2026/,
    );
    const shown = summary({
      code: "VOLTA20",
      label: "",
      firstCents: 2_392,
      cycles: 3,
      fullPriceAt: Date.UTC(2027, 1, 28, 15),
    });
    expect(shown).toContain("A partir de 28/02/2027");
    expect(shown).not.toContain("7 dias grátis, depois");
    expect(shown).toContain("Cancele antes de 30/11/2026");
  });
});

test.each([
  ["pix", "R$\u00a019,90 voltam pelo Pix, em minutos"],
  ["card", "R$\u00a019,90 voltam para o mesmo cartão, na próxima fatura"],
] as const)("a refund by %s says where and when the money arrives", (method, words) => {
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <RefundedCard
          id="1"
          method={method}
          reason="regret"
          refundedCents={1_990}
          transfer={null}
          creatorPath="/space/ana"
          creatorName="Ana"
        />
      ),
    },
  ]);
  expect(renderToStaticMarkup(<Stub initialEntries={["/"]} />)).toContain(words);
});

describe("Pix shared with another payer", () => {
  const ask = () =>
    renderToStaticMarkup(
      createElement(
        createRoutesStub([
          {
            path: "/",
            Component: () => (
              <SharePixCard
                url="https://coreto.test/pix/1"
                description="Camarim"
                amountCents={1_990}
              />
            ),
          },
        ]),
        { initialEntries: ["/"] },
      ),
    );

  test("tells the sharer that refunds return to the payer for 90 days, then go to the sharer's Pix key", () => {
    expect(ask()).toMatch(
      /nos primeiros 90 dias, volta para quem pagou; depois disso, vai para uma chave Pix sua/,
    );
  });

  test("tells the payer that refunds after 90 days go to the sharer's Pix key", () => {
    expect(renderToStaticMarkup(<SharedPixRefundNote payerFirstName="Bruno" />)).toMatch(
      /nos primeiros 90 dias, volta para a sua conta; depois disso, vai para a chave Pix de Bruno/,
    );
  });
});

describe("payment form of a signed-in payer", () => {
  const form = (more: {
    isGuest?: boolean;
    loginPath?: string;
    trial?: { days: number; endsAt: number };
  }) => {
    const Stub = createRoutesStub([
      {
        path: "/",
        Component: () => (
          <PaymentForm
            planPriceId="price"
            periods={1}
            amountCents={1_990}
            coupon={null}
            methods={["pix", "card"]}
            cards={[]}
            cardFieldUrl={null}
            problem={undefined}
            taxIdFor={[]}
            {...more}
          />
        ),
      },
    ]);
    return renderToStaticMarkup(<Stub initialEntries={["/"]} />);
  };

  test("names the accepted terms and links to both documents", () => {
    const shown = form({});
    expect(shown).toMatch(
      /Ao pagar, você aceita os.*href="\/terms".*termos de uso.*href="\/terms#refunds".*política de reembolso/s,
    );
    expect(form({ trial: { days: 7, endsAt: 0 } })).toContain("Ao começar, você aceita os");
  });

  test("tells a guest at a trial why no card is offered, with a sign-in link that keeps the cart", () => {
    const [trial, loginPath] = [{ days: 7, endsAt: 0 }, "/auth/login?to=%2Fcheckout%3Fplan%3Dp1"];
    const said = "Para seguir com cartão depois dos dias grátis, é preciso ter conta";
    const shown = form({ isGuest: true, loginPath, trial });
    expect(shown).toContain(said);
    expect(shown).toContain(`href="${loginPath}"`);
    expect(shown).not.toContain('value="card"');
    for (const more of [{ trial }, { isGuest: true, loginPath }])
      expect(form(more)).not.toContain(said);
  });

  test("omits the acceptance note for a guest, who ticks the terms instead", () => {
    expect(form({ isGuest: true })).not.toContain("você aceita os");
  });
});
