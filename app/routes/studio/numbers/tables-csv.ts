import { cohortText } from "#app/components/analytics/cohort-table.tsx";
import { moneyDivisions } from "#app/components/analytics/money-parts.tsx";
import { DIMENSION_LABELS, sourceText } from "#app/components/analytics/source-labels.ts";
import { countedLinks } from "#app/domain/analytics/links/queries.server.ts";
import {
  audience,
  peopleOverall,
  visitSources,
} from "#app/domain/analytics/people/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import { CSV_BOM, csvLine, moneyCell, textCell } from "#app/domain/csv.ts";
import { cancellationReasons } from "#app/domain/subscriptions/schema.ts";
import { isoDay, isoOfDayNumber } from "#app/domain/time.ts";
import { csvFile, fileErrorResponse } from "#app/http/files/csv-file.ts";
import { broadcastRows, eventRows } from "./event-rows.server.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import { daysOf, divisionRows, revenueRows } from "./money-rows.server.ts";
import type { Numbers, Rows } from "./money-rows.server.ts";
import { onePostRows, postRows, retentionRows } from "./post-rows.server.ts";
import type { Route } from "./+types/tables-csv.ts";

type NumbersTable = {
  money: boolean;
  rows(asked: Numbers, search: URLSearchParams): Promise<Rows>;
};

/** Each table of the pages, by the name of its file. `money` is for who may see amounts. */
const TABLES: Record<string, NumbersTable> = {
  receita: { money: true, rows: revenueRows },
  ...Object.fromEntries(
    moneyDivisions.map((division) => [
      division.id,
      { money: true, rows: (asked: Numbers) => divisionRows(asked, division) },
    ]),
  ),
  visitas: { money: false, rows: visitRows },
  pessoas: { money: false, rows: peopleRows },
  origens: { money: false, rows: sourceRows },
  divulgacao: { money: false, rows: linkRows },
  permanencia: { money: false, rows: cohortRows },
  motivos: { money: false, rows: reasonRows },
  apoio: { money: true, rows: supporterRows },
  publicacao: { money: false, rows: onePostRows },
  retencao: { money: false, rows: retentionRows },
  publicacoes: { money: false, rows: postRows },
  eventos: { money: false, rows: eventRows },
  mensagens: { money: false, rows: broadcastRows },
};

/** One table of the numbers as a spreadsheet, a row a day where the page sums days. */
export async function loader({ context, request, params }: Route.LoaderArgs) {
  const name = params.file.replace(/\.csv$/, "");
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
  const asked =
    table && (await loadNumbers({ context, request }, table.money ? "money:see" : "space:see"));
  if (!table || !asked) return new Response("Esta planilha não existe.", { status: 404 });
  const { errors } = asked.parsed;
  if (errors.from || errors.until) return fileErrorResponse(400, errors.from ?? errors.until ?? "");
  const rows = await table.rows(asked, new URL(request.url).searchParams);
  return csvFile(`coreto-${name}-${isoDay(asked.ctx.now())}.csv`, linesOf(rows));
}

async function* linesOf(rows: Rows): AsyncGenerator<string> {
  yield CSV_BOM + rows.map(csvLine).join("");
}

async function visitRows({ ctx, creatorId, parsed: { range } }: Numbers): Promise<Rows> {
  const people = await audience(ctx, { creatorId, range });
  const days = Map.groupBy(people.days, ({ day }) => day);
  return [
    ["Dia", "Visitantes", "Visualizações", "Reproduções"],
    ...[...daysOf(range)].map((day) => {
      const { visitors, views, plays } = audienceWithin(days.get(day) ?? [], {
        from: day,
        until: day,
      });
      return [isoOfDayNumber(day), ...[visitors, views, plays].map(String)];
    }),
  ];
}

async function peopleRows({ ctx, creatorId, parsed: { range } }: Numbers): Promise<Rows> {
  const people = await audience(ctx, { creatorId, range });
  const days = Map.groupBy(people.days, ({ day }) => day);
  return [
    ["Dia", "Visitantes", "Novos seguidores", "Períodos grátis", "Novas assinaturas", "Saídas"],
    ...[...daysOf(range)].map((day) => {
      const sums = audienceWithin(days.get(day) ?? [], { from: day, until: day });
      const { visitors, follows, trials, starts, ends } = sums;
      return [isoOfDayNumber(day), ...[visitors, follows, trials, starts, ends].map(String)];
    }),
  ];
}

async function sourceRows({ ctx, creatorId, parsed: { range } }: Numbers): Promise<Rows> {
  const sources = await visitSources(ctx, { creatorId, range });
  return [
    ["Tipo", "Valor", "Visitantes", "Visualizações"],
    ...sources.map(({ dimension, value, visitors, views }) => [
      DIMENSION_LABELS[dimension].column,
      textCell(sourceText(dimension, value)),
      String(visitors),
      String(views),
    ]),
  ];
}

async function linkRows({ ctx, creatorId, money, parsed: { range } }: Numbers): Promise<Rows> {
  const links = await countedLinks(ctx, { creatorId, range });
  return [
    [
      "Link",
      "Fim do endereço",
      "Visitantes",
      "Visualizações",
      "Seguidores",
      "Assinaturas",
      "Vendas avulsas",
      ...(money ? ["Líquido"] : []),
    ],
    ...links.map((link) => [
      textCell(link.name),
      textCell(link.slug),
      ...[link.visitors, link.views, link.follows, link.starts, link.sales].map(String),
      ...(money ? [moneyCell(link.netCents)] : []),
    ]),
  ];
}

async function cohortRows({ ctx, creatorId }: Numbers): Promise<Rows> {
  const { cohorts } = await peopleOverall(ctx, { creatorId });
  return [
    ["Chegaram em", "Pessoas", "Continuam no fim do mês e dos seguintes"],
    ...cohorts.map(({ month, size, retained }) => [
      textCell(cohortText(month)),
      String(size),
      ...retained.map(String),
    ]),
  ];
}

async function reasonRows({ ctx, creatorId }: Numbers): Promise<Rows> {
  const { reasons } = await peopleOverall(ctx, { creatorId });
  return [
    ["Motivo", "Cancelamentos"],
    ...reasons.map(({ reason, count }) => [
      reason === null ? "Não disseram" : textCell(cancellationReasons[reason]),
      String(count),
    ]),
  ];
}

async function supporterRows({ ctx, creatorId }: Numbers): Promise<Rows> {
  const { supporters } = await peopleOverall(ctx, { creatorId });
  return [
    ["Pessoa", "Nome de usuário", "Cobranças", "Pagou"],
    ...supporters.map(({ name, username, chargesCount, paidCents }) => [
      textCell(name),
      textCell(username),
      String(chargesCount),
      moneyCell(paidCents),
    ]),
  ];
}
