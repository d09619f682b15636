import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CoolingOffRefundText } from "#app/components/payments/cooling-off-refund.tsx";

const words = (returned: Parameters<typeof CoolingOffRefundText>[0]) =>
  renderToStaticMarkup(<CoolingOffRefundText {...returned} />)
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("\u00a0", " ");

test.each([
  [{ backCents: 3_000, payments: 1, isWhole: true }, "devolvemos R$ 30,00 inteiros"],
  [
    { backCents: 3_980, payments: 2, isWhole: true },
    "devolvemos R$ 39,80 inteiros, dos 2 pagamentos",
  ],
  [
    { backCents: 2_000, payments: 1, isWhole: false },
    "devolvemos R$ 20,00, o que ainda não voltou",
  ],
  [
    { backCents: 3_490, payments: 2, isWhole: false },
    "devolvemos R$ 34,90, o que ainda não voltou dos 2 pagamentos",
  ],
  [{ backCents: 3_490, payments: 2, isWhole: false, isRest: false }, "devolvemos R$ 34,90"],
  [
    { backCents: 0, payments: 1, isWhole: false },
    "o que você pagou já voltou ou está a caminho, e nada mais é devolvido",
  ],
])("a cooling-off refund states its amount and payments: %j", (returned, said) => {
  expect(words(returned)).toBe(said);
});
