import { groupWords, shareWords } from "#app/components/payments/margin-words.ts";
import { CSV_MARK, csvLine, moneyCell, textCell } from "#app/domain/csv.ts";
import { marginLines } from "#app/domain/ledger/queries/margin.server.ts";
import type { MarginLine } from "#app/domain/ledger/queries/margin.server.ts";
import { leftCents, shareOf, sumOf } from "#app/domain/ledger/rules/margin.ts";
import type { MarginSums } from "#app/domain/ledger/rules/margin.ts";
import { askedMonth, boundsOf } from "#app/domain/ledger/rules/months.ts";
import { methodSchema } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { csvFile } from "#app/http/csv-file.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/margin-file.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

/** The margin of a month as a spreadsheet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const month = askedMonth(params.month, ctx.now());
  const lines = await marginLines(ctx, { ...boundsOf(month), methods: methodSchema.options });
  return csvFile(`coreto-margem-${month}.csv`, pieces(lines));
}

async function* pieces(lines: readonly MarginLine<PaymentMethod>[]): AsyncGenerator<string> {
  yield (
    CSV_MARK +
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
  for (const line of lines) yield lineOf(groupWords(line.group), line);
  yield lineOf("Soma", sumOf(lines));
}

function lineOf(words: string, line: MarginSums): string {
  const figures = [line.feeCents, line.costCents, leftCents(line)].flatMap((cents) => [
    moneyCell(cents),
    shareWords(shareOf(cents, line.grossCents)),
  ]);
  return csvLine([textCell(words), String(line.count), moneyCell(line.grossCents), ...figures]);
}
