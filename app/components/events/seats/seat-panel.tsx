import type { ComponentProps } from "react";
import { EventLink } from "#app/components/events/event-link.tsx";
import { RequestState, WaitingRequest } from "#app/components/events/requests/request-panel.tsx";
import { SeatForm } from "./seat-form.tsx";
import type { PanelProps, Typed } from "./seat-form.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { useUpdateFocus } from "#app/components/ui/use-update-focus.ts";
import { requestProblem } from "#app/domain/events/requests/rules.ts";
import {
  livingOffer,
  mostSeats,
  remainingSeats,
  seatProblem,
  waitingProblem,
} from "#app/domain/events/rules.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import { counted } from "#app/domain/text.ts";
import { formatShortMinute } from "#app/domain/time.ts";

/** What a person can do about a seat now: take one, wait for one, or give theirs back. */
export function SeatPanel({ event, now }: PanelProps) {
  const { ownSeats, isWaiting, request, payment } = event;
  // The pressed button is gone after its answer: the new state takes the focus.
  const state = useUpdateFocus<HTMLDivElement>(
    [ownSeats, isWaiting, request?.status, payment?.chargeId, livingOffer(event, now)].join(" "),
  );
  return (
    <Card as="section" label="Sua vaga" className="p-5">
      <div ref={state} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        <SeatState event={event} now={now} />
      </div>
    </Card>
  );
}

function SeatState({ event, now }: PanelProps) {
  if (event.status === "canceled") return <p className="font-medium">Este evento foi cancelado.</p>;
  if (event.endsAt <= now) return <p className="font-medium">Este evento já terminou.</p>;
  if (event.payment)
    return (
      <>
        {event.ownSeats > 0 ? <OwnSeats event={event} now={now} /> : null}
        <RunningPayment payment={event.payment} />
      </>
    );
  const offered = livingOffer(event, now);
  const isListRunning = event.startsAt > now;
  if (event.ownSeats > 0)
    return (
      <>
        <OwnSeats event={event} now={now} />
        {offered > 0 ? <Offer event={event} now={now} /> : null}
        {event.isWaiting && offered === 0 && isListRunning ? <Waiting event={event} /> : null}
      </>
    );
  if (event.heldAt !== null)
    return <p className="font-medium">A moderação escondeu este evento: ninguém pega vaga.</p>;
  if (offered > 0) return <Offer event={event} now={now} />;
  if (!event.isOpen) return <Closed event={event} />;
  if (event.isWaiting && isListRunning) return <Waiting event={event} />;
  if (event.needsApproval) return <RequestState event={event} now={now} />;
  if (seatProblem(event, 1, now) === null) return <TakeForm event={event} now={now} />;
  if (event.isOffSale) return <p className="font-medium">Os ingressos não estão mais à venda.</p>;
  return waitingProblem(event, 1, now) === null ? (
    <JoinForm event={event} />
  ) : (
    <p className="font-medium">Não há mais vagas.</p>
  );
}

/** The payment that holds seats: it is paid or given up before anything else is chosen. */
function RunningPayment({ payment }: { payment: NonNullable<EventView["payment"]> }) {
  return (
    <>
      <p className="font-semibold">
        {counted(payment.quantity, "vaga guardada", "vagas guardadas")} para você
        {payment.endsAt === null
          ? " enquanto o pagamento termina."
          : ` até ${formatShortMinute(payment.endsAt)}, pelo horário de Brasília. Falta pagar.`}
      </p>
      <ButtonLink to={`/checkout/${payment.chargeId}`} className="self-start">
        Ver o pagamento
      </ButtonLink>
    </>
  );
}

