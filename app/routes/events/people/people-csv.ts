import { CSV_BOM, csvLine, minuteCell, textCell } from "#app/domain/csv.ts";
import { allAttendees } from "#app/domain/events/queries/people.server.ts";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import type { Attendee } from "#app/domain/events/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { CSV_PAGE_ROWS, csvFile } from "#app/http/files/csv-file.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/people-csv.ts";

/** Returns everybody with a seat as a spreadsheet. */
export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const ctx = args.context.get(domainContext);
  const pages = allAttendees(ctx, {
    eventId: event.id,
    creatorId: actor.space.personId,
    pageRows: CSV_PAGE_ROWS,
  });
  return csvFile(`coreto-quem-vai-${isoDay(ctx.now())}.csv`, csvPieces(pages));
}

async function* csvPieces(pages: AsyncIterable<Attendee[]>): AsyncGenerator<string> {
  yield (
    CSV_BOM + csvLine(["Nome", "Conta", "Usuário", "Ingresso", "Tipo", "Vaga desde", "Entrou em"])
  );
  for await (const rows of pages) yield rows.map(rowLine).join("");
}

const rowLine = ({
  name,
  personName,
  username,
  code,
  kindName,
  takenAt,
  checkedInAt,
}: Attendee): string =>
  csvLine([
    textCell(name),
    textCell(personName),
    textCell(`@${username}`),
    textCell(shownTicketCode(code)),
    textCell(kindName ?? ""),
    minuteCell(takenAt),
    checkedInAt === null ? "" : minuteCell(checkedInAt),
  ]);
