import { platformDays } from "#app/domain/analytics/platform/queries.server.ts";
import { CSV_BOM, csvLine, moneyCell } from "#app/domain/csv.ts";
import { isoDay, isoOfDayNumber } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { csvFile } from "#app/http/files/csv-file.ts";
import { metricsRange } from "./metrics-range.server.ts";
import type { Route } from "./+types/metrics-csv.ts";

/** The days of the platform's numbers as a spreadsheet. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const days = await platformDays(ctx, metricsRange(ctx, request).range);
  const rows = days.map((day) => [
    isoOfDayNumber(day.day),
    ...[day.grossCents, day.feeCents, day.returnedCents].map(moneyCell),
    ...[day.disputes, day.payouts.settled, day.activeCreators, day.activeFans].map(String),
  ]);
  const head =
    "Dia;Volume bruto;Nossa parte;Devolvido;Contestações;Saques pagos;Criadores ativos;Fãs ativos";
  return csvFile(`coreto-plataforma-${isoDay(ctx.now())}.csv`, linesOf([head.split(";"), ...rows]));
}

async function* linesOf(rows: string[][]): AsyncGenerator<string> {
  yield CSV_BOM + rows.map(csvLine).join("");
}
