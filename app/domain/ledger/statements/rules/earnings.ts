import type { Cents } from "#app/domain/money.ts";

/**
 * What happenings of one kind did in a month or a day to what a creator has with us:
 * `pendingCentsOf` to their money (to be released, available and on its way to them, less what they
 * owe), `feeCents` to the platform's fees. What a dispute holds is neither: it comes back when it
 * is won.
 */
export type EarningsEffect = {
  bucket: string;
  kind: string;
  count: number;
  feeCents: Cents;
  heldCents: Cents;
};

/** The figures of a creator's papers, as an address names them. */
export const earningsFigureNames = ["gross", "returned", "fee", "net", "paid", "other"] as const;
export type EarningsFigureName = (typeof earningsFigureNames)[number];

export const EARNINGS_FIGURE_TITLES: Record<EarningsFigureName, string> = {
  gross: "Vendas",
  returned: "Devolvido ou contestado",
  fee: "Taxa do Coreto",
  net: "Líquido",
  paid: "Sacado",
  other: "Outros",
};

export type EarningsFigures = Record<EarningsFigureName, Cents>;

type EarningsPart = "sold" | "returned" | "paid" | "other";

/**
 * What a happening is on a paper. What nobody thought of here is not lost: it is `other`. So is all
 * that happens to what a creator pays of what they owe (`debt.paid`, and `debt.dispute.opened` as
 * `creatorEarnings` tells it): it was never sold, and its way back lowers no taxable net.
 */
export function earningsPartOf(kind: string): EarningsPart {
  if (kind === "charge.succeeded") return "sold";
  if (kind === "charge.refunded" || kind.startsWith("dispute.")) return "returned";
  return kind.startsWith("payout.") ? "paid" : "other";
}

const NOTHING: EarningsFigures = { gross: 0, returned: 0, fee: 0, net: 0, paid: 0, other: 0 };

/**
 * What one effect adds to each figure, in centavos. The net is the sales less what went back less
 * the fee, and a creator's money changes by the net and the others less what was paid out: to the
 * centavo, by construction.
 */
export function earningsFigures({
  kind,
  feeCents,
  heldCents,
}: Pick<EarningsEffect, "kind" | "feeCents" | "heldCents">): EarningsFigures {
  const part = earningsPartOf(kind);
  if (part === "sold")
    return { ...NOTHING, gross: heldCents + feeCents, fee: feeCents, net: heldCents };
  // Nothing is never less than nothing: -0 would be shown with its sign.
  if (part === "returned")
    return { ...NOTHING, returned: -(heldCents + feeCents) || 0, fee: feeCents, net: heldCents };
  return part === "paid" ? { ...NOTHING, paid: -heldCents || 0 } : { ...NOTHING, other: heldCents };
}

/** The figures of all of them. */
export function sumEarningsFigures(effects: readonly EarningsEffect[]): EarningsFigures {
  const sum = { ...NOTHING };
  for (const effect of effects) {
    const figures = earningsFigures(effect);
    for (const name of earningsFigureNames) sum[name] += figures[name];
  }
  return sum;
}

/** By how much all of it changed what the creator has with us, in centavos. */
export const balanceChange = ({ net, other, paid }: EarningsFigures): Cents => net + other - paid;

/** The figure that an address asks for; the sales for any other word. */
export const parseEarningsFigure = (text: string | null): EarningsFigureName =>
  earningsFigureNames.find((name) => name === text) ?? "gross";

const YEAR = /^20\d{2}$/;

/**
 * The year of a paper as its address says it; the present one where that cannot be read or is still
 * to come.
 */
export function parseReportYear(text: string | null, presentYear: number): number {
  return text !== null && YEAR.test(text) && Number(text) <= presentYear
    ? Number(text)
    : presentYear;
}
