import { QrCode } from "#app/components/ui/qr-code.tsx";
import { AddToCalendar } from "#app/components/events/calendar/add-to-calendar.tsx";
import { AnswerList } from "#app/components/events/questions/answer-list.tsx";
import { EventLink } from "#app/components/events/event-link.tsx";
import { EventPlace } from "#app/components/events/event-line.tsx";
import { EventTimes } from "#app/components/events/event-times.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { paidOrders } from "#app/domain/events/tickets/queries/orders.server.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import { publicEventPath, shownTicketCode } from "#app/domain/events/rules.ts";
import { nounFor } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { calendarUrls, memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/ticket.ts";

export const meta: Route.MetaFunction = () => [{ title: "Ingresso · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const ctx = args.context.get(domainContext);
  const member = args.context.get(memberContext);
  const event = await memberEvent(args);
  const tickets = await ticketsOf(ctx, { eventId: event.id, personId: member.id });
  const orders = tickets.some(({ orderId }) => orderId !== null)
    ? await paidOrders(ctx, { eventId: event.id, personId: member.id })
    : [];
  const pageUrl = ctx.settings.appOrigin + publicEventPath(event.creatorUsername, event.id);
  return {
    event,
    now: ctx.now(),
    tickets: tickets.map(({ seatId, code, kindName, holderName, transfer, checkedInAt }) => ({
      seatId,
      kindName,
      name: holderName ?? member.name,
      passingTo: transfer?.to ?? null,
      code: shownTicketCode(code),
      qr: qrDrawing(code),
      isUsed: checkedInAt !== null,
    })),
    // Each order was asked once, for all its tickets.
    answers: [
      ...new Map(tickets.map((one) => [JSON.stringify(one.answers), one.answers])).values(),
    ].filter((given) => given.length > 0),
    refundTexts: [...new Set(orders.map(({ refundHours }) => refundRuleText(refundHours)))],
    calendar: calendarUrls(event, { fileUrl: `/events/${event.id}/agenda.ics`, pageUrl }),
  };
}

export default function Ticket({ loaderData }: Route.ComponentProps) {
  const { event, tickets, now, calendar, refundTexts, answers } = loaderData;
  const back = `/events/${event.id}`;
  if (tickets.length === 0)
    return (
      <EmptyState
        title="Você não tem vaga neste evento"
        action={<ButtonLink to={back}>Ver o evento</ButtonLink>}
      >
        O ingresso aparece aqui quando você pegar uma vaga.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={nounFor(tickets.length, "O seu ingresso", "Os seus ingressos")}
        lead={event.title}
      />
      {event.status === "canceled" ? (
        <p className="rounded-field bg-refusal-soft px-4 py-3 font-medium text-refusal">
          Este evento foi cancelado. O ingresso não vale mais.
        </p>
      ) : null}
      <ul className="grid gap-4 sm:grid-cols-2">
        {tickets.map((one) => (
          <TicketCard
            key={one.seatId}
            ticket={one}
            path={`${back}/tickets/${one.seatId}`}
            canPass={event.status === "published" && event.startsAt > now}
          />
        ))}
      </ul>
      <Card className="flex flex-col gap-2 p-5">
        <EventTimes startsAt={event.startsAt} endsAt={event.endsAt} timeZone={event.timeZone} />
        <EventPlace place={event.place} />
        <EventLink event={event} />
      </Card>
      {answers.length > 0 ? (
        <Card as="section" label="As suas respostas" className="flex flex-col gap-4 p-5">
          <h2 className="text-heading">As suas respostas</h2>
          {answers.map((given) => (
            <AnswerList key={JSON.stringify(given)} answers={given} />
          ))}
          <p className="text-small text-muted">Só você e quem organiza o evento leem.</p>
        </Card>
      ) : null}
      <RefundRules texts={refundTexts} />
      <div className="print:hidden">
        <AddToCalendar {...calendar} />
      </div>
      <div className="flex flex-wrap gap-2 print:hidden">
        <ButtonLink to={back} variant="outline">
          Ver o evento
        </ButtonLink>
        {event.status === "published" ? (
          <ButtonLink to={`${back}/ingresso.pdf`} reloadDocument variant="outline">
            Baixar PDF
          </ButtonLink>
        ) : null}
        {event.status === "published" ? (
          <ButtonLink to={`${back}/seat/cancellation`} variant="ghost">
            Cancelar minha vaga
          </ButtonLink>
        ) : null}
      </div>
    </div>
  );
}

/** The rule of each purchase, as it was on its day. */
function RefundRules({ texts }: { texts: string[] }) {
  return texts.map((text) => (
    <p key={text} className="text-small text-muted">
      A sua compra: {text}
    </p>
  ));
}

type TicketData = Route.ComponentProps["loaderData"]["tickets"][number];

function TicketCard({
  ticket: { code, name, kindName, qr, isUsed, passingTo },
  path,
  canPass,
}: {
  ticket: TicketData;
  path: string;
  canPass: boolean;
}) {
  return (
    <Card as="li" className="flex break-inside-avoid flex-col items-center gap-3 p-5 text-center">
      <QrCode drawing={qr} label={`QR code do ingresso ${code}`} />
      <p className="font-mono text-heading select-all">{code}</p>
      <p className="max-w-full wrap-anywhere">{name}</p>
      {kindName === null ? null : <p className="font-medium">{kindName}</p>}
      {isUsed ? <Badge>Já entrou</Badge> : null}
      {passingTo === null || !canPass ? null : (
        <p className="max-w-full text-small text-muted wrap-anywhere">
          Esperando {passingTo} aceitar.
        </p>
      )}
      {isUsed || !canPass ? null : (
        <div className="flex flex-wrap justify-center gap-2 print:hidden">
          <ButtonLink
            to={`${path}/name`}
            variant="outline"
            size="sm"
            aria-label={`Mudar o nome do ingresso ${code}`}
          >
            Mudar o nome
          </ButtonLink>
          <ButtonLink
            to={`${path}/transfer`}
            variant="outline"
            size="sm"
            aria-label={`Passar adiante o ingresso ${code}`}
          >
            {passingTo === null ? "Passar adiante" : "Desistir de passar"}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
