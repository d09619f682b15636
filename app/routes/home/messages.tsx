import { useEffect } from "react";
import { Link, Outlet, useMatches, useRevalidator } from "react-router";
import { useConversationKeys } from "#app/components/messages/live/conversation-keys.ts";
import { ConversationList } from "#app/components/messages/conversation-list.tsx";
import type { ListedConversation } from "#app/components/messages/conversation-list.tsx";
import { FoundList, MessageSearch } from "#app/components/messages/message-search.tsx";
import { useInboxChanges } from "#app/components/messages/live/use-inbox-changes.ts";
import { useReloadForAnother } from "#app/components/messages/live/use-reload-for-another.ts";
import { useOutbox } from "#app/components/messages/outbox/use-outbox.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import {
  conversationsPage,
  conversationsStatement,
  requestCountStatement,
} from "#app/domain/messages/queries/conversations.server.ts";
import { foundMessages, searchStatement } from "#app/domain/messages/queries/search.server.ts";
import { inboxListenedUntil, inboxTopic } from "#app/domain/messages/rules.ts";
import { LIST_FILTERS } from "#app/domain/messages/schema.ts";
import type { ConversationItem, ListFilter } from "#app/domain/messages/schema.ts";
import { formatAgo } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import type { Route } from "./+types/messages.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mensagens · Coreto" }];

/** Two columns need the width. */
export const handle = { shell: "wide" };

const PAGE = 30;
const QUERY_MAX = 100;
/** The newest messages that a search shows. */
const FOUND_MAX = 30;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const actor = requireActor({ context }, "messages:read");
  const { isOwn, space } = actor;
  const { personId } = space;
  const filter = filterOf(url.searchParams.get("filter"));
  const query = (url.searchParams.get("q") ?? "").slice(0, QUERY_MAX).trim();
  await throwRefusals(() => enforceSearchLimit(context, { memberId: actor.member.id, query }));
  const [rows, [requests], found] = await ctx.db.batch([
    conversationsStatement(ctx, {
      personId,
      filter,
      cursor: url.searchParams.get("cursor"),
      limit: PAGE,
    }),
    requestCountStatement(ctx, { personId }),
    searchStatement(ctx, { personId, query, limit: FOUND_MAX }),
  ]);
  const page = conversationsPage(rows, PAGE);
  return {
    outbox: { account: actor.member.id, space: personId },
    of: isOwn ? null : space.name,
    choosesWriters: isOwn && space.isCreator,
    mayBroadcast: space.isCreator && actor.may("messages:write"),
    filter,
    requestCount: requests?.count ?? 0,
    listenAt: await ctx.live.address(inboxTopic(personId), inboxListenedUntil(ctx.realNow())),
    next: page.next,
    query,
    found: foundMessages(found, personId).map((message) => ({
      path: `/messages/${message.conversationId}?before=${message.seq + 1}#m-${message.seq}`,
      name: message.otherName,
      avatarUrl: message.otherAvatarMediaId && mediaUrl(message.otherAvatarMediaId, "320"),
      text: message.isOwn ? `${isOwn ? "Você" : space.name}: ${message.text}` : message.text,
      ago: formatAgo(message.createdAt, now),
    })),
    conversations: page.items.map((item) => listed(item, isOwn ? "Você" : space.name, now)),
  };
}

const filterOf = (asked: string | null): ListFilter =>
  LIST_FILTERS.find((filter) => filter === asked) ?? "inbox";

function listed(item: ConversationItem, ownName: string, now: number): ListedConversation {
  const text = item.lastText ?? "Mensagem apagada";
  return {
    id: item.id,
    name: item.other.name,
    avatarUrl: item.other.avatarMediaId && mediaUrl(item.other.avatarMediaId, "320"),
    text: item.isLastOwn ? `${ownName}: ${text}` : text,
    ago: formatAgo(item.lastAt, now),
    unreadCount: item.unreadCount,
    isUnread: item.isUnread,
    isPinned: item.isPinned,
    isMuted: item.isMuted,
  };
}

