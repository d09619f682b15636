import { Form, Link } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { deletedPosts, unpublishedPosts } from "#app/domain/posts/queries/studio.server.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import { formatAgo, formatDay, formatMinute } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/drafts.ts";

const SHOWN = 100;

export const meta: Route.MetaFunction = () => [{ title: "Rascunhos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const authorId = requireActor({ context }, "posts:publish").space.personId;
  const [unpublished, deleted] = await Promise.all([
    unpublishedPosts(ctx, { authorId, limit: SHOWN }),
    deletedPosts(ctx, { authorId, limit: SHOWN }),
  ]);
  return {
    unpublished,
    deleted: deleted.map((post) => ({ ...post, until: post.deletedAt + RESTORABLE_MS })),
    now: ctx.now(),
  };
}

export default function Drafts({ loaderData }: Route.ComponentProps) {
  const { unpublished, deleted, now } = loaderData;
  return (
    <>
      <PageHeader title="Rascunhos" lead="Só você vê o que está aqui.">
        <ButtonLink to="/post/create" size="sm">
          Escrever
        </ButtonLink>
      </PageHeader>
      {unpublished.length === 0 ? (
        <EmptyState
          title="Nenhum rascunho"
          action={<ButtonLink to="/post/create">Escrever</ButtonLink>}
        >
          O que você começa a escrever fica guardado aqui sozinho.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {unpublished.map((post) => (
            <Card
              key={post.id}
              as="li"
              className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
            >
              <Link
                to={`/post/${post.id}/edit`}
                className="flex min-h-11 min-w-0 flex-1 basis-60 flex-col justify-center"
              >
                <span className="font-semibold">{post.title || "Sem título"}</span>
                <span className="text-small text-muted">
                  mudou {formatAgo(post.updatedAt, now)}
                </span>
              </Link>
              {post.scheduledAt === null ? (
                <Badge tone="neutral">Rascunho</Badge>
              ) : (
                <Badge tone="good">Sai em {formatMinute(post.scheduledAt)}</Badge>
              )}
              <Form method="post" action={`/post/${post.id}/deletion`}>
                <ActingField />
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Apagar ${post.title || "rascunho sem título"}`}
                >
                  Apagar
                </Button>
              </Form>
            </Card>
          ))}
        </ul>
      )}
      {deleted.length > 0 ? (
        <section aria-label="Apagadas" className="flex flex-col gap-3 pt-8">
          <h2 className="text-heading">Apagadas</h2>
          <ul className="flex flex-col gap-3">
            {deleted.map((post) => (
              <Card
                key={post.id}
                as="li"
                className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
              >
                <span className="flex min-w-0 flex-1 basis-60 flex-col">
                  <span className="font-semibold">{post.title || "Sem título"}</span>
                  <span className="text-small text-muted">
                    pode voltar até {formatDay(post.until)}
                  </span>
                </span>
                <Form method="post" action={`/post/${post.id}/restoration`}>
                  <ActingField />
                  <Button
                    variant="outline"
                    size="sm"
                    aria-label={`Trazer de volta ${post.title || "publicação sem título"}`}
                  >
                    Trazer de volta
                  </Button>
                </Form>
              </Card>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
