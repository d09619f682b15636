import type { Cents } from "#app/domain/money.ts";

/**
 * The lower limit of each price band (centavos), cheapest first. Fixed costs weigh most on small
 * prices.
 */
export const PRICE_BANDS_CENTS: readonly Cents[] = [0, 1_000, 2_000, 5_000, 10_000, 50_000];

/**
 * The group of a margin line: sales by method and price, creators' debt payments, transfers out, or
 * the rest of the accounts. `all` is their sum.
 */
export type MarginGroup<Method extends string = string> =
  | { of: "sales"; method: Method; band: number }
  | { of: "debts" | "transfers" | "rest" | "all" };

/** Formats a group for a URL: `pix-2`, `card-0`, `transfers`. */
export const marginGroupName = (group: MarginGroup): string =>
  group.of === "sales" ? `${group.method}-${group.band}` : group.of;

/** Parses the group in a URL; null for any other text. `methods`: the payment methods of sales. */
export function parseMarginGroup<Method extends string>(
  name: string | undefined,
  methods: readonly Method[],
): MarginGroup<Method> | null {
  if (name === "debts" || name === "transfers" || name === "rest" || name === "all")
    return { of: name };
  const [, sold, band] = /^([^-]+)-(\d)$/.exec(name ?? "") ?? [];
  const method = methods.find((one) => one === sold);
  return method !== undefined && Number(band) < PRICE_BANDS_CENTS.length
    ? { of: "sales", method, band: Number(band) }
    : null;
}

/**
 * What was sold, the platform's fee and the providers' cost (centavos). A debt payment is counted
 * and has no gross. A refund lowers the fee, never the gross.
 */
export type MarginSums = { count: number; grossCents: Cents; feeCents: Cents; costCents: Cents };

/**
 * Returns what is left to the platform; below zero it loses money on the sales. Source: domain
 * rules, "Fee".
 */
export const marginCents = ({ feeCents, costCents }: MarginSums): Cents => feeCents - costCents;

/**
 * Returns `cents` as a share of `grossCents` in basis points, rounded half away from zero; null
 * without a gross.
 */
export function shareInBasisPoints(cents: Cents, grossCents: Cents): number | null {
  if (grossCents <= 0) return null;
  const rounded = Number(
    (BigInt(Math.abs(cents)) * 20_000n + BigInt(grossCents)) / (2n * BigInt(grossCents)),
  );
  return cents < 0 ? -rounded : rounded;
}

/** Sums all lines: the change of the fee and cost accounts. */
export function sumMarginLines(lines: readonly MarginSums[]): MarginSums {
  return lines.reduce(
    (sum, line) => ({
      count: sum.count + line.count,
      grossCents: sum.grossCents + line.grossCents,
      feeCents: sum.feeCents + line.feeCents,
      costCents: sum.costCents + line.costCents,
    }),
    { count: 0, grossCents: 0, feeCents: 0, costCents: 0 },
  );
}
