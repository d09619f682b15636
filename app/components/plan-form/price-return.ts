import { formatMoney, parseMoney } from "#app/domain/money.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import { feeOf, releaseText } from "#app/domain/payments/rules.ts";
import { methodsFor, MINIMUM_CARD_CENTS, priceProblem } from "#app/domain/plans/rules.ts";

/**
 * What whoever types `price` (in reais, as text) gets from each payment and when, in words: "Você
 * recebe R$ 18,90. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias."; the problem of a
 * price that may not be or cannot be read; null while nothing is typed.
 */
export function priceReturn(price: string, feeBasisPoints: BasisPoints): PriceReturn | null {
  return typedReturn(price, (amountCents) => {
    const { netCents } = feeOf(amountCents, feeBasisPoints);
    const methods = methodsFor(amountCents);
    const cardWords = methods.includes("card")
      ? releaseText("card")
      : `Abaixo de ${formatMoney(MINIMUM_CARD_CENTS)}, só Pix.`;
    return `Você recebe ${formatMoney(netCents)}. ${releaseText("pix")} ${cardWords}`;
  });
}

/** The same for what is paid once: "Você recebe R$ 28,40 de cada venda." */
export function singlePriceReturn(price: string, feeBasisPoints: BasisPoints): PriceReturn | null {
  return typedReturn(
    price,
    (amountCents) =>
      `Você recebe ${formatMoney(feeOf(amountCents, feeBasisPoints).netCents)} de cada venda.`,
  );
}

type PriceReturn = { sentence: string; isProblem: boolean };

function typedReturn(price: string, wordsOf: (amountCents: Cents) => string): PriceReturn | null {
  // "19," is on its way to "19,90".
  const typed = price.trim().replace(/[.,]$/, "");
  if (!typed) return null;
  const amountCents = parseMoney(typed);
  if (amountCents === null) return { sentence: "Escreva o preço assim: 19,90.", isProblem: true };
  const problem = priceProblem(amountCents);
  return problem
    ? { sentence: `${problem}.`, isProblem: true }
    : { sentence: wordsOf(amountCents), isProblem: false };
}
