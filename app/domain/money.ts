/** Whole centavos of BRL. Every amount in the product is one of these, never a float of reais. */
export type Cents = number;

/** 1 basis point is a hundredth of a per cent. 10,000 are the whole. */
export type BasisPoints = number;

const ALL_BASIS_POINTS = 10_000;

/** Throws unless `amountCents` is a safe integer: a fraction of a centavo is a bug, not money. */
function assertCents(amountCents: number): Cents {
  if (!Number.isSafeInteger(amountCents)) throw new Error(`not whole centavos: ${amountCents}`);
  return amountCents;
}

/**
 * Returns the share `basisPoints` of `amountCents`, rounded half away from zero to the centavo.
 * Multiplies first and divides once, in integers. Source: domain rules, "Fee".
 */
export function shareRoundedHalfUp(amountCents: Cents, basisPoints: BasisPoints): Cents {
  assertCents(amountCents);
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > ALL_BASIS_POINTS) {
    throw new Error(`basis points out of range: ${basisPoints}`);
  }
  const product = BigInt(Math.abs(amountCents)) * BigInt(basisPoints);
  const rounded = Number((product + BigInt(ALL_BASIS_POINTS / 2)) / BigInt(ALL_BASIS_POINTS));
  return amountCents < 0 ? -rounded : rounded;
}

const BRL = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });

/**
 * Formats `R$ 1.234,56`, with the no-break space of Portuguese typography. Zero has no sign, also
 * when it was subtracted.
 */
export function formatMoney(amountCents: Cents): string {
  return BRL.format((assertCents(amountCents) || 0) / 100);
}

/** R$ 1.000.000,00: the maximum of any price, tip or discount. */
const MOST_CENTS = 100_000_000;

/**
 * Parses an amount that a Brazilian types into centavos: "19,90", "R$ 1.234,56", "15". Null when it
 * is no amount of money: more than two decimals, signs, letters, or above `mostCents`.
 */
export function parseMoney(text: string, mostCents: Cents = MOST_CENTS): Cents | null {
  const bare = text.replace(/R\$/i, "").replace(/[\s\u00a0]/g, "");
  const match =
    /^(\d{1,3}(?:\.\d{3})+|\d{1,12})(?:,(\d{1,2}))?$/.exec(bare) ??
    /^(\d{1,12})\.(\d{2})$/.exec(bare);
  if (!match) return null;
  const reais = Number((match[1] ?? "").replaceAll(".", ""));
  const cents = Number((match[2] ?? "").padEnd(2, "0") || "0");
  const total = reais * 100 + cents;
  return total > mostCents ? null : total;
}

/** Formats `5%` or `4,99%`. */
export function formatPercent(basisPoints: BasisPoints): string {
  return `${(basisPoints / 100).toLocaleString("pt-BR", { maximumFractionDigits: 2 })}%`;
}

/** Formats `1234,56`, for a field that `parseMoney` parses. */
export function typedReais(cents: Cents): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  return `${cents < 0 ? "-" : ""}${whole},${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}
