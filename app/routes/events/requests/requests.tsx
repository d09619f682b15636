import { Form, Link } from "react-router";
import { AnswerList } from "#app/components/events/questions/answer-list.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requestsOf } from "#app/domain/events/requests/queries.server.ts";
import type { ListedRequest } from "#app/domain/events/requests/schema.ts";
import { decodeCursor } from "#app/domain/page.ts";
import { counted } from "#app/domain/text.ts";
import { formatShortMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/requests.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pedidos de vaga · Coreto" }];

const PAGE = 50;

export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const ctx = args.context.get(domainContext);
  const cursor = decodeCursor(new URL(args.request.url).searchParams.get("cursor"));
  const own = { eventId: event.id, creatorId: actor.space.personId, limit: PAGE };
  const [page, refused] = await Promise.all([
    requestsOf(ctx, { ...own, status: "waiting", cursor }),
    requestsOf(ctx, { ...own, status: "refused", cursor: null }),
  ]);
  const { title, status, startsAt, capacity, waitingCount } = event;
  const { seatsTaken, seatsHeld, seatsOffered } = event;
  return {
    title,
    isOpen: status === "published" && startsAt > ctx.now(),
    free: capacity === null ? null : Math.max(0, capacity - seatsTaken - seatsHeld - seatsOffered),
    waitingCount,
    page,
    refused: refused.items,
  };
}

export default function Requests({ loaderData, params }: Route.ComponentProps) {
  const { title, isOpen, free, waitingCount, page, refused } = loaderData;
  const path = `/events/${params.id}`;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Pedidos de vaga" lead={title}>
        <ButtonLink to={path} variant="outline" size="sm">
          Ver o evento
        </ButtonLink>
      </PageHeader>
      <p>
        {isOpen
          ? `${free === null ? "O evento não tem limite de vagas." : `${counted(free, "vaga livre", "vagas livres")} agora.`} Um pedido não guarda vaga: aprovar dá a vaga, e num ingresso pago guarda por 12 horas, ou até o começo, para a pessoa comprar.`
          : "Os pedidos terminaram: o evento começou, acabou ou foi cancelado."}
      </p>
      {isOpen && waitingCount > 0 ? (
        <p>
          {counted(waitingCount, "pessoa está na fila", "pessoas estão na fila")} de antes de você
          aprovar pedidos. Quem está na fila mantém o lugar: as vagas que abrirem são oferecidas a
          ela. Aprovar um pedido passa à frente da fila.
        </p>
      ) : null}
      {page.items.length === 0 ? (
        <EmptyState title="Nenhum pedido espera resposta">
          Quando alguém pedir uma vaga, o pedido aparece aqui.
        </EmptyState>
      ) : (
        <RequestList requests={page.items} path={path} isOpen={isOpen} canRefuse />
      )}
      {page.next ? (
        <ButtonLink to={`?cursor=${page.next}`} variant="outline" className="self-start">
          Carregar mais
        </ButtonLink>
      ) : null}
      {refused.length > 0 ? (
        <>
          <h2 className="text-heading">Recusados</h2>
          <RequestList requests={refused} path={path} isOpen={isOpen} canRefuse={false} />
        </>
      ) : null}
    </div>
  );
}

function RequestList({
  requests,
  path,
  isOpen,
  canRefuse,
}: {
  requests: ListedRequest[];
  path: string;
  isOpen: boolean;
  canRefuse: boolean;
}) {
  return (
    <ul className="flex flex-col gap-3">
      {requests.map((one) => (
        <Card as="li" key={one.personId} className="flex flex-col gap-3 p-5">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Link
              to={`/space/${one.username}`}
              className="inline-flex min-h-11 min-w-0 flex-1 items-center font-semibold wrap-anywhere hover:underline"
            >
              {one.name}
            </Link>
            <span className="text-small text-muted">
              {counted(one.quantity, "vaga", "vagas")}
              {one.kindName === null ? "" : `, ${one.kindName}`}, em{" "}
              {formatShortMinute(one.requestedAt)}
            </span>
          </div>
          <AnswerList answers={one.answers} />
          {isOpen ? (
            <RequestActions request={one} path={`${path}/requests`} canRefuse={canRefuse} />
          ) : null}
        </Card>
      ))}
    </ul>
  );
}

function RequestActions({
  request: { personId, name },
  path,
  canRefuse,
}: {
  request: ListedRequest;
  path: string;
  canRefuse: boolean;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <Form method="post" action={`${path}/${personId}/approval`}>
        <ActingField />
        <Button size="sm" aria-label={`Aprovar o pedido de ${name}`}>
          Aprovar
        </Button>
      </Form>
      <ButtonLink
        to={`${path}/${personId}/approval`}
        variant="ghost"
        size="sm"
        aria-label={`Aprovar com recado o pedido de ${name}`}
      >
        Aprovar com recado
      </ButtonLink>
      {canRefuse ? (
        <ButtonLink
          to={`${path}/${personId}/refusal`}
          variant="outline"
          size="sm"
          aria-label={`Recusar o pedido de ${name}`}
        >
          Recusar
        </ButtonLink>
      ) : null}
    </div>
  );
}
