import { CSV_BOM, csvLine, minuteCell, textCell } from "#app/domain/csv.ts";
import { allAttendees } from "#app/domain/events/attendees/queries.server.ts";
import { answeredQuestions } from "#app/domain/events/questions/queries.server.ts";
import { answerColumns, answerText } from "#app/domain/events/questions/rules.ts";
import type { Answer, AnswerColumn } from "#app/domain/events/questions/rules.ts";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import type { Attendee } from "#app/domain/events/attendees/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { CSV_PAGE_ROWS, csvFile } from "#app/http/files/csv-file.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/people-csv.ts";

/** Returns everybody with a seat as a spreadsheet. */
export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const ctx = args.context.get(domainContext);
  const own = { eventId: event.id, creatorId: actor.space.personId };
  const columns = answerColumns(event.questions, await answeredQuestions(ctx, own));
  const pages = allAttendees(ctx, {
    ...own,
    pageRows: CSV_PAGE_ROWS,
  });
  return csvFile(`coreto-quem-vai-${isoDay(ctx.now())}.csv`, csvPieces(pages, columns));
}

const HEAD = ["Nome", "Conta", "Usuário", "Ingresso", "Tipo", "Vaga desde", "Entrou em"];

async function* csvPieces(
  pages: AsyncIterable<Attendee[]>,
  columns: readonly AnswerColumn[],
): AsyncGenerator<string> {
  yield CSV_BOM + csvLine([...HEAD, ...columns.map(({ text }) => textCell(text))]);
  for await (const rows of pages) yield rows.map((row) => rowLine(row, columns)).join("");
}

const rowLine = (
  { name, personName, username, code, kindName, takenAt, checkedInAt, answers }: Attendee,
  columns: readonly AnswerColumn[],
): string =>
  csvLine([
    textCell(name),
    textCell(personName),
    textCell(`@${username}`),
    textCell(shownTicketCode(code)),
    textCell(kindName ?? ""),
    minuteCell(takenAt),
    checkedInAt === null ? "" : minuteCell(checkedInAt),
    ...columns.map((column) => answerCell(answers, column)),
  ]);

function answerCell(answers: readonly Answer[], { id, text }: AnswerColumn): string {
  const answer = answers.find((one) => one.id === id && one.question === text);
  return answer ? textCell(answerText(answer)) : "";
}
