import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { marginGroupLabel, shareLabel } from "#app/components/ledger/margin-labels.ts";
import { CSV_BOM, csvLine, moneyCell, textCell } from "#app/domain/csv.ts";
import { marginLines } from "#app/domain/ledger/margin/queries.server.ts";
import type { MarginLine } from "#app/domain/ledger/margin/queries.server.ts";
import {
  marginCents,
  shareInBasisPoints,
  sumMarginLines,
} from "#app/domain/ledger/margin/rules.ts";
import type { MarginSums } from "#app/domain/ledger/margin/rules.ts";
import { parseReportMonth, monthBounds } from "#app/domain/ledger/months/rules/months.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { domainContext } from "#app/http/contexts.ts";
import { csvFile } from "#app/http/files/csv-file.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/margin-file.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

/** Returns the margin of a month as a spreadsheet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const month = parseReportMonth(params.month, ctx.now());
  const lines = await marginLines(ctx, { ...monthBounds(month), methods: PAYMENT_METHODS });
  return csvFile(`coreto-margem-${month}.csv`, pieces(lines));
}

async function* pieces(lines: readonly MarginLine<PaymentMethod>[]): AsyncGenerator<string> {
  yield (
    CSV_BOM +
    csvLine([
      "Forma e preço",
      "Vezes",
      "Bruto",
      "Nossa taxa",
      "Nossa taxa (%)",
      "Custo",
      "Custo (%)",
      "Sobra",
      "Sobra (%)",
    ])
  );
  for (const line of lines) yield lineOf(marginGroupLabel(line.group), line);
  yield lineOf("Soma", sumMarginLines(lines));
}

function lineOf(text: string, line: MarginSums): string {
  const figures = [line.feeCents, line.costCents, marginCents(line)].flatMap((cents) => [
    moneyCell(cents),
    shareLabel(shareInBasisPoints(cents, line.grossCents)),
  ]);
  return csvLine([textCell(text), String(line.count), moneyCell(line.grossCents), ...figures]);
}
