import { broadcastNumbers } from "#app/domain/analytics/broadcasts/queries.server.ts";
import { eventNumbers } from "#app/domain/analytics/events/queries.server.ts";
import { minuteCell, moneyCell, textCell } from "#app/domain/csv.ts";
import type { Numbers, Rows } from "./money-rows.server.ts";

const orEmpty = (count: number | null): string => (count === null ? "" : String(count));

/** The events of the range, as the page shows them. */
export async function eventRows({ ctx, creatorId, money, parsed }: Numbers): Promise<Rows> {
  const events = await eventNumbers(ctx, { creatorId, range: parsed.range });
  return [
    [
      "Evento",
      "Começo",
      "Situação",
      "Vagas",
      "Vagas pegas",
      "Presença",
      ...(money ? ["Vendas", "Vendido", "Líquido"] : []),
    ],
    ...events.map((event) => [
      textCell(event.title),
      minuteCell(event.startsAt),
      event.isCanceled ? "Cancelado" : "Publicado",
      ...[event.capacity, event.seatsTaken, event.checkedInCount].map(orEmpty),
      ...(money
        ? [String(event.sales), moneyCell(event.grossCents), moneyCell(event.netCents)]
        : []),
    ]),
  ];
}

/** The messages to many people of the range, as the page shows them. */
export async function broadcastRows({ ctx, creatorId, parsed }: Numbers): Promise<Rows> {
  const broadcasts = await broadcastNumbers(ctx, { creatorId, range: parsed.range });
  return [
    ["Mensagem", "Saiu em", "Pessoas", "Enviadas", "Abriram", "Responderam", "Compraram"],
    ...broadcasts.map((one) => [
      textCell(one.text),
      minuteCell(one.startedAt),
      String(one.recipientCount),
      String(one.sentCount),
      ...[one.openedCount, one.answeredCount, one.buyersCount].map(orEmpty),
    ]),
  ];
}
