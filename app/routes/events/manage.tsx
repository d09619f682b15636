import { EventLine } from "#app/components/events/event-line.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { eventsOfCreator } from "#app/domain/events/queries/lists.server.ts";
import { isChangeable } from "#app/domain/events/rules.ts";
import { counted } from "#app/domain/text.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/manage.ts";

export const meta: Route.MetaFunction = () => [{ title: "Os meus eventos · Coreto" }];

const MOST = 200;

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "events:manage");
  const ctx = context.get(domainContext);
  return {
    now: ctx.now(),
    events: await eventsOfCreator(ctx, { creatorId: space.personId, limit: MOST }),
  };
}

export default function ManageEvents({ loaderData: { events, now } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Os meus eventos" lead="Rascunhos, publicados e cancelados.">
        <ButtonLink to="/events/create" size="sm">
          Criar evento
        </ButtonLink>
      </PageHeader>
      {events.length === 0 ? (
        <EmptyState
          title="Nenhum evento ainda"
          action={<ButtonLink to="/events/create">Criar evento</ButtonLink>}
        >
          Marque uma live, uma aula ou um encontro, com vagas e fila de espera.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {events.map((event) => (
            <EventLine key={event.id} event={event} now={now}>
              <p className="text-small text-muted">
                {counted(event.seatsTaken, "vaga ocupada", "vagas ocupadas")}
                {event.capacity === null ? "" : ` de ${event.capacity}`}
                {event.waitingCount > 0
                  ? ` · ${counted(event.waitingCount, "pessoa na fila", "pessoas na fila")}`
                  : ""}
              </p>
              <div className="flex flex-wrap gap-2">
                {isChangeable(event, now) ? (
                  <ButtonLink to={`/events/${event.id}/edit`} variant="outline" size="sm">
                    Editar
                  </ButtonLink>
                ) : null}
                <ButtonLink to={`/events/${event.id}/people`} variant="outline" size="sm">
                  Quem vai
                </ButtonLink>
              </div>
            </EventLine>
          ))}
        </ul>
      )}
    </>
  );
}
