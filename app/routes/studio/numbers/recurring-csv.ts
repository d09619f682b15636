import { RECURRING_LABELS } from "#app/components/analytics/recurring-labels.ts";
import { recurringKinds } from "#app/domain/analytics/recurring/rules.ts";
import { CSV_BOM, csvLine, moneyCell } from "#app/domain/csv.ts";
import { monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { isoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { csvFile } from "#app/http/files/csv-file.ts";
import { loadRecurring } from "./recurring.server.ts";
import type { Route } from "./+types/recurring-csv.ts";

/** The table of the page as a spreadsheet, oldest month first. */
export async function loader({ context }: Route.LoaderArgs) {
  const { months } = await loadRecurring({ context });
  const head = [
    "Mês",
    "No início",
    ...recurringKinds.map((kind) => RECURRING_LABELS[kind].title),
    "No fim",
    "Assinaturas no fim",
  ];
  const rows = months.map(({ startsAt, startCents, moves, endCents, endCount }) => [
    monthOf(startsAt),
    moneyCell(startCents),
    ...recurringKinds.map((kind) => moneyCell(moves[kind].monthlyCents)),
    moneyCell(endCents),
    String(endCount),
  ]);
  const today = isoDay(context.get(domainContext).now());
  return csvFile(`coreto-receita-recorrente-${today}.csv`, linesOf([head, ...rows]));
}

async function* linesOf(rows: string[][]): AsyncGenerator<string> {
  yield CSV_BOM + rows.map(csvLine).join("");
}
