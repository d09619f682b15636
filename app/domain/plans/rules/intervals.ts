import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";

/** The five intervals of Pix Automático. */
export const intervals = ["weekly", "monthly", "quarterly", "semiannual", "annual"] as const;

export type Interval = (typeof intervals)[number];

const INTERVAL_LABELS: Record<Interval, string> = {
  weekly: "por semana",
  monthly: "por mês",
  quarterly: "por trimestre",
  semiannual: "por semestre",
  annual: "por ano",
};

/** "por mês", next to a price. */
export const intervalLabel = (interval: Interval): string => INTERVAL_LABELS[interval];

/** "R$ 19,90 por mês". */
export const priceLabel = ({
  amountCents,
  interval,
}: {
  amountCents: Cents;
  interval: Interval;
}): string => `${formatMoney(amountCents)} ${intervalLabel(interval)}`;
