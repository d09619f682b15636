import { Rss } from "lucide-react";
import { data, isRouteErrorResponse, redirect } from "react-router";
import { VacationNotice } from "#app/components/plans/vacation-notice.tsx";
import { PlanStrip } from "#app/components/plans/plan-strip.tsx";
import { StickyOffer } from "#app/components/plans/sticky-offer.tsx";
import { PublicPost } from "#app/components/posts/public-post.tsx";
import { CollectionsCard } from "#app/components/profiles/collections-card.tsx";
import { NextEventCard } from "#app/components/profiles/next-event-card.tsx";
import { AdultNotice } from "#app/components/profiles/adult-notice.tsx";
import { FollowForm } from "#app/components/profiles/follow-form.tsx";
import { ProfileHeader } from "#app/components/profiles/profile-header.tsx";
import { SimilarPeople } from "#app/components/profiles/similar-people.tsx";
import type { SimilarPerson } from "#app/components/profiles/similar-people.tsx";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { ReportLink } from "#app/components/reports/report-link.tsx";
import { TipLink } from "#app/components/tips/tip-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { creatorsByUsername } from "#app/domain/profiles/queries.server.ts";
import { usernameSince } from "#app/domain/profiles/queries/usernames.server.ts";
import { PRIVATE_PAGE } from "#app/http/headers/cache.ts";
import { domainContext } from "#app/http/contexts.ts";
import { activeMark } from "#app/http/public-pages/active-mark.server.ts";
import { readSignedCursor, signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import { notFoundMeta, spaceMeta } from "#app/http/public-pages/public-meta.ts";
import { visitedHeader } from "#app/http/visits.server.ts";
import { withLinkMark } from "#app/lib/link-mark.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { loadSpace } from "#app/routes/space/load-space.server.ts";
import type { Route } from "./+types/space.ts";

const SIMILAR_SHOWN = 4;
const AGE_CLOSED_HEADERS = { "Cache-Control": PRIVATE_PAGE, "X-Robots-Tag": "noindex" };

/** Loads a creator's page as every visitor sees it. Reads no session, so that the edge can cache it. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const path = `/space/${params.username}/public`;
  const asked = new URL(request.url).searchParams.get("cursor");
  const cursor = await readSignedCursor(ctx.signer, path, asked);
  const space = await loadSpace(ctx, { key: params.username, viewerId: null, cursor });
  if (!space || space.profile.username !== params.username.toLowerCase())
    throw await nobodyHere(ctx, params.username);
  const link = await activeMark(ctx, request, { creatorId: space.profile.id });
  const { next } = space.posts;
  const shown = {
    ...space,
    posts: { ...space.posts, next: next && (await signCursor(ctx.signer, path, next)) },
    pageUrl: `${space.origin}/space/${space.profile.username}/public`,
    isFirstPage: cursor === null,
    link,
  };
  const { isAgeClosed, isCreator, id: creatorId } = space.profile;
  const visited = isCreator ? visitedHeader({ creatorId, postId: null }) : {};
  return data(shown, { headers: isAgeClosed ? AGE_CLOSED_HEADERS : visited });
}

/**
 * Redirects to the creator who left this username less than a year ago. Otherwise returns a 404
 * with creators of similar usernames.
 */
async function nobodyHere(ctx: Parameters<typeof creatorsByUsername>[0], username: string) {
  const today = await usernameSince(ctx, { username });
  if (today !== null) return redirect(`/space/${today}/public`);
  const similar = await creatorsByUsername(ctx, { username, limit: SIMILAR_SHOWN });
  const people: SimilarPerson[] = similar.map(
    ({ name, craft, avatarMediaId, username: found }) => ({
      name,
      craft,
      avatarMediaId,
      username: found,
    }),
  );
  return data(
    {
      message: `Ninguém no Coreto usa o nome @${username.slice(0, 60)}. Confira como ele se escreve.`,
      people,
    },
    { status: 404 },
  );
}

/** Passes on the headers of the loader. A page for adults is never cached. */
export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? loaderData.profile.isAgeClosed
      ? notFoundMeta(loaderData.profile.name)
      : spaceMeta(loaderData)
    : notFoundMeta("Página não encontrada");

export default function PublicSpace({ loaderData }: Route.ComponentProps) {
  const {
    profile,
    plans,
    posts,
    pinned,
    collections,
    hasMoreCollections,
    nextEvent,
    acceptsTips,
    awayUntil,
    now,
    origin,
    link,
  } = loaderData;
  if (profile.isAgeClosed) return <ClosedByAge name={profile.name} username={profile.username} />;
  return (
    <>
      <ProfileHeader profile={profile} bleed>
        <FollowForm
          username={profile.username}
          to={withLinkMark(`/space/${profile.username}`, link)}
          className="max-sm:w-full"
        />
        <ButtonLink
          to={loginPath(withLinkMark(`/space/${profile.username}`, link))}
          reloadDocument
          variant="outline"
        >
          Já tenho conta
        </ButtonLink>
        {acceptsTips ? <TipLink username={profile.username} reloadDocument /> : null}
      </ProfileHeader>
      <div className="offer-scope mx-auto w-full max-w-[1112px] px-4">
        {plans.length > 0 ? (
          <div className="offer-plans pt-8">
            {awayUntil === null ? null : <VacationNotice until={awayUntil} name={profile.name} />}
            <PlanStrip plans={plans} awayUntil={awayUntil} link={link} />
          </div>
        ) : null}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 pt-10 pb-16 lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
          <section aria-label="Publicações" className="flex min-w-0 flex-col gap-4">
            {pinned.length > 0 ? (
              <>
                <h2 className="mb-2 text-title">Fixadas</h2>
                {pinned.map((post) => (
                  <PublicPost key={post.id} post={post} now={now} origin={origin} eager={false} />
                ))}
              </>
            ) : null}
            <h2 className="mb-2 text-title">Publicações</h2>
            {posts.items.length === 0 ? (
              <p className="text-muted">
                {profile.name} ainda não publicou. Siga para saber quando começar.
              </p>
            ) : null}
            {posts.items.map((post, index) => (
              <PublicPost key={post.id} post={post} now={now} origin={origin} eager={index === 0} />
            ))}
            {posts.next ? (
              <ButtonLink
                to={withLinkMark(`?cursor=${posts.next}`, link)}
                reloadDocument
                variant="outline"
                className="self-center"
              >
                Carregar mais
              </ButtonLink>
            ) : null}
            {awayUntil === null ? <StickyOffer plans={plans} /> : null}
          </section>
          <aside aria-label="Mais desta página" className="flex flex-col gap-4 self-start">
            <CollectionsCard
              collections={collections}
              username={profile.username}
              hasMore={hasMoreCollections}
            />
            <NextEventCard event={nextEvent} username={profile.username} />
            <a
              href={`/space/${profile.username}/public/feeds`}
              className="inline-flex min-h-11 items-center gap-2 self-start text-muted hover:text-ink"
            >
              <Rss aria-hidden="true" className="size-4.5" />
              Seguir por RSS
            </a>
            <ReportLink to={`/report/profile/${profile.id}`} of={profile.name} />
          </aside>
        </div>
      </div>
    </>
  );
}

function ClosedByAge(page: { name: string; username: string }) {
  return (
    <div className="mx-auto w-full max-w-[672px] px-4 py-8">
      <AdultNotice {...page} reloadDocument />
    </div>
  );
}

/** Shows the error inside the public layout, with creators of similar usernames. */
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
  return typeof body === "object" && body !== null && "people" in body && Array.isArray(body.people)
    ? body.people
    : [];
}
