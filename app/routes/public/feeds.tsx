import { redirect } from "react-router";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { profileByUsername } from "#app/domain/profiles/queries.server.ts";
import { usernameSince } from "#app/domain/profiles/queries/usernames.server.ts";
import { FEED_FILES } from "#app/domain/syndication/schema.ts";
import type { FeedFile } from "#app/domain/syndication/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { notFoundMeta } from "#app/http/public-pages/public-meta.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { loginPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/feeds.ts";

const FORMATS: Record<FeedFile, { name: string; use: string }> = {
  "rss.xml": { name: "RSS", use: "O que quase todo leitor e todo tocador de podcasts entende." },
  "atom.xml": { name: "Atom", use: "Para leitores que preferem este formato." },
  "feed.json": { name: "JSON Feed", use: "Para programas e automações." },
};

/**
 * Loads the addresses of a page's public feeds. Reads no session, so that the edge can cache it. A
 * username that was left leads to the present one.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const profile = await profileByUsername(ctx, { username: params.username });
  const today = profile?.username ?? (await usernameSince(ctx, { username: params.username }));
  if (today && today !== params.username) throw redirect(`/space/${today}/public/feeds`, 301);
  const { name, username } = foundOr404(profile);
  const { appOrigin } = ctx.settings;
  return {
    name,
    username,
    pageUrl: `${appOrigin}/space/${username}/public/feeds`,
    feeds: (Object.keys(FEED_FILES) as FeedFile[]).map((file) => ({
      file,
      url: `${appOrigin}/space/${username}/${file}`,
    })),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? [
        { title: `Feeds de ${loaderData.name} · Coreto` },
        {
          name: "description",
          content: `Os endereços de RSS, Atom e JSON Feed da página de ${loaderData.name}.`,
        },
        { tagName: "link", rel: "canonical", href: loaderData.pageUrl },
        { name: "robots", content: "noindex" },
      ]
    : notFoundMeta("Página não encontrada");

/** The public feeds of a page, and what to do with them. */
export default function PublicFeeds({ loaderData }: Route.ComponentProps) {
  const { name, username, feeds } = loaderData;
  return (
    <div className="mx-auto flex w-full max-w-[672px] flex-col gap-4 px-4 py-8">
      <header className="flex flex-col gap-1">
        <h1 className="text-title wrap-anywhere">Feeds de {name}</h1>
        <p className="text-muted">
          Siga a página no seu leitor de notícias ou tocador de podcasts, sem ter conta. Copie um
          endereço e cole nele, em “Adicionar por endereço”.
        </p>
      </header>
      <ul className="flex flex-col gap-3">
        {feeds.map(({ file, url }) => (
          <Card key={file} as="li" className="flex flex-col gap-2 p-5">
            <h2 className="text-heading">{FORMATS[file].name}</h2>
            <p className="text-muted">{FORMATS[file].use}</p>
            <p className="rounded-field bg-sand px-4 py-3 text-small break-all select-all">{url}</p>
            <a
              href={url}
              className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
            >
              Abrir {FORMATS[file].name}
            </a>
          </Card>
        ))}
      </ul>
      <p className="text-muted">
        Do que é só de quem assina, estes feeds trazem o título e a chamada. Quem assina tem um feed
        particular, com tudo o que a assinatura abre.
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={`/space/${username}/public`} reloadDocument>
          Ver a página de {name}
        </ButtonLink>
        <ButtonLink to={loginPath("/settings/feeds")} reloadDocument variant="outline">
          Meus feeds particulares
        </ButtonLink>
      </div>
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
