import { FoundList, MessageSearch } from "#app/components/messages/message-search.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { foundMessages, searchStatement } from "#app/domain/messages/queries/search.server.ts";
import { formatAgo } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import type { Route } from "./+types/conversation-search.ts";

export const meta: Route.MetaFunction = () => [{ title: "Procurar na conversa · Coreto" }];

const QUERY_MAX = 100;
/** The newest messages that a search shows. */
const FOUND_MAX = 50;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { isOwn, space } = requireActor({ context }, "messages:read");
  const { personId } = space;
  const asked = { conversationId: params.id, personId };
  const { head } = foundOr404(
    await conversationWith(ctx, { ...asked, limit: 0 }),
    "Não encontramos esta conversa.",
  );
  const query = (url.searchParams.get("q") ?? "").slice(0, QUERY_MAX);
  await throwRefusals(() => enforceSearchLimit(context, { memberId: personId, query }));
  const rows = await searchStatement(ctx, { ...asked, query, limit: FOUND_MAX });
  const ownName = isOwn ? "Você" : space.name;
  return {
    name: head.other.name,
    query,
    found: foundMessages(rows, personId).map((message) => ({
      path: `/messages/${head.id}?before=${message.seq + 1}#m-${message.seq}`,
      name: message.isOwn ? ownName : message.otherName,
      avatarUrl:
        message.isOwn || message.otherAvatarMediaId === null
          ? null
          : mediaUrl(message.otherAvatarMediaId, "320"),
      text: message.text,
      ago: formatAgo(message.createdAt, ctx.now()),
    })),
  };
}

export default function ConversationSearch({ loaderData, params }: Route.ComponentProps) {
  const { name, query, found } = loaderData;
  const here = `/messages/${params.id}/search`;
  return (
    <>
      <PageHeader title={`Procurar na conversa com ${name}`}>
        <ButtonLink to={`/messages/${params.id}`} size="sm" variant="outline">
          Voltar à conversa
        </ButtonLink>
      </PageHeader>
      <MessageSearch query={query} action={here} />
      {query.trim() === "" ? null : <FoundList found={found} clearedAt={here} />}
    </>
  );
}
