import { formatMoney, parseMoney } from "#app/domain/money.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { releaseAt } from "#app/domain/payments/releases/rules/release-time.ts";
import { splitFee } from "#app/domain/payments/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { typedPriceProblem } from "./limits.ts";

/** What the calculator shows before anybody types. */
const EXAMPLE_SUBSCRIBERS = 100;
const EXAMPLE_PRICE = "19,90";
export const SUBSCRIBERS_MAX = 100_000;

/** A month of payments: `subscribers` people who each pay `priceCents`. All amounts in centavos. */
export type Earnings = {
  subscribers: number;
  priceCents: Cents;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  /** From this price on people may pay by card too. */
  isCardAccepted: boolean;
};

/**
 * Returns what a creator receives a month. The fee is rounded at each payment, as it is charged,
 * and not at the sum. Source: domain rules, "Fee".
 */
export function monthlyEarnings({
  subscribers,
  priceCents,
  feeBasisPoints,
}: {
  subscribers: number;
  priceCents: Cents;
  feeBasisPoints: BasisPoints;
}): Earnings {
  const { feeCents, netCents } = splitFee(priceCents, feeBasisPoints);
  return {
    subscribers,
    priceCents,
    grossCents: priceCents * subscribers,
    feeCents: feeCents * subscribers,
    netCents: netCents * subscribers,
    isCardAccepted: priceCents >= paymentMethods.card.minimumCents,
  };
}

/** The days on which a payment of `now` may be paid out, by the way it was paid. */
export type EarningsDays = { firstPix: Instant; pixRenewal: Instant; card: Instant };

/** Returns those days. The card's day is an estimate: the provider gives the exact one. */
export function earningsDays(now: Instant): EarningsDays {
  const paid = { succeededAt: now, settlesAt: null };
  return {
    firstPix: releaseAt({ ...paid, method: "pix", isRenewal: false }),
    pixRenewal: releaseAt({ ...paid, method: "pix", isRenewal: true }),
    card: releaseAt({ ...paid, method: "card", isRenewal: false }),
  };
}

/** What somebody typed into the calculator, with the problem of each field. */
export type EarningsForm = {
  typed: { subscribers: string; price: string };
  errors: { subscribers?: string; price?: string };
  /** What is shown: the typed numbers, and the example in place of a wrong one. */
  subscribers: number;
  priceCents: Cents;
};

const EXAMPLE_CENTS = parseMoney(EXAMPLE_PRICE) ?? 0;

/** Reads the calculator's form. A field that was not sent has the example. */
export function readEarningsForm(search: URLSearchParams): EarningsForm {
  const subscribers = search.get("assinantes") ?? String(EXAMPLE_SUBSCRIBERS);
  const price = search.get("preco") ?? EXAMPLE_PRICE;
  const count = typedCount(subscribers);
  const priceProblem = typedPriceProblem(price);
  return {
    typed: { subscribers, price },
    errors: {
      ...(count === null ? { subscribers: COUNT_PROBLEM } : {}),
      ...(priceProblem === null ? {} : { price: priceProblem }),
    },
    subscribers: count ?? EXAMPLE_SUBSCRIBERS,
    priceCents: priceProblem === null ? (parseMoney(price) ?? EXAMPLE_CENTS) : EXAMPLE_CENTS,
  };
}

const COUNT_PROBLEM = `Escreva um número de 1 a ${SUBSCRIBERS_MAX.toLocaleString("pt-BR")}`;

/** Accepts "1.000" as Brazilians write it. Null for anything else, and outside of the limits. */
function typedCount(text: string): number | null {
  const bare = text.trim();
  if (!/^(\d{1,6}|\d{1,3}\.\d{3})$/.test(bare)) return null;
  const count = Number(bare.replace(".", ""));
  return count >= 1 && count <= SUBSCRIBERS_MAX ? count : null;
}

/** Says below which price only Pix is accepted. */
export const PIX_ONLY_TEXT = `Abaixo de ${formatMoney(paymentMethods.card.minimumCents)}, só Pix.`;
