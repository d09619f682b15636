import { Link } from "react-router";
import { BroadcastStateBadge } from "#app/components/broadcasts/broadcast-summary.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { broadcastsOf } from "#app/domain/broadcasts/queries.server.ts";
import { peopleText, SEGMENT_LABELS } from "#app/domain/broadcasts/rules.ts";
import type { Broadcast } from "#app/domain/broadcasts/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/broadcasts.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagem para muitos · Coreto" }];

const PAGE = 20;

export async function loader({ context, url }: Route.LoaderArgs) {
  const creatorId = requireWriter({ context }, "messages:write").space.personId;
  const { items, next } = await broadcastsOf(context.get(domainContext), {
    creatorId,
    cursor: url.searchParams.get("cursor"),
    limit: PAGE,
  });
  return {
    next,
    broadcasts: items.map((one) => ({
      id: one.id,
      state: one.state,
      text: one.text,
      note: noteOf(one),
    })),
  };
}

function noteOf({ segment, state, sendAt, createdAt, deliveredCount }: Broadcast): string {
  const people = SEGMENT_LABELS[segment].label;
  if (state === "draft") return `${people} · escrita em ${formatMinute(createdAt)}`;
  if (state === "scheduled") return `${people} · sai em ${formatMinute(sendAt ?? createdAt)}`;
  return `${people} · ${formatMinute(sendAt ?? createdAt)} · ${peopleText(deliveredCount)}`;
}

export default function Broadcasts({ loaderData: { broadcasts, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Mensagem para muitos"
        lead="Escrita uma vez, chega na conversa de cada pessoa. Uma por dia."
      >
        <ButtonLink to="/messages" size="sm" variant="outline">
          Conversas
        </ButtonLink>
        <ButtonLink to="/messages/broadcasts/new" size="sm">
          Nova mensagem
        </ButtonLink>
      </PageHeader>
      {broadcasts.length === 0 ? (
        <EmptyState
          title="Nenhuma mensagem ainda"
          action={<ButtonLink to="/messages/broadcasts/new">Escrever</ButtonLink>}
        >
          Para avisar de um show, agradecer a quem chegou ou chamar quem está com o pagamento
          atrasado. Quem responde, responde só para você.
        </EmptyState>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {broadcasts.map(({ id, state, text, note }) => (
              <li key={id}>
                <Link
                  to={`/messages/broadcasts/${id}`}
                  className="flex flex-col gap-1 px-4 py-3 hover:bg-sand/60"
                >
                  <span className="flex items-center justify-between gap-3">
                    <span className="min-w-0 truncate font-semibold">{text}</span>
                    <BroadcastStateBadge state={state} />
                  </span>
                  <span className="text-small text-muted">{note}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreLink next={next} />
    </>
  );
}
