import { PRICE_BANDS_CENTS } from "#app/domain/ledger/margin/rules.ts";
import type { MarginGroup } from "#app/domain/ledger/margin/rules.ts";
import { formatMoney, formatPercent } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { methodLabel } from "#app/components/payments/charge-labels.ts";

const REST: Record<"debts" | "transfers" | "rest" | "all", string> = {
  debts: "Valores a descontar quitados",
  transfers: "Transferências enviadas",
  rest: "Outros lançamentos",
  all: "Todas as formas e preços",
};

/** Label of a price band: "R$ 10,00 a R$ 19,99", or open at either end. */
function bandText(band: number): string {
  const [from = 0, next] = [PRICE_BANDS_CENTS[band], PRICE_BANDS_CENTS[band + 1]];
  if (next === undefined) return `${formatMoney(from)} ou mais`;
  return from === 0
    ? `até ${formatMoney(next - 1)}`
    : `${formatMoney(from)} a ${formatMoney(next - 1)}`;
}

/** Label of a margin line. */
export const marginGroupLabel = (group: MarginGroup<PaymentMethod>): string =>
  group.of === "sales" ? `${methodLabel(group.method)}, ${bandText(group.band)}` : REST[group.of];

/** Share of the gross amount; a dash without one. */
export const shareLabel = (basisPoints: number | null): string =>
  basisPoints === null ? "–" : formatPercent(basisPoints);
