import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { VacationNotice } from "#app/components/plans/vacation-notice.tsx";
import { PlanStrip } from "#app/components/plans/plan-strip.tsx";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { InfinitePostList } from "#app/components/posts/post-list.tsx";
import { CollectionsCard } from "#app/components/profiles/collections-card.tsx";
import { NextEventCard } from "#app/components/profiles/next-event-card.tsx";
import { ProfileHeader } from "#app/components/profiles/profile-header.tsx";
import type { loadSpace } from "./load-space.server.ts";

type Space = NonNullable<Awaited<ReturnType<typeof loadSpace>>>;

type SpaceViewProps = {
  space: Space;
  actions: ReactNode;
  /** Menu of the other actions, beside the avatar. */
  menu?: ReactNode;
  studio?: ReactNode;
  compose?: ReactNode;
  mayEditPlans?: boolean;
  empty: ReactNode;
  /** The creator's link that led here. */
  link?: string | null;
};

/** Shows a creator's page to a member, who may be the creator. */
export function SpaceView({
  space,
  actions,
  menu = null,
  studio = null,
  compose = null,
  mayEditPlans = true,
  empty,
  link = null,
}: SpaceViewProps) {
  const {
    profile,
    plans,
    posts,
    pinned,
    collections,
    hasMoreCollections,
    nextEvent,
    awayUntil,
    now,
    origin,
  } = space;
  const { key } = useLocation();
  return (
    <div className="flex flex-col gap-6">
      <ProfileHeader profile={profile} menu={menu}>
        {actions}
      </ProfileHeader>
      {awayUntil === null ? null : (
        <VacationNotice until={awayUntil} name={profile.name} isOwn={profile.isSelf} />
      )}
      {plans.length > 0 ? (
        <PlanStrip
          plans={plans}
          awayUntil={awayUntil}
          subscription={profile.heldSubscription}
          isOwn={profile.isSelf}
          mayEdit={mayEditPlans}
          signedIn
          link={link}
        />
      ) : null}
      {studio}
      {collections.length > 0 || nextEvent ? (
        <div
          className={`grid gap-4 ${nextEvent && collections.length > 0 ? "sm:grid-cols-2" : ""}`}
        >
          <CollectionsCard
            collections={collections}
            username={profile.username}
            hasMore={hasMoreCollections}
            signedIn
          />
          <NextEventCard event={nextEvent} username={profile.username} signedIn />
        </div>
      ) : null}
      {pinned.length > 0 ? (
        <section aria-label="Fixadas" className="flex flex-col gap-4">
          <h2 className="text-heading">Fixadas</h2>
          {pinned.map((post) => (
            <PostCard key={post.id} post={post} now={now} origin={origin} />
          ))}
        </section>
      ) : null}
      <section aria-label="Publicações" className="flex flex-col gap-4">
        <h2 className="text-heading">Publicações</h2>
        {compose}
        <InfinitePostList
          key={key}
          label={`Publicações de ${profile.name}`}
          first={posts}
          source={`/resources/space/${profile.id}/posts`}
          now={now}
          origin={origin}
          empty={empty}
        />
      </section>
    </div>
  );
}
