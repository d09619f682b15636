import { formatMoney, parseMoney } from "#app/domain/money.ts";
import type { BasisPoints } from "#app/domain/money.ts";
import { feeOf, releaseText } from "#app/domain/payments/rules.ts";
import { methodsFor, MINIMUM_CARD_CENTS, priceProblem } from "#app/domain/plans/rules.ts";

/**
 * What whoever types `price` (in reais, as text) gets from each payment and when, in words: "Você recebe R$ 18,90. Renovação no
 * Pix: dia seguinte. Cartão: cerca de 30 dias."; the problem of a price that may not be; null while there is nothing to say.
 */
export function priceReturn(price: string, feeBasisPoints: BasisPoints): { sentence: string; isProblem: boolean } | null {
  const amountCents = parseMoney(price);
  if (amountCents === null) return null;
  const problem = priceProblem(amountCents);
  if (problem) return { sentence: `${problem}.`, isProblem: true };
  const { netCents } = feeOf(amountCents, feeBasisPoints);
  const methods = methodsFor(amountCents);
  const cardWords = methods.includes("card") ? releaseText("card") : `Abaixo de ${formatMoney(MINIMUM_CARD_CENTS)}, só Pix.`;
  return { sentence: `Você recebe ${formatMoney(netCents)}. ${releaseText("pix")} ${cardWords}`, isProblem: false };
}

/** `5%` or `4,99%`. */
export function feePercentage(feeBasisPoints: BasisPoints): string {
  return `${(feeBasisPoints / 100).toLocaleString("pt-BR", { maximumFractionDigits: 2 })}%`;
}
