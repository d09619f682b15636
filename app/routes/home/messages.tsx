import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { conversationsOf } from "#app/domain/messages/queries.server.ts";
import { formatAgo } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/messages.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagens · Coreto" }];

const MOST_CONVERSATIONS = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const actor = requireActor({ context }, "messages:read");
  const conversations = await conversationsOf(ctx, {
    personId: actor.space.personId,
    limit: MOST_CONVERSATIONS,
  });
  return {
    of: actor.isOwn ? null : actor.space.name,
    conversations: conversations.map((row) => ({
      id: row.otherId,
      name: row.otherName,
      username: row.otherUsername,
      avatarUrl: row.otherAvatarMediaId && mediaUrl(row.otherAvatarMediaId, "320"),
      text: row.isLastMine
        ? `${actor.isOwn ? "Você" : actor.space.name}: ${row.lastBody}`
        : row.lastBody,
      ago: formatAgo(row.lastAt, now),
    })),
  };
}

export default function Messages({ loaderData: { of, conversations } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Mensagens" lead={of ? `As conversas da página de ${of}.` : undefined} />
      {conversations.length === 0 ? (
        <EmptyState
          title="Nenhuma conversa ainda"
          action={of ? undefined : <ButtonLink to="/explore">Encontrar gente</ButtonLink>}
        >
          {of
            ? "Quando alguém assina um plano da página, a conversa começa aqui com as boas-vindas."
            : "Quando você assina um plano, a mensagem de boas-vindas de quem cria chega aqui."}
        </EmptyState>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {conversations.map((conversation) => (
              <li key={conversation.id}>
                <Link
                  to={`/space/${conversation.username}`}
                  className="flex items-start gap-3 px-5 py-4 hover:bg-sand/60"
                >
                  <Avatar name={conversation.name} src={conversation.avatarUrl} size="lg" />
                  <span className="flex min-w-0 flex-1 flex-col">
                    <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                      <span className="font-semibold">{conversation.name}</span>
                      <span className="text-small text-muted">{conversation.ago}</span>
                    </span>
                    <span className="whitespace-pre-line text-muted">{conversation.text}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
