import { Link } from "react-router";
import { AnswerList } from "#app/components/events/questions/answer-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { attendees } from "#app/domain/events/attendees/queries.server.ts";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import { decodeCursor } from "#app/domain/page.ts";
import { counted } from "#app/domain/text.ts";
import { formatShortMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/people.ts";

export const meta: Route.MetaFunction = () => [{ title: "Quem vai · Coreto" }];

const PAGE = 100;

export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const cursor = decodeCursor(new URL(args.request.url).searchParams.get("cursor"));
  const page = await attendees(args.context.get(domainContext), {
    eventId: event.id,
    creatorId: actor.space.personId,
    cursor,
    limit: PAGE,
  });
  const { title, seatsTaken, capacity, waitingCount, status } = event;
  return { title, seatsTaken, capacity, waitingCount, status, page };
}

export default function EventPeople({ loaderData, params }: Route.ComponentProps) {
  const { title, seatsTaken, capacity, waitingCount, status, page } = loaderData;
  const path = `/events/${params.id}`;
  return (
    <>
      <Header title={title} path={path} seatsTaken={seatsTaken} status={status} />
      <p className="pb-3">
        {counted(seatsTaken, "vaga ocupada", "vagas ocupadas")}
        {capacity === null ? "" : ` de ${capacity}`}
        {waitingCount > 0
          ? `, e ${counted(waitingCount, "pessoa na fila", "pessoas na fila")}`
          : ""}
        .
      </p>
      {page.items.length === 0 ? (
        <EmptyState title="Ninguém pegou vaga ainda">
          Compartilhe o evento: quem pegar uma vaga aparece aqui.
        </EmptyState>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {page.items.map((one) => (
              <li
                key={one.seatId}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3"
              >
                <Link
                  to={`/space/${one.username}`}
                  className="inline-flex min-h-11 min-w-40 flex-1 items-center font-semibold hover:underline"
                >
                  {one.name}
                </Link>
                {one.name === one.personName ? null : (
                  <span className="text-small text-muted">na conta de {one.personName}</span>
                )}
                {one.kindName === null ? null : (
                  <span className="text-small text-muted">{one.kindName}</span>
                )}
                <span className="font-mono text-small text-muted">{shownTicketCode(one.code)}</span>
                {one.checkedInAt === null ? (
                  <span className="text-small text-muted">
                    desde {formatShortMinute(one.takenAt)}
                  </span>
                ) : (
                  <Badge tone="good">Entrou em {formatShortMinute(one.checkedInAt)}</Badge>
                )}
                <AnswerList answers={one.answers} className="basis-full pb-2" />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {page.next ? (
        <ButtonLink to={`?cursor=${page.next}`} variant="outline" className="mt-4">
          Carregar mais
        </ButtonLink>
      ) : null}
    </>
  );
}

function Header({
  title,
  path,
  seatsTaken,
  status,
}: { path: string } & Pick<Route.ComponentProps["loaderData"], "title" | "seatsTaken" | "status">) {
  return (
    <PageHeader title="Quem vai" lead={title}>
      <ButtonLink to={path} variant="outline" size="sm">
        Ver o evento
      </ButtonLink>
      {status === "published" ? (
        <ButtonLink to={`${path}/door`} variant="outline" size="sm">
          Portaria
        </ButtonLink>
      ) : null}
      {seatsTaken > 0 && status === "published" ? (
        <ButtonLink to={`${path}/message`} variant="outline" size="sm">
          Mandar recado
        </ButtonLink>
      ) : null}
      {seatsTaken > 0 ? (
        <ButtonLink to={`${path}/people.csv`} reloadDocument variant="outline" size="sm">
          Baixar planilha
        </ButtonLink>
      ) : null}
    </PageHeader>
  );
}
