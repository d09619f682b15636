import type { Cents } from "#app/domain/money.ts";

/**
 * What the transactions of one kind changed in a month or a day of a creator's money.
 *
 * `heldCents` is the change of their money: pending, available and on its way, less what they owe.
 * `feeCents` is the change of the platform's fees. Disputed money is in neither: it returns when
 * the dispute is won.
 */
export type EarningsEffect = {
  bucket: string;
  kind: string;
  count: number;
  feeCents: Cents;
  heldCents: Cents;
};

/** The figures of a creator's earnings statement, as a URL names them. */
export const earningsFigureNames = [
  "gross",
  "returned",
  "disputed",
  "fee",
  "net",
  "paid",
  "other",
] as const;
export type EarningsFigureName = (typeof earningsFigureNames)[number];

export const EARNINGS_FIGURE_TITLES: Record<EarningsFigureName, string> = {
  gross: "Vendas",
  returned: "Devolvido",
  disputed: "Contestado",
  fee: "Taxa do Coreto",
  net: "Líquido",
  paid: "Sacado",
  other: "Outros",
};

export type EarningsFigures = Record<EarningsFigureName, Cents>;

type EarningsPart = "sold" | "returned" | "disputed" | "paid" | "other";

/**
 * Returns the part of an earnings statement to which a transaction kind belongs. An unlisted kind
 * is `other`, so that nothing is lost.
 *
 * So is everything about a creator's debt payments (`debt.paid`, and `debt.dispute.opened` as
 * `creatorEarnings` names it). They were never sales, and their refund lowers no taxable net.
 */
export function earningsPartOf(kind: string): EarningsPart {
  if (kind === "charge.succeeded") return "sold";
  if (kind === "charge.refunded") return "returned";
  if (kind.startsWith("dispute.")) return "disputed";
  return kind.startsWith("payout.") ? "paid" : "other";
}

const NOTHING: EarningsFigures = {
  gross: 0,
  returned: 0,
  disputed: 0,
  fee: 0,
  net: 0,
  paid: 0,
  other: 0,
};

/**
 * Returns what one effect adds to each figure, in centavos.
 *
 * The net is sales less refunds and disputes less the fee. A creator's money changes exactly by the
 * net and the others less what was paid out, by construction.
 */
export function earningsFigures({
  kind,
  feeCents,
  heldCents,
}: Pick<EarningsEffect, "kind" | "feeCents" | "heldCents">): EarningsFigures {
  const part = earningsPartOf(kind);
  if (part === "sold")
    return { ...NOTHING, gross: heldCents + feeCents, fee: feeCents, net: heldCents };
  // `|| 0` avoids -0, which would be shown with its sign.
  if (part === "returned" || part === "disputed")
    return { ...NOTHING, [part]: -(heldCents + feeCents) || 0, fee: feeCents, net: heldCents };
  return part === "paid" ? { ...NOTHING, paid: -heldCents || 0 } : { ...NOTHING, other: heldCents };
}

/** Sums the figures of all effects. */
export function sumEarningsFigures(effects: readonly EarningsEffect[]): EarningsFigures {
  const sum = { ...NOTHING };
  for (const effect of effects) {
    const figures = earningsFigures(effect);
    for (const name of earningsFigureNames) sum[name] += figures[name];
  }
  return sum;
}

/** Returns how much the figures changed a creator's money, in centavos. */
export const balanceChange = ({ net, other, paid }: EarningsFigures): Cents => net + other - paid;

/** Parses the figure in a URL; sales for any other text. */
export const parseEarningsFigure = (text: string | null): EarningsFigureName =>
  earningsFigureNames.find((name) => name === text) ?? "gross";

const YEAR = /^20\d{2}$/;

/**
 * Parses the year of a statement in a URL. Returns the present year for invalid text or a future
 * year.
 */
export function parseReportYear(text: string | null, presentYear: number): number {
  return text !== null && YEAR.test(text) && Number(text) <= presentYear
    ? Number(text)
    : presentYear;
}
