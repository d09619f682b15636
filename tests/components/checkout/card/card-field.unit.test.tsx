import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CardFieldFrame, CardNeedsJavaScript } from "#app/components/checkout/card/card-field.tsx";
import { CARD_FIELD_PATH } from "#app/domain/payments/rules/choices.ts";

const OURS = `https://coreto.test${CARD_FIELD_PATH}`;
const field = {
  frame: { current: null },
  address: null,
  state: "loading" as const,
  heightPixels: 200,
  error: null,
};

test("without JavaScript, a card field on our page says that it needs JavaScript and suggests Pix", () => {
  expect(renderToStaticMarkup(<CardNeedsJavaScript cardFieldUrl={OURS} />)).toMatch(
    /<noscript>.*precisa de JavaScript.*pague com Pix/,
  );
});

test("a provider with its own page without scripts shows no such notice", () => {
  expect(
    renderToStaticMarkup(<CardNeedsJavaScript cardFieldUrl="https://sandbox.test/card-field" />),
  ).toBe("");
  expect(renderToStaticMarkup(<CardNeedsJavaScript cardFieldUrl={null} />)).toBe("");
  expect(renderToStaticMarkup(<CardFieldFrame {...field} needsScript={false} />)).toContain(
    "página segura",
  );
});

test("an unavailable card field suggests another method, and a refused card shows its error beside the field", () => {
  expect(
    renderToStaticMarkup(<CardFieldFrame {...field} state="unavailable" needsScript />),
  ).toContain("escolha outra forma de pagar");
  const shown = renderToStaticMarkup(
    <CardFieldFrame
      {...field}
      address={OURS}
      state="ready"
      error="Seu cartão foi recusado."
      needsScript
    />,
  );
  expect(shown).toMatch(/<iframe.*<p role="alert".*Seu cartão foi recusado\./s);
});
