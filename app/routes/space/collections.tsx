import { redirect } from "react-router";
import { CollectionLinks } from "#app/components/profiles/collections-card.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { loadCollections } from "./load-collections.server.ts";
import type { Route } from "./+types/collections.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Coleções de ${loaderData?.name ?? "alguém"} · Coreto` },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const page = foundOr404(
    await loadCollections(context.get(domainContext), {
      key: params.id,
      viewerId: context.get(memberContext).id,
    }),
  );
  if (page.isAgeClosed) throw redirect(`/space/${page.username}`);
  return page;
}

export default function SpaceCollections({ loaderData }: Route.ComponentProps) {
  const { name, username, collections } = loaderData;
  return (
    <>
      <PageHeader title="Coleções" lead={`De ${name}`}>
        <ButtonLink to={`/space/${username}`} variant="outline" size="sm">
          Ver a página
        </ButtonLink>
      </PageHeader>
      {collections.length === 0 ? (
        <EmptyState
          title="Nenhuma coleção ainda"
          action={<ButtonLink to={`/space/${username}`}>Ver a página</ButtonLink>}
        >
          {name} ainda não juntou publicações.
        </EmptyState>
      ) : (
        <Card className="p-5 sm:p-6">
          <CollectionLinks collections={collections} username={username} signedIn />
        </Card>
      )}
    </>
  );
}
