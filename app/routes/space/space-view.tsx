import type { ReactNode } from "react";
import { PlanStrip } from "#app/components/plans/plan-strip.tsx";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { CollectionsCard } from "#app/components/profiles/collections-card.tsx";
import { NextEventCard } from "#app/components/profiles/next-event-card.tsx";
import { ProfileHeader } from "#app/components/profiles/profile-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { cardOf } from "#app/domain/posts/rules.ts";
import type { loadSpace } from "./load-space.server.ts";

type Space = NonNullable<Awaited<ReturnType<typeof loadSpace>>>;

/** A creator's page as a member sees it, somebody else's or their own. */
export function SpaceView({ space, actions, studio = null, empty }: { space: Space; actions: ReactNode; studio?: ReactNode; empty: ReactNode }) {
  const { profile, plans, posts, collections, nextEvent, now, origin } = space;
  return (
    <div className="flex flex-col gap-6">
      <ProfileHeader profile={profile}>{actions}</ProfileHeader>
      {plans.length > 0 ? <PlanStrip plans={plans} subscribedPlanId={profile.subscribedPlanId} isOwn={profile.isSelf} signedIn /> : null}
      {studio}
      {collections.length > 0 || nextEvent ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <CollectionsCard collections={collections} signedIn />
          <NextEventCard event={nextEvent} signedIn />
        </div>
      ) : null}
      <section aria-label="Publicações" className="flex flex-col gap-4">
        <h2 className="text-heading">Publicações</h2>
        {posts.items.length === 0 ? empty : null}
        {posts.items.map((post, index) => (
          <PostCard key={post.id} post={cardOf(post)} now={now} origin={origin} eager={index === 0} />
        ))}
        <MoreLink next={posts.next} />
      </section>
    </div>
  );
}
