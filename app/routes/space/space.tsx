import { Check } from "lucide-react";
import { data, redirect } from "react-router";
import { AdultNotice } from "#app/components/profiles/adult-notice.tsx";
import { FollowButton } from "#app/components/profiles/follow-button.tsx";
import { PersonMenu } from "#app/components/profiles/person-menu.tsx";
import { TipLink } from "#app/components/tips/tip-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { decidePlanWay, planWayLabel, planWayPath } from "#app/domain/access/rules/plan-way.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import type { Context } from "#app/domain/context.ts";
import { usernameSince } from "#app/domain/profiles/queries/usernames.server.ts";
import { originPostHeaders } from "#app/http/checkout/origin-post.server.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { countVisit } from "#app/http/visits.server.ts";
import { linkMarkOf } from "#app/lib/link-mark.ts";
import { loadSpace } from "./load-space.server.ts";
import { SpaceView } from "./space-view.tsx";
import type { Route } from "./+types/space.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.profile.name ?? "Página não encontrada"} · Coreto` },
];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const ctx = context.get(domainContext);
  const space = await loadSpace(ctx, { key: params.id, viewerId: member.id, cursor });
  if (!space) throw await elsewhere(ctx, params.id);
  if (space.profile.isSelf) throw redirect("/me");
  const headers = originPostHeaders(request.url);
  if (space.profile.isCreator && !space.profile.isAgeClosed)
    countVisit({ context, request }, { creatorId: space.profile.id, postId: null });
  const writes = context.get(actorContext).may("messages:write");
  const link = linkMarkOf(new URL(request.url).searchParams);
  return data({ ...space, writes, link }, headers && { headers });
}

/** Redirects a username that was left less than a year ago to its owner's page. Otherwise 404. */
async function elsewhere(ctx: Context, key: string) {
  const today = await usernameSince(ctx, { username: key });
  return today === null
    ? data({ message: "Não encontramos esta página." }, { status: 404 })
    : redirect(`/space/${today}`);
}

export default function Space({ loaderData }: Route.ComponentProps) {
  const { profile, plans, acceptsTips, writes, link } = loaderData;
  if (profile.isAgeClosed) return <AdultNotice name={profile.name} username={profile.username} />;
  return (
    <SpaceView
      space={loaderData}
      link={link}
      actions={
        <>
          {profile.isCreator ? (
            <CreatorActions
              profile={profile}
              hasPlans={plans.length > 0}
              acceptsTips={acceptsTips}
              writes={writes}
              link={link}
            />
          ) : null}
        </>
      }
      menu={
        <PersonMenu
          personId={profile.id}
          username={profile.username}
          name={profile.name}
          isMuted={profile.isMuted}
          hasFeed={profile.subscribedPlanId !== null}
        />
      }
      empty={
        <EmptyState
          title="Ainda não há publicações"
          action={
            <ButtonLink to="/explore" variant="outline">
              Explorar outras páginas
            </ButtonLink>
          }
        >
          {profile.isCreator
            ? `Siga ${profile.name} para saber quando a primeira sair.`
            : `${profile.name} ainda não abriu uma página para publicar.`}
        </EmptyState>
      }
    />
  );
}

function CreatorActions({
  profile,
  hasPlans,
  acceptsTips,
  writes,
  link,
}: {
  profile: Route.ComponentProps["loaderData"]["profile"];
  hasPlans: boolean;
  acceptsTips: boolean;
  /** Messages are shown here, and the role of the viewer may write them. */
  writes: boolean;
  /** The creator's link that led here. */
  link: string | null;
}) {
  return (
    <>
      <FollowButton
        username={profile.username}
        name={profile.name}
        isFollowing={profile.isFollowing}
        link={link}
        variant={hasPlans ? "outline" : "primary"}
      />
      {profile.heldSubscription ? <OwnSubscriptionLink held={profile.heldSubscription} /> : null}
      {hasPlans && !profile.subscribedPlanId && !profile.heldSubscription ? (
        <ButtonLink to="#planos">Assinar</ButtonLink>
      ) : null}
      {writes ? (
        <ButtonLink to={`/messages/new/${profile.username}`} variant="outline">
          Mensagem
        </ButtonLink>
      ) : null}
      {acceptsTips ? <TipLink username={profile.username} isShort /> : null}
    </>
  );
}

function OwnSubscriptionLink({ held }: { held: HeldSubscription }) {
  const way = decidePlanWay(held.planId, held);
  const isSettled = way.kind === "none";
  return (
    <ButtonLink
      to={planWayPath(way, { planId: held.planId })}
      variant={isSettled ? "outline" : "primary"}
    >
      {isSettled ? <Check aria-hidden="true" className="size-4 text-leaf" /> : null}
      {isSettled ? "Assinante" : planWayLabel(way)}
    </ButtonLink>
  );
}
