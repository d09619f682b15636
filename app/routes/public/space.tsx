import { data, isRouteErrorResponse } from "react-router";
import { PlanStrip } from "#app/components/plans/plan-strip.tsx";
import { PublicPost } from "#app/components/posts/public-post.tsx";
import { CollectionsCard } from "#app/components/profiles/collections-card.tsx";
import { NextEventCard } from "#app/components/profiles/next-event-card.tsx";
import { ProfileHeader } from "#app/components/profiles/profile-header.tsx";
import { SimilarPeople } from "#app/components/profiles/similar-people.tsx";
import type { SimilarPerson } from "#app/components/profiles/similar-people.tsx";
import { ErrorPage } from "#app/components/shell/error-page.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import { cheapestMonthlyCents } from "#app/domain/posts/rules.ts";
import { creatorsLike } from "#app/domain/profiles/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { loadSpace } from "#app/routes/space/load-space.server.ts";
import type { Route } from "./+types/space.ts";

const SIMILAR_SHOWN = 4;
const DESCRIPTION_CHARACTERS = 160;

/** The page of a creator as everyone sees it: nobody is resolved here, so that the edge may keep it. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const space = await loadSpace(ctx, { key: params.username, viewerId: null, cursor });
  if (!space || space.profile.username !== params.username.toLowerCase()) throw await nobodyHere(ctx, params.username);
  return { ...space, pageUrl: `${space.origin}/space/${space.profile.username}/public` };
}

async function nobodyHere(ctx: Parameters<typeof creatorsLike>[0], username: string) {
  const similar = await creatorsLike(ctx, { username, limit: SIMILAR_SHOWN });
  const people: SimilarPerson[] = similar.map(({ name, craft, avatarMediaId, username: found }) => ({ name, craft, avatarMediaId, username: found }));
  return data({ message: `Ninguém no Coreto usa o nome @${username.slice(0, 60)}. Confira como ele se escreve.`, people }, { status: 404 });
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return [{ title: "Página não encontrada · Coreto" }, { name: "robots", content: "noindex" }];
  const { profile, origin, pageUrl } = loaderData;
  const title = profile.craft ? `${profile.name} · ${profile.craft} · Coreto` : `${profile.name} · Coreto`;
  const description = profile.bio.replaceAll(/\s+/g, " ").slice(0, DESCRIPTION_CHARACTERS) || `Publicações e planos de ${profile.name} no Coreto.`;
  const picture = profile.bannerMediaId ?? profile.avatarMediaId;
  const image = picture ? `${origin}${mediaUrl(picture, "1280")}` : null;
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    { property: "og:type", content: "profile" },
    { property: "og:site_name", content: "Coreto" },
    { property: "og:locale", content: "pt_BR" },
    { property: "og:title", content: profile.name },
    { property: "og:description", content: description },
    { property: "og:url", content: pageUrl },
    { property: "profile:username", content: profile.username },
    ...(image ? [{ property: "og:image", content: image }, { property: "og:image:alt", content: `Capa da página de ${profile.name}` }] : []),
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
    { "script:ld+json": structuredData(loaderData, image) },
  ];
};

type Shown = Awaited<ReturnType<typeof loader>>;

/** schema.org/ProfilePage, for search engines. */
function structuredData({ profile, pageUrl }: Pick<Shown, "profile" | "pageUrl">, image: string | null) {
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    dateCreated: new Date(profile.createdAt).toISOString(),
    url: pageUrl,
    mainEntity: {
      "@type": "Person",
      name: profile.name,
      alternateName: profile.username,
      description: profile.bio,
      url: pageUrl,
      ...(image ? { image } : {}),
      interactionStatistic: { "@type": "InteractionCounter", interactionType: "https://schema.org/FollowAction", userInteractionCount: profile.followersCount },
    },
  };
}

export default function PublicSpace({ loaderData }: Route.ComponentProps) {
  const { profile, plans, posts, collections, nextEvent, now, pageUrl } = loaderData;
  return (
    <>
      <ProfileHeader profile={profile} bleed>
        <ButtonLink to={`/space/${profile.username}`} reloadDocument>
          Seguir
        </ButtonLink>
      </ProfileHeader>
      <div className="offer-scope mx-auto w-full max-w-[1112px] px-4">
        {plans.length > 0 ? (
          <div className="offer-plans pt-8">
            <PlanStrip plans={plans} />
          </div>
        ) : null}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 pt-10 pb-16 lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
          <section aria-label="Publicações" className="flex min-w-0 flex-col gap-4">
            <h2 className="mb-2 text-title">Publicações</h2>
            {posts.items.length === 0 ? <p className="text-muted">{profile.name} ainda não publicou. Siga para saber quando começar.</p> : null}
            {posts.items.map((post, index) => (
              <PublicPost key={post.id} post={post} now={now} pageUrl={pageUrl} eager={index === 0} />
            ))}
            {posts.next ? (
              <ButtonLink to={`?cursor=${posts.next}`} reloadDocument variant="outline" className="self-center">
                Carregar mais
              </ButtonLink>
            ) : null}
            <StickyOffer plans={plans} />
          </section>
          <aside aria-label="Mais desta página" className="flex flex-col gap-4 self-start">
            <CollectionsCard collections={collections} />
            <NextEventCard event={nextEvent} />
          </aside>
        </div>
      </div>
    </>
  );
}

/** On a phone the offer comes to the foot of the window once the plans have scrolled away (app.css); it sticks within the posts. */
function StickyOffer({ plans }: { plans: Shown["plans"] }) {
  const fromCents = cheapestMonthlyCents(plans.flatMap((plan) => plan.prices));
  if (fromCents === null) return null;
  return (
    <div className="offer-after pointer-events-none sticky bottom-0 -mx-4 px-4 pt-8 pb-[max(1rem,env(safe-area-inset-bottom))] sm:hidden">
      <a href="#planos" className="pointer-events-auto flex min-h-13 items-center justify-center rounded-full bg-signal px-6 font-semibold text-on-signal shadow-float">
        Assinar · a partir de {formatMoney(fromCents)}
      </a>
    </div>
  );
}

/** Nobody of that name: who may have been meant. Everything else is the layout's to say. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const people = isRouteErrorResponse(error) ? similarIn(error.data) : [];
  return (
    <>
      <div className="px-4">
        <ErrorPage error={error} />
      </div>
      <SimilarPeople people={people} />
    </>
  );
}

function similarIn(body: unknown): SimilarPerson[] {
  return typeof body === "object" && body !== null && "people" in body && Array.isArray(body.people) ? body.people : [];
}
