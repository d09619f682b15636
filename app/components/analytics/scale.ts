const MONEY = new Intl.NumberFormat("pt-BR", {
  style: "currency",
  currency: "BRL",
  notation: "compact",
  maximumFractionDigits: 1,
  minimumFractionDigits: 0,
});

/** Writes centavos short, for the scale of a chart: "R$ 1,5 mil". */
export const moneyScale = (cents: number): string => MONEY.format(cents / 100);
