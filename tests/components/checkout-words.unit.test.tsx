import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { unpaidWords } from "#app/components/checkout/unpaid-words.ts";
import { MethodNotOffered } from "#app/domain/subscriptions/errors.ts";

describe("a payment that nobody made", () => {
  test.each([
    ["expired", "pix", "O código expirou", "Ninguém pagou este código a tempo"],
    ["expired", "card", "O tempo acabou", "O pagamento com cartão não foi concluído a tempo"],
    ["canceled", "pix", "Pagamento cancelado", "não vale mais"],
    ["canceled", "card", "Pagamento cancelado", "não vale mais"],
  ] as const)("%s by %s is told as it was", (status, method, title, sentence) => {
    const said = unpaidWords({ status, method });
    expect(said.title).toBe(title);
    expect(said.sentence).toContain(sentence);
    expect(said.sentence).toContain("nada foi cobrado");
    if (method === "card") expect(`${said.title} ${said.sentence}`).not.toContain("código");
  });
});

test.each([
  ["card", 500, "Este valor se paga só com Pix."],
  ["card", 5_000, "Esta forma de pagar não está disponível agora. Escolha outra."],
  ["pix", 500, "Esta forma de pagar não está disponível agora. Escolha outra."],
] as const)("%s for %i centavos, which is not taken, says why", (method, amountCents, sentence) => {
  expect(new MethodNotOffered({ method, amountCents }).message).toBe(sentence);
});

describe("who pays with an account", () => {
  const form = (more: { isGuest?: boolean; trial?: { days: number; endsAt: number } }) => {
    const Stub = createRoutesStub([{ path: "/", Component: () => <PaymentForm planPriceId="price" periods={1} amountCents={1_990} coupon={null} methods={["pix", "card"]} cards={[]} cardFieldUrl={null} problem={undefined} taxIdFor={[]} {...more} /> }]);
    return renderToStaticMarkup(<Stub initialEntries={["/"]} />);
  };

  test("reads what is agreed to, with the documents one tap away", () => {
    const shown = form({});
    expect(shown).toMatch(/Ao pagar, você aceita os.*href="\/terms".*termos de uso.*href="\/terms#refunds".*política de reembolso/s);
    expect(form({ trial: { days: 7, endsAt: 0 } })).toContain("Ao começar, você aceita os");
  });

  test("and a guest, who ticks the terms, does not read it twice", () => {
    expect(form({ isGuest: true })).not.toContain("você aceita os");
  });
});
