import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { formatMoney, parseMoney } from "#app/domain/money.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import { splitFee } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { methodsForPrice, priceProblem } from "#app/domain/plans/rules.ts";

/**
 * The creator's net amount from each payment of `price` (text, in reais) and when it arrives: "Você
 * recebe R$ 18,90. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias." Returns the problem
 * of an invalid price, and null for an empty one.
 */
export function priceNetText(price: string, feeBasisPoints: BasisPoints): PriceReturn | null {
  return typedReturn(price, (amountCents) => {
    const { netCents } = splitFee(amountCents, feeBasisPoints);
    const methods = methodsForPrice(amountCents);
    const releases = PAYMENT_METHODS.map((method) =>
      methods.includes(method)
        ? methodTexts[method].release
        : `Abaixo de ${formatMoney(paymentMethods[method].minimumCents)}, só Pix.`,
    );
    return `Você recebe ${formatMoney(netCents)}. ${releases.join(" ")}`;
  });
}

/** The net amount of a one-time sale: "Você recebe R$ 28,40 de cada venda." */
export function singlePriceNetText(price: string, feeBasisPoints: BasisPoints): PriceReturn | null {
  return typedReturn(
    price,
    (amountCents) =>
      `Você recebe ${formatMoney(splitFee(amountCents, feeBasisPoints).netCents)} de cada venda.`,
  );
}

type PriceReturn = { text: string; isProblem: boolean };

function typedReturn(price: string, textOf: (amountCents: Cents) => string): PriceReturn | null {
  // "19," is the start of typing "19,90".
  const typed = price.trim().replace(/[.,]$/, "");
  if (!typed) return null;
  const amountCents = parseMoney(typed);
  if (amountCents === null) return { text: "Escreva o preço assim: 19,90.", isProblem: true };
  const problem = priceProblem(amountCents);
  return problem
    ? { text: `${problem}.`, isProblem: true }
    : { text: textOf(amountCents), isProblem: false };
}