function OwnSeats({ event, now }: PanelProps) {
  const isMore = seatProblem(event, 1, now) === null;
  const mayAsk = event.request?.status !== "waiting" && requestProblem(event, 1, now) === null;
  const marked = useMarkedPath();
  return (
    <>
      <p className="font-semibold">
        Você vai: {counted(event.ownSeats, "vaga", "vagas")} no seu nome.
      </p>
      <EventLink event={event} />
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={`/events/${event.id}/ticket`}>Ver ingresso</ButtonLink>
        <ButtonLink to={`/events/${event.id}/seat/cancellation`} variant="outline">
          Cancelar minha vaga
        </ButtonLink>
        {isMore ? (
          <ButtonLink to={marked(`/events/${event.id}/seat`)} variant="ghost">
            Mais uma vaga
          </ButtonLink>
        ) : null}
        {mayAsk ? (
          <ButtonLink to={`/events/${event.id}/request`} variant="ghost">
            Pedir mais uma vaga
          </ButtonLink>
        ) : null}
      </div>
      {event.request?.status === "waiting" ? <WaitingRequest event={event} /> : null}
    </>
  );
}

function Offer({ event, now }: PanelProps) {
  const quantity = livingOffer(event, now);
  return (
    <>
      <p className="font-semibold">
        Chegou a sua vez: {counted(quantity, "vaga espera", "vagas esperam")} por você até{" "}
        {event.offer ? formatShortMinute(event.offer.endsAt) : ""}, pelo horário de Brasília.
      </p>
      <TakeSeatForm event={event} now={now} chosen={quantity}>
        <ButtonLink to={`/events/${event.id}/waiting/exit`} variant="outline">
          Não vou
        </ButtonLink>
      </TakeSeatForm>
    </>
  );
}

function Closed({ event }: { event: EventView }) {
  const who =
    event.access === "followers"
      ? `quem segue ${event.creatorName}`
      : event.access === "plans"
        ? `quem assina alguns dos planos de ${event.creatorName}`
        : `quem assina um plano de ${event.creatorName}`;
  return (
    <>
      <p className="font-medium">Este evento é para {who}.</p>
      <ButtonLink to={`/space/${event.creatorUsername}`} className="self-start">
        {event.access === "followers" ? "Ver a página e seguir" : "Ver os planos"}
      </ButtonLink>
    </>
  );
}

function Waiting({ event }: { event: EventView }) {
  return (
    <>
      <p className="font-medium">
        Você está na fila. Quando abrir uma vaga para você, ela fica guardada por 12 horas ou até o
        começo, e avisamos por e-mail.
        {event.needsApproval
          ? ` ${event.creatorName} agora aprova cada pedido, mas quem já estava na fila mantém o lugar: você não precisa pedir.`
          : ""}
      </p>
      <ButtonLink to={`/events/${event.id}/waiting/exit`} variant="outline" className="self-start">
        Sair da fila
      </ButtonLink>
    </>
  );
}

/** The form "Vou". */
export function TakeForm({ event, now, typed }: PanelProps & { typed?: Typed | undefined }) {
  const offered = livingOffer(event, now);
  const remaining = remainingSeats(event);
  return (
    <>
      {remaining === null ? null : (
        <p>
          {offered > 0
            ? `${counted(offered, "vaga guardada", "vagas guardadas")} para você e `
            : ""}
          {counted(remaining, "vaga livre", "vagas livres")} de {event.capacity}.
        </p>
      )}
      <TakeSeatForm event={event} now={now} typed={typed} />
    </>
  );
}

/** The choice of seats. Paid tickets go on to their checkout; free ones are taken at once. */
function TakeSeatForm({
  event,
  now,
  ...choice
}: PanelProps & Pick<ComponentProps<typeof SeatForm>, "chosen" | "typed" | "children">) {
  const isPaid = event.ticketKinds.some(({ priceCents }) => priceCents > 0);
  return (
    <SeatForm
      event={event}
      to="seat"
      label={isPaid ? "Continuar" : "Vou"}
      most={mostSeats(event, now)}
      now={now}
      {...choice}
    />
  );
}

/** The form "Entrar na fila". */
export function JoinForm({ event }: { event: EventView }) {
  return (
    <>
      <p className="font-medium">
        As vagas acabaram. Na fila, quem entra primeiro é avisado primeiro, e tem 12 horas para
        confirmar.
      </p>
      <SeatForm
        event={event}
        to="waiting"
        label="Entrar na fila"
        most={event.maxPerPerson - event.ownSeats}
      />
    </>
  );
}
