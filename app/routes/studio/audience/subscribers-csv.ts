import { audienceMethodLabel } from "#app/components/audience/audience-labels.ts";
import {
  audienceCsvHead,
  audienceCsvRow,
} from "#app/domain/billing/statements/rules/audience-csv.ts";
import { CSV_BOM } from "#app/domain/csv.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { audienceCount, wholeAudience } from "#app/domain/subscriptions/audience/queries.server.ts";
import type { Subscriber } from "#app/domain/subscriptions/audience/queries.server.ts";
import { parseAudienceFilter } from "#app/domain/subscriptions/audience/rules.ts";
import { isoDay } from "#app/domain/time.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import {
  csvFile,
  fileErrorResponse,
  CSV_ROWS_MAX,
  CSV_PAGE_ROWS,
} from "#app/http/files/csv-file.ts";
import type { Route } from "./+types/subscribers-csv.ts";

/** Returns all subscribers of the page as a spreadsheet. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { space, may } = requireWriter({ context }, "plans:edit");
  const ctx = context.get(domainContext);
  const { filter } = parseAudienceFilter(new URL(request.url).searchParams);
  const creatorId = space.personId;
  if ((await audienceCount(ctx, { creatorId, filter })) > CSV_ROWS_MAX)
    return fileErrorResponse(
      413,
      "São mais de 100.000 assinaturas. Volte à lista e escolha um plano ou uma situação.",
    );
  const pages = wholeAudience(ctx, {
    creatorId,
    filter,
    pageRows: CSV_PAGE_ROWS,
    most: CSV_ROWS_MAX,
  });
  return csvFile(`coreto-assinantes-${isoDay(ctx.now())}.csv`, csvPieces(pages, may("money:see")));
}

async function* csvPieces(
  pages: AsyncIterable<Subscriber[]>,
  seesMoney: boolean,
): AsyncGenerator<string> {
  yield CSV_BOM + audienceCsvHead(seesMoney);
  for await (const rows of pages) {
    yield rows
      .map((row) =>
        audienceCsvRow(
          {
            ...row,
            intervalWord: intervalLabel(row.interval),
            methodWord: audienceMethodLabel(row),
          },
          seesMoney,
        ),
      )
      .join("");
  }
}
