import type { moneyDivisions } from "#app/components/analytics/money-parts.tsx";
import { creatorMoney, moneyParts } from "#app/domain/analytics/money/queries.server.ts";
import { moneyBy, moneyWithin } from "#app/domain/analytics/money/rules.ts";
import type { MoneySums } from "#app/domain/analytics/money/rules.ts";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import { moneyCell, textCell } from "#app/domain/csv.ts";
import { isoOfDayNumber } from "#app/domain/time.ts";
import type { loadNumbers } from "./load-numbers.server.ts";

export type Numbers = NonNullable<Awaited<ReturnType<typeof loadNumbers>>>;
export type Rows = string[][];

export function* daysOf({ from, until }: DayRange): Generator<number> {
  for (let day = from; day <= until; day += 1) yield day;
}

const MONEY_HEAD = ["Cobranças", "Vendido", "Reembolsado", "Contestado", "Taxa", "Líquido"];

const moneyCells = (sums: MoneySums): string[] => [
  String(sums.count),
  ...[sums.grossCents, sums.refundedCents, sums.disputedCents, sums.feeCents, sums.netCents].map(
    moneyCell,
  ),
];

/** The money of the range, a row a day. */
export async function revenueRows({ ctx, creatorId, parsed: { range } }: Numbers): Promise<Rows> {
  const sales = Map.groupBy(await creatorMoney(ctx, { creatorId, range }), ({ day }) => day);
  return [
    ["Dia", ...MONEY_HEAD],
    ...[...daysOf(range)].map((day) => [
      isoOfDayNumber(day),
      ...moneyCells(moneyWithin(sales.get(day) ?? [], { from: day, until: day })),
    ]),
  ];
}

/** The money of the range by kind, method, plan or link. */
export async function divisionRows(
  { ctx, creatorId, parsed: { range } }: Numbers,
  { column, rows }: (typeof moneyDivisions)[number],
): Promise<Rows> {
  const [sales, parts] = await Promise.all([
    creatorMoney(ctx, { creatorId, range }),
    moneyParts(ctx, { creatorId, range }),
  ]);
  const divided = {
    ...parts,
    byKind: moneyBy(sales, range, "kind"),
    byMethod: moneyBy(sales, range, "method"),
  };
  return [
    [column, ...MONEY_HEAD],
    ...rows(divided).map((row) => [textCell(row.name), ...moneyCells(row)]),
  ];
}
