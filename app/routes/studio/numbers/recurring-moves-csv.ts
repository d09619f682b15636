import { RECURRING_LABELS } from "#app/components/analytics/recurring-labels.ts";
import { subscriptionMoves } from "#app/domain/analytics/moves/queries.server.ts";
import { CSV_BOM, csvLine, minuteCell, moneyCell, textCell } from "#app/domain/csv.ts";
import { isoDay } from "#app/domain/time.ts";
import { CSV_PAGE_ROWS, CSV_ROWS_MAX, csvFile } from "#app/http/files/csv-file.ts";
import { askedMoves } from "./recurring-moves.server.ts";
import type { Route } from "./+types/recurring-moves-csv.ts";

/** The list of changes as a spreadsheet, newest first; at most `CSV_ROWS_MAX` rows. */
export async function loader(route: Route.LoaderArgs) {
  const asked = askedMoves(route);
  const name = [RECURRING_LABELS[asked.kind].title.toLowerCase(), asked.month ?? "30-dias"]
    .join("-")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "");
  return csvFile(`coreto-${name}-${isoDay(asked.ctx.now())}.csv`, linesOf(asked));
}

async function* linesOf({ ctx, ...asked }: ReturnType<typeof askedMoves>): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(["Quem", "Nome de usuário", "Plano de agora", "Quando", "Por mês"]);
  let cursor: string | null = null;
  let rowsCount = 0;
  do {
    const { page }: Awaited<ReturnType<typeof subscriptionMoves>> = await subscriptionMoves(ctx, {
      ...asked,
      cursor,
      limit: CSV_PAGE_ROWS,
    });
    yield page.items
      .map(({ fan, planName, movedAt, monthlyCents }) =>
        csvLine([
          textCell(fan?.name ?? "Conta apagada"),
          textCell(fan?.username ?? ""),
          textCell(planName),
          minuteCell(movedAt),
          moneyCell(monthlyCents),
        ]),
      )
      .join("");
    cursor = page.next;
    rowsCount += page.items.length;
  } while (cursor !== null && rowsCount < CSV_ROWS_MAX);
}
