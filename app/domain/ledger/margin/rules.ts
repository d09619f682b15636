import type { Cents } from "#app/domain/money.ts";

/**
 * From which price on each band is (centavos), the cheapest first: what a fixed cost eats is the
 * small ones.
 */
export const PRICE_BANDS_CENTS: readonly Cents[] = [0, 1_000, 2_000, 5_000, 10_000, 50_000];

/**
 * What a line of the margin is of: sales by method and price, what creators paid of their debts,
 * what was sent out, the rest of the accounts; or, of their sum, all of them.
 */
export type MarginGroup<Method extends string = string> =
  | { of: "sales"; method: Method; band: number }
  | { of: "debts" | "transfers" | "rest" | "all" };

/** As an address names it: `pix-2`, `card-0`, `transfers`. */
export const marginGroupName = (group: MarginGroup): string =>
  group.of === "sales" ? `${group.method}-${group.band}` : group.of;

/** The group that an address names, or null. `methods` are those by which is sold. */
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
 * What was sold (a payment of a debt is counted, and has no gross), what the platform kept of it
 * and what providers took (centavos). What went back is taken off the fee, never off the gross.
 */
export type MarginSums = { count: number; grossCents: Cents; feeCents: Cents; costCents: Cents };

/** What is left to the platform; below zero it pays to sell. Source: domain rules, "Fee". */
export const marginCents = ({ feeCents, costCents }: MarginSums): Cents => feeCents - costCents;

/** `cents` as a share of `grossCents` in basis points, rounded half away from zero; null of nothing. */
export function shareInBasisPoints(cents: Cents, grossCents: Cents): number | null {
  if (grossCents <= 0) return null;
  const rounded = Number(
    (BigInt(Math.abs(cents)) * 20_000n + BigInt(grossCents)) / (2n * BigInt(grossCents)),
  );
  return cents < 0 ? -rounded : rounded;
}

/** The sum of all lines: what the accounts of fees and of costs changed by. */
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
