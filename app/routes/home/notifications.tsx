import { Form, Link } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { markNotificationsRead } from "#app/domain/notifications/commands.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { formatAgo } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => [{ title: "Notificações · Coreto" }];

const PAGE = 20;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const page = await memberNotifications(ctx, {
    personId: context.get(memberContext).id,
    cursor: url.searchParams.get("cursor"),
    limit: PAGE,
  });
  return {
    next: page.next,
    items: page.items.map(({ id, body, path, readAt, createdAt }) => ({
      id,
      body,
      path,
      isNew: readAt === null,
      ago: formatAgo(createdAt, now),
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  await markNotificationsRead(context.get(domainContext), {
    personId: context.get(memberContext).id,
  });
  return redirectWithToast(request, "/notifications", { kind: "success", message: "Tudo lido." });
}

export default function Notifications({ loaderData: { items, next } }: Route.ComponentProps) {
  const hasNew = items.some((item) => item.isNew);
  return (
    <>
      <PageHeader title="Notificações">
        {hasNew ? (
          <Form method="post">
            <Button variant="outline" size="sm">
              Marcar tudo como lido
            </Button>
          </Form>
        ) : null}
      </PageHeader>
      {items.length === 0 ? (
        <EmptyState
          title="Nada por aqui ainda"
          action={<ButtonLink to="/explore">Explorar</ButtonLink>}
        >
          Quando alguém publicar, assinar ou pagar, você fica sabendo aqui.
        </EmptyState>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <li key={item.id}>
                <Link
                  to={item.path}
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
