import { Form } from "react-router";
import { CollectionLine } from "#app/components/collections/collection-line.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { editableCollections } from "#app/domain/collections/queries/studio.server.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import { formatDay } from "#app/domain/time.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/collections.ts";

export const meta: Route.MetaFunction = () => [{ title: "Coleções · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "posts:publish");
  const { living, deleted } = await editableCollections(context.get(domainContext), {
    creatorId: space.personId,
  });
  return {
    living: living.map(
      ({ id, title, placedCount, priceCents, coverMediaId, coverAlt, heldAt }) => ({
        id,
        title,
        placedCount,
        priceCents,
        isHeld: heldAt !== null,
        cover:
          coverMediaId === null ? null : { mediaId: coverMediaId, isOpen: true, alt: coverAlt },
      }),
    ),
    deleted: deleted.map(({ id, title, deletedAt }) => ({
      id,
      title,
      until: deletedAt + RESTORABLE_MS,
    })),
  };
}

export default function Collections({ loaderData }: Route.ComponentProps) {
  const { living, deleted } = loaderData;
  return (
    <>
      <PageHeader title="Coleções" lead="Publicações que se seguem, juntas e em ordem.">
        <ButtonLink to="/collection/create" size="sm">
          Nova coleção
        </ButtonLink>
      </PageHeader>
      {living.length === 0 ? (
        <EmptyState
          title="Nenhuma coleção"
          action={<ButtonLink to="/collection/create">Criar coleção</ButtonLink>}
        >
          Um curso, um disco, uma viagem: junte o que se lê em seguida. Dá para vender a coleção
          inteira por um preço só.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {living.map((collection) => (
            <Card key={collection.id} as="li" className="flex flex-wrap items-center gap-4 p-4">
              <div className="min-w-0 flex-1 basis-60">
                <CollectionLine
                  collection={collection}
                  postsCount={collection.placedCount}
                  to={`/collection/${collection.id}`}
                />
              </div>
              {collection.isHeld ? <Badge tone="attention">Retida pela moderação</Badge> : null}
              <span className="flex flex-wrap gap-2">
                <ButtonLink
                  to={`/collection/${collection.id}/posts`}
                  variant="outline"
                  size="sm"
                  aria-label={`Organizar ${collection.title}`}
                >
                  Organizar
                </ButtonLink>
                <ButtonLink
                  to={`/collection/${collection.id}/edit`}
                  variant="outline"
                  size="sm"
                  aria-label={`Editar ${collection.title}`}
                >
                  Editar
                </ButtonLink>
                <Form method="post" action={`/collection/${collection.id}/deletion`}>
                  <ActingField />
                  <Button variant="ghost" size="sm" aria-label={`Apagar ${collection.title}`}>
                    Apagar
                  </Button>
                </Form>
              </span>
            </Card>
          ))}
        </ul>
      )}
      {deleted.length > 0 ? <Deleted collections={deleted} /> : null}
    </>
  );
}

function Deleted({ collections }: { collections: { id: string; title: string; until: number }[] }) {
  return (
    <section aria-label="Apagadas" className="flex flex-col gap-3 pt-8">
      <h2 className="text-heading">Apagadas</h2>
      <ul className="flex flex-col gap-3">
        {collections.map((collection) => (
          <Card
            key={collection.id}
            as="li"
            className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
          >
            <span className="flex min-w-0 flex-1 basis-60 flex-col">
              <span className="font-semibold wrap-anywhere">{collection.title}</span>
              <span className="text-small text-muted">
                pode voltar até {formatDay(collection.until)}
              </span>
            </span>
            <Form method="post" action={`/collection/${collection.id}/restoration`}>
              <ActingField />
              <Button
                variant="outline"
                size="sm"
                aria-label={`Trazer de volta ${collection.title}`}
              >
                Trazer de volta
              </Button>
            </Form>
          </Card>
        ))}
      </ul>
    </section>
  );
}
