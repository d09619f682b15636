import { redirect } from "react-router";
import { CollectionLinks } from "#app/components/profiles/collections-card.tsx";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { domainContext } from "#app/http/contexts.ts";
import { activeMark } from "#app/http/public-pages/active-mark.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { loadCollections } from "#app/routes/space/load-collections.server.ts";
import type { Route } from "./+types/collections.ts";

/**
 * Loads the collections of a page as every visitor sees them. Reads no session, so that the edge
 * can cache it.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const page = foundOr404(await loadCollections(ctx, { key: params.username, viewerId: null }));
  if (page.username !== params.username)
    throw redirect(`/space/${page.username}/public/collections`, 301);
  await activeMark(ctx, request, { creatorId: page.id });
  if (page.isAgeClosed) throw redirect(`/space/${page.username}/public`);
  return {
    ...page,
    pageUrl: `${ctx.settings.appOrigin}/space/${page.username}/public/collections`,
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData)
    return [{ title: "Página não encontrada · Coreto" }, { name: "robots", content: "noindex" }];
  const { name, collections, pageUrl } = loaderData;
  return [
    { title: `Coleções de ${name} · Coreto` },
    {
      name: "description",
      content:
        `As coleções de ${name} no Coreto: ${collections.map(({ title }) => title).join(", ")}`.slice(
          0,
          160,
        ),
    },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...(collections.length === 0 ? [{ name: "robots", content: "noindex" }] : []),
  ];
};

export default function PublicCollections({ loaderData }: Route.ComponentProps) {
  const { name, username, collections } = loaderData;
  return (
    <div className="mx-auto flex w-full max-w-[672px] flex-col gap-4 px-4 py-8">
      <h1 className="text-title">Coleções de {name}</h1>
      {collections.length === 0 ? (
        <p className="text-muted">{name} ainda não juntou publicações.</p>
      ) : (
        <Card className="p-5 sm:p-6">
          <CollectionLinks collections={collections} username={username} signedIn={false} />
        </Card>
      )}
      <ButtonLink
        to={useMarkedPath()(`/space/${username}/public`)}
        reloadDocument
        variant="outline"
        className="self-start"
      >
        Ver a página
      </ButtonLink>
    </div>
  );
}

/** Shows the error inside the public layout. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="px-4">
      <ErrorPage error={error} />
    </div>
  );
}
