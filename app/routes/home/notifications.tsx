import { Form, Link } from "react-router";
import { StoppedAddressNote } from "#app/components/notifications/stopped-address.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { markNotificationsRead } from "#app/domain/notifications/commands.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { stoppedAddressOf } from "#app/domain/notifications/queries/addresses.server.ts";
import { notificationFilterSchema } from "#app/domain/notifications/schema.ts";
import type { NotificationFilter } from "#app/domain/notifications/schema.ts";
import { NOTIFICATION_SECTIONS } from "#app/domain/notifications/rules/kinds.ts";
import { formatAgo } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => [{ title: "Notificações · Coreto" }];

const PAGE = 20;

const FILTERS: Record<NotificationFilter, string> = {
  all: "Tudo",
  unread: "Não lidas",
  ...NOTIFICATION_SECTIONS,
};

const EMPTY: Record<NotificationFilter, { title: string; text: string }> = {
  all: {
    title: "Nada por aqui ainda",
    text: "Quando alguém publicar, assinar ou pagar, você fica sabendo aqui.",
  },
  unread: { title: "Tudo lido", text: "O que chegar de novo aparece aqui." },
  people: {
    title: "Ninguém por aqui ainda",
    text: "Comentários, respostas, menções, curtidas e seguidores aparecem aqui.",
  },
  posts: {
    title: "Nenhuma publicação ainda",
    text: "O que publica quem você segue ou assina aparece aqui.",
  },
  money: {
    title: "Nada sobre dinheiro ainda",
    text: "Pagamentos, assinaturas, vendas e saques aparecem aqui.",
  },
  account: {
    title: "Nada sobre a conta ainda",
    text: "Segurança, equipes, documentos e decisões aparecem aqui.",
  },
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const filter = notificationFilterSchema.parse(url.searchParams.get("filter"));
  const personId = context.get(memberContext).id;
  const cursor = url.searchParams.get("cursor");
  const [page, stopped] = await Promise.all([
    memberNotifications(ctx, { personId, cursor, limit: PAGE, filter }),
    cursor ? null : stoppedAddressOf(ctx, { personId }),
  ]);
  return {
    filter,
    stoppedBecause: stopped?.reason ?? null,
    next: page.next,
    items: page.items.map(({ id, body, readAt, createdAt }) => ({
      id,
      body,
      isNew: readAt === null,
      ago: formatAgo(createdAt, now),
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { readAt } = await markNotificationsRead(context.get(domainContext), {
    personId: context.get(memberContext).id,
  });
  return redirectWithToast(request, "/notifications", {
    kind: "success",
    message: "Tudo lido.",
    undo: `/notifications/unread/${readAt}`,
  });
}

export default function Notifications({
  loaderData: { filter, stoppedBecause, items, next },
}: Route.ComponentProps) {
  const hasNew = items.some((item) => item.isNew);
  return (
    <>
      <PageHeader title="Notificações">
        <ButtonLink to="/settings/notifications" variant="ghost" size="sm">
          Escolher
        </ButtonLink>
        {hasNew ? (
          <Form method="post">
            <Button variant="outline" size="sm">
              Marcar tudo como lido
            </Button>
          </Form>
        ) : null}
      </PageHeader>
      {stoppedBecause ? <StoppedAddressNote reason={stoppedBecause} /> : null}
      <Filters chosen={filter} />
      {items.length === 0 ? (
        <EmptyState
          title={EMPTY[filter].title}
          action={
            filter === "all" ? (
              <ButtonLink to="/explore">Explorar</ButtonLink>
            ) : (
              <ButtonLink to="/notifications" variant="outline">
                Ver tudo
              </ButtonLink>
            )
          }
        >
          {EMPTY[filter].text}
        </EmptyState>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <li key={item.id}>
                <Link
                  to={`/notifications/${item.id}`}
                  className={`flex min-h-16 items-center gap-3 px-5 py-4 hover:bg-sand/60 ${item.isNew ? "font-semibold" : ""}`}
                >
                  <span
                    aria-hidden="true"
                    className={`size-2.5 shrink-0 rounded-full ${item.isNew ? "bg-signal" : "bg-transparent"}`}
                  />
                  <span className="flex min-w-0 flex-1 flex-col">
                    <span className="leading-6 wrap-anywhere whitespace-pre-line">
                      {item.isNew ? <span className="sr-only">Nova: </span> : null}
                      {item.body}
                    </span>
                    <span className="text-small font-normal text-muted">{item.ago}</span>
                  </span>
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

function Filters({ chosen }: { chosen: NotificationFilter }) {
  return (
    <nav aria-label="Filtrar" className="mb-4">
      <ul className="flex flex-wrap gap-2">
        {Object.entries(FILTERS).map(([filter, label]) => (
          <li key={filter}>
            <Link
              to={filter === "all" ? "/notifications" : `?filter=${filter}`}
              aria-current={filter === chosen ? "page" : undefined}
              className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small font-semibold ${filter === chosen ? "border-leaf bg-signal-soft" : "border-line bg-card hover:bg-sand/60"}`}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
