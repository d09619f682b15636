import { SeatForm } from "#app/components/events/seats/seat-form.tsx";
import type { PanelProps, Typed } from "#app/components/events/seats/seat-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { requestProblem } from "#app/domain/events/requests/rules.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import { counted } from "#app/domain/text.ts";

/** What a person can do where the creator approves each request. */
export function RequestState({ event, now }: PanelProps) {
  const { request, creatorName } = event;
  if (event.startsAt <= now)
    return <p className="font-medium">O evento já começou: não há mais pedidos de vaga.</p>;
  if (request?.status === "waiting") return <WaitingRequest event={event} />;
  if (request?.status === "refused")
    return (
      <>
        <p className="font-medium">O seu pedido de vaga não foi aprovado.</p>
        {request.reply === "" ? null : (
          <p className="wrap-anywhere whitespace-pre-line">
            {creatorName}: {request.reply}
          </p>
        )}
      </>
    );
  return requestProblem(event, 1, now) === null ? (
    <RequestForm event={event} now={now} />
  ) : (
    <p className="font-medium">Os ingressos não estão mais à venda.</p>
  );
}

/** A request that waits for its answer. */
export function WaitingRequest({ event: { id, request, creatorName } }: { event: EventView }) {
  return (
    <>
      <p className="font-medium">
        Você pediu {counted(request?.quantity ?? 1, "vaga", "vagas")}. {creatorName} responde, e
        avisamos você por aqui e por e-mail.
      </p>
      <ButtonLink to={`/events/${id}/request/withdrawal`} variant="outline" className="self-start">
        Retirar o pedido
      </ButtonLink>
    </>
  );
}

/** The form "Pedir vaga", with the rule of requests. */
export function RequestForm({ event, now, typed }: PanelProps & { typed?: Typed | undefined }) {
  const isPaid = event.ticketKinds.some(({ priceCents }) => priceCents > 0);
  return (
    <>
      <p>
        Aqui a vaga é pedida: {event.creatorName} responde a cada pedido até o começo, e avisamos
        você. O pedido não guarda vaga.
        {isPaid
          ? " Você só paga depois de aprovado: o ingresso espera 12 horas, ou até o começo."
          : ""}
      </p>
      <SeatForm
        event={event}
        to="request"
        label="Pedir vaga"
        most={event.maxPerPerson - event.ownSeats}
        now={now}
        typed={typed}
      />
    </>
  );
}