/** The list, and beside it the open conversation. On a phone either of them. */
export default function Messages({ loaderData }: Route.ComponentProps) {
  const changes = useInboxChanges(loaderData.listenAt);
  const { changeCount } = changes;
  const outbox = useOutbox(loaderData.outbox);
  const { revalidate } = useRevalidator();
  // A search is not repeated with every message that arrives.
  const isSearch = loaderData.query !== "";
  useEffect(() => {
    if (changeCount > 0 && navigator.onLine && !isSearch) void revalidate();
  }, [changeCount, revalidate, isSearch]);
  useReloadForAnother(loaderData.outbox.account);
  const open = useMatches().find(({ id }) => id === "routes/messages/conversation");
  useConversationKeys(open?.pathname ?? null);
  return (
    <div className="lg:grid lg:h-[calc(100dvh-3rem)] lg:grid-cols-[minmax(280px,360px)_minmax(0,1fr)] lg:gap-6">
      <div className={`min-w-0 lg:flex lg:flex-col lg:overflow-y-auto ${open ? "hidden" : ""}`}>
        <List {...loaderData} isOpen={open !== undefined} />
      </div>
      <Outlet context={{ ...changes, outbox }} />
    </div>
  );
}

const TABS: { filter: ListFilter; label: string }[] = [
  { filter: "inbox", label: "Todas" },
  { filter: "unread", label: "Não lidas" },
  { filter: "requests", label: "Pedidos" },
  { filter: "archived", label: "Arquivadas" },
];

function List({
  of,
  choosesWriters,
  mayBroadcast,
  filter,
  conversations,
  requestCount,
  next,
  query,
  found,
  isOpen,
}: Route.ComponentProps["loaderData"] & { isOpen: boolean }) {
  return (
    <>
      {isOpen ? (
        // The open conversation has the page's only `h1`.
        <h2 className="pb-5 text-title">Mensagens</h2>
      ) : (
        <PageHeader title="Mensagens" lead={of ? `As conversas da página de ${of}.` : undefined}>
          {mayBroadcast ? (
            <ButtonLink to="/messages/broadcasts" size="sm" variant="outline">
              Mensagem para muitos
            </ButtonLink>
          ) : null}
          {of === null ? (
            <Link to="/settings/messages" className="text-small font-semibold text-leaf">
              {choosesWriters ? "Quem pode escrever" : "Privacidade"}
            </Link>
          ) : null}
        </PageHeader>
      )}
      <MessageSearch query={query} />
      {query === "" ? null : <FoundList found={found} />}
      <nav aria-label="Filtrar conversas" className="flex flex-wrap gap-2 pb-4">
        {TABS.map((tab) => (
          <ButtonLink
            key={tab.filter}
            to={tab.filter === "inbox" ? "/messages" : `/messages?filter=${tab.filter}`}
            size="sm"
            variant={tab.filter === filter ? "ink" : "outline"}
            aria-current={tab.filter === filter ? "page" : undefined}
          >
            {tab.label}
            {tab.filter === "requests" && requestCount > 0 ? ` (${requestCount})` : ""}
          </ButtonLink>
        ))}
      </nav>
      {conversations.length === 0 ? (
        <NoConversations filter={filter} of={of} />
      ) : (
        <Card className="overflow-hidden">
          <ConversationList conversations={conversations} />
        </Card>
      )}
      <MoreLink next={next} />
    </>
  );
}

function NoConversations({ filter, of }: { filter: ListFilter; of: string | null }) {
  const all = (
    <ButtonLink to="/messages" variant="outline">
      Ver todas as conversas
    </ButtonLink>
  );
  if (filter === "unread") return <EmptyState title="Tudo lido" action={all} />;
  if (filter === "archived") return <EmptyState title="Nada arquivado" action={all} />;
  if (filter === "requests")
    return (
      <EmptyState title="Nenhum pedido" action={all}>
        Quem você ainda não conhece escreve primeiro para cá.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Nenhuma conversa ainda"
      action={of ? undefined : <ButtonLink to="/explore">Encontrar gente</ButtonLink>}
    >
      {of
        ? "Quando alguém assina um plano ou escreve para a página, a conversa começa aqui."
        : "Para começar, abra a página de alguém e toque em Mensagem."}
    </EmptyState>
  );
}
