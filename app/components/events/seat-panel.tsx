import { AnswerFields } from "./answer-fields.tsx";
import { EventLink } from "./event-link.tsx";
import { kindSaleText } from "./ticket-kind-text.ts";
import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { useMarkedPath } from "#app/components/shell/use-marked-path.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { SelectField, TextArea } from "#app/components/ui/field.tsx";
import {
  livingOffer,
  mostSeats,
  remainingSeats,
  seatProblem,
  waitingProblem,
} from "#app/domain/events/rules.ts";
import { requestProblem } from "#app/domain/events/requests/rules.ts";
import { kindProblem, remainingOfKind } from "#app/domain/events/rules/tickets.ts";
import type { KindProblem, TicketKind } from "#app/domain/events/rules/tickets.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";
import { formatShortMinute } from "#app/domain/time.ts";

type PanelProps = { event: EventView; now: number };
/** What was typed and refused, so that nothing is lost. */
type Typed = { values: Record<string, string>; errors: Record<string, string> };

/** What a person can do about a seat now: take one, wait for one, or give theirs back. */
export function SeatPanel({ event, now }: PanelProps) {
  return (
    <Card as="section" label="Sua vaga" className="flex flex-col gap-4 p-5">
      <SeatState event={event} now={now} />
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

/** What a person can do where the creator approves each request. */
function RequestState({ event, now }: PanelProps) {
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

function WaitingRequest({ event: { id, request, creatorName } }: { event: EventView }) {
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

function Offer({ event, now }: PanelProps) {
  const quantity = livingOffer(event, now);
  return (
    <>
      <p className="font-semibold">
        Chegou a sua vez: {counted(quantity, "vaga espera", "vagas esperam")} por você até{" "}
        {event.offer ? formatShortMinute(event.offer.endsAt) : ""}, pelo horário de Brasília.
      </p>
      <SeatForm
        event={event}
        to="seat"
        label={seatLabel(event)}
        most={mostSeats(event, now)}
        chosen={quantity}
        now={now}
      >
        <ButtonLink to={`/events/${event.id}/waiting/exit`} variant="outline">
          Não vou
        </ButtonLink>
      </SeatForm>
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
      <SeatForm
        event={event}
        to="seat"
        label={seatLabel(event)}
        most={mostSeats(event, now)}
        now={now}
        typed={typed}
      />
    </>
  );
}

/** Paid tickets go on to their checkout; free ones are taken at once. */
const seatLabel = ({ ticketKinds }: EventView): string =>
  ticketKinds.some(({ priceCents }) => priceCents > 0) ? "Continuar" : "Vou";

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

function KindChoices({ event, now, chosenId }: PanelProps & { chosenId: string | undefined }) {
  // An approved request is for its own kind.
  const approved = livingOffer(event, now) > 0 ? (event.request?.kindId ?? null) : null;
  const offered = event.ticketKinds.filter(
    ({ id }) => !event.needsApproval || approved === null || approved === id,
  );
  const kinds = offered.map((kind) => ({ kind, problem: kindProblem(kind, 1, now) }));
  const first = kinds.find(({ problem }) => problem === null)?.kind.id;
  return (
    <Choices
      className="basis-full"
      legend="Ingresso"
      name="kindId"
      defaultValue={chosenId ?? first ?? ""}
      options={kinds.map(({ kind, problem }) => ({
        value: kind.id,
        label: `${kind.name}: ${kind.priceCents === 0 ? "grátis" : formatMoney(kind.priceCents)}`,
        hint: kindHint(event, kind, problem, now),
        disabled: problem !== null,
      }))}
    />
  );
}

function kindHint(
  { timeZone }: EventView,
  kind: TicketKind,
  problem: KindProblem | null,
  now: number,
): string | undefined {
  if (problem === "kind_few") return "Esgotado.";
  const remaining = remainingOfKind(kind);
  const left =
    problem !== null || remaining === null
      ? ""
      : `${counted(remaining, "ingresso", "ingressos")}. `;
  const isTimed = kind.saleStartsAt !== null || kind.saleEndsAt !== null;
  return `${left}${isTimed ? kindSaleText(kind, timeZone, now) : ""}`.trim() || undefined;
}

function SeatForm({
  event,
  to,
  label,
  most,
  chosen = 1,
  now = null,
  typed,
  children,
}: {
  event: EventView;
  to: "seat" | "waiting" | "request";
  label: string;
  most: number;
  chosen?: number;
  /** When the kinds of tickets are shown, to be chosen from; null for the waiting list. */
  now?: number | null;
  typed?: Typed | undefined;
  children?: ReactNode;
}) {
  const isBusy = useNavigation().state !== "idle";
  const marked = useMarkedPath();
  return (
    <Form
      method="post"
      action={marked(`/events/${event.id}/${to}`)}
      className="flex flex-wrap items-end gap-x-3 gap-y-5"
      noValidate
    >
      {now === null || event.ticketKinds.length === 0 ? null : (
        <KindChoices event={event} now={now} chosenId={typed?.values["kindId"]} />
      )}
      {most > 1 ? (
        <SelectField
          label="Quantas"
          name="quantity"
          defaultValue={typed?.values["quantity"] ?? String(Math.min(chosen, most))}
          options={Array.from({ length: most }, (_, index) => ({
            value: String(index + 1),
            label: String(index + 1),
          }))}
          className="w-28"
        />
      ) : (
        <input type="hidden" name="quantity" value="1" />
      )}
      {now !== null && most > 1 ? (
        <TextArea
          label="Nomes nos ingressos"
          name="names"
          rows={2}
          className="basis-full"
          defaultValue={typed?.values["names"]}
          error={typed?.errors["names"]}
          required={false}
          hint="Um por linha. Em branco, o seu nome. Dá para mudar depois, no ingresso."
        />
      ) : null}
      {now === null ? null : <AnswerFields questions={event.questions} typed={typed} />}
      <Button size="lg" disabled={isBusy}>
        {label}
      </Button>
      {children}
    </Form>
  );
}
