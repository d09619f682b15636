import { ChartSection } from "./chart-section.tsx";
import { countOr, countText, percentText } from "./format.ts";
import { itemSalesPath } from "./sales-path.ts";
import { MoneyTd, RowLink, RowNote, Td } from "#app/components/ui/table.tsx";
import type { BroadcastNumbers } from "#app/domain/analytics/broadcasts/schema.ts";
import type { EventNumbers } from "#app/domain/analytics/events/schema.ts";
import { eventMomentText } from "#app/domain/events/times/rules.ts";
import { counted } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";

/** The events of a range: seats, presence and money, each of the whole event. */
export function Events({
  events,
  mayMoney,
  query,
}: {
  events: readonly EventNumbers[];
  mayMoney: boolean;
  query: string;
}) {
  const isEmpty = events.length === 0;
  return (
    <ChartSection
      id="eventos"
      title="Eventos"
      csv={`/analytics/files/eventos.csv${query}`}
      isEmpty={isEmpty}
      note={
        isEmpty
          ? "Nenhum evento começou nem vendeu ingressos nestes dias."
          : "Eventos que começaram ou venderam ingressos nestes dias. Vagas, presença e dinheiro são do evento todo. Presença é quantas das vagas pegas entraram, pela lista da porta. Vendido é a soma dos ingressos pagos; líquido, o que ficou depois da taxa, dos reembolsos e das contestações."
      }
      columns={[
        { title: "Evento" },
        { title: "Vagas pegas", numeric: true },
        { title: "Presença", numeric: true },
        ...(mayMoney
          ? [
              { title: "Vendido", numeric: true },
              { title: "Líquido", numeric: true },
            ]
          : []),
      ]}
    >
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <Td className="min-w-44 wrap-anywhere">
              <RowLink to={`/events/${event.id}`}>{event.title}</RowLink>
              <RowNote>
                {eventMomentText(event.startsAt, event.timeZone)}
                {event.isCanceled ? " · cancelado" : ""}
              </RowNote>
            </Td>
            <Td numeric>
              {event.capacity === null
                ? countText(event.seatsTaken)
                : `${countText(event.seatsTaken)} de ${countText(event.capacity)}`}
            </Td>
            <Td numeric>{presenceText(event)}</Td>
            {mayMoney ? (
              <>
                <MoneyTd to={itemSalesPath(event.id)} cents={event.grossCents} />
                <MoneyTd to={itemSalesPath(event.id)} cents={event.netCents} tone="in" />
              </>
            ) : null}
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

function presenceText({ checkedInCount, seatsTaken }: EventNumbers): string {
  if (checkedInCount === null) return "–";
  return seatsTaken === 0
    ? countText(checkedInCount)
    : `${countText(checkedInCount)} (${percentText(checkedInCount / seatsTaken)})`;
}

/** The messages to many people of a range. */
export function Broadcasts({
  broadcasts,
  query,
}: {
  broadcasts: readonly BroadcastNumbers[];
  query: string;
}) {
  const isEmpty = broadcasts.length === 0;
  return (
    <ChartSection
      id="mensagens"
      title="Mensagens para muitos"
      csv={`/analytics/files/mensagens.csv${query}`}
      isEmpty={isEmpty}
      note={
        isEmpty
          ? "Você não mandou mensagem para muitos nestes dias."
          : "Mensagens que saíram nestes dias. Abriram e responderam são as pessoas que leram e escreveram depois dela; quem não mostra que leu não conta como aberta. Compraram são as que pagaram algo seu até 7 dias depois, fora renovações. Contado uma vez por dia, nos 30 dias depois do envio."
      }
      columns={[
        { title: "Mensagem" },
        { title: "Enviadas", numeric: true },
        { title: "Abriram", numeric: true },
        { title: "Responderam", numeric: true },
        { title: "Compraram", numeric: true },
      ]}
    >
      <tbody>
        {broadcasts.map((broadcast) => (
          <tr key={broadcast.id}>
            <Td className="min-w-44 wrap-anywhere">
              <RowLink to={`/messages/broadcasts/${broadcast.id}`}>
                {startOf(broadcast.text)}
              </RowLink>
              <RowNote>
                {formatMinute(broadcast.startedAt)} ·{" "}
                {counted(broadcast.recipientCount, "pessoa", "pessoas")}
              </RowNote>
            </Td>
            <Td numeric>{countText(broadcast.sentCount)}</Td>
            <Td numeric>{countOr(broadcast.openedCount)}</Td>
            <Td numeric>{countOr(broadcast.answeredCount)}</Td>
            <Td numeric>{countOr(broadcast.buyersCount)}</Td>
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

const LONGEST_START = 60;

/** The beginning of a message, which names it in a list. */
function startOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= LONGEST_START
    ? line
    : `${line.slice(0, LONGEST_START).replace(/[\s.,;:!?]+$/, "")}…`;
}
