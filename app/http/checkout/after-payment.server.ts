import type { Context } from "#app/domain/context.ts";
import { planTextsStatement } from "#app/domain/plans/queries.server.ts";
import {
  cardsFromRows,
  pinnedPostsStatement,
  spacePostsStatement,
} from "#app/domain/posts/queries.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { similarCreatorsStatement } from "#app/domain/profiles/queries/similar-creators.server.ts";
import type { CreatorListItem } from "#app/domain/profiles/queries/creators.server.ts";

const POSTS_READ = 10;
const PEOPLE_SHOWN = 4;

/** What the page of a paid plan shows: what it promised, and to a new subscriber what comes next. */
export type AfterPayment = {
  benefits: string[];
  welcomeMessage: string;
  /** A post to begin with, which the member can open now. */
  firstPost: { path: string; title: string } | null;
  /** Creators to suggest, similar to the one who was paid. */
  people: CreatorListItem[];
};

/** What is shown before a payment, and after one for anything but a plan. */
export const NOTHING_AFTER_PAYMENT: AfterPayment = {
  benefits: [],
  welcomeMessage: "",
  firstPost: null,
  people: [],
};

type PaidPlan = { planId: string; memberId: string; creatorUsername: string };

/**
 * Reads what follows a paid plan, in one round trip. Without `isWelcome`, for a payer who
 * subscribed before, it reads only the benefits.
 */
export async function afterPayment(
  ctx: Context,
  { planId, memberId, creatorUsername, isWelcome }: PaidPlan & { isWelcome: boolean },
): Promise<AfterPayment> {
  const plan = planTextsStatement(ctx, { planId });
  if (!isWelcome) {
    const [texts] = await plan;
    return { ...NOTHING_AFTER_PAYMENT, benefits: texts?.benefits ?? [] };
  }
  const asked = { authorKey: creatorUsername, viewerId: memberId };
  const [[texts], pinned, latest, people] = await ctx.db.batch([
    plan,
    pinnedPostsStatement(ctx, asked),
    spacePostsStatement(ctx, { ...asked, cursor: null, limit: POSTS_READ }),
    similarCreatorsStatement(ctx, {
      creatorKey: creatorUsername,
      viewerId: memberId,
      limit: PEOPLE_SHOWN,
    }),
  ]);
  const post = firstPost(
    cardsFromRows(ctx, pinned, memberId, POSTS_READ).items,
    cardsFromRows(ctx, latest, memberId, POSTS_READ).items,
  );
  return {
    benefits: texts?.benefits ?? [],
    welcomeMessage: texts?.welcomeMessage ?? "",
    firstPost: post && { path: `/post/${post.id}`, title: post.title },
    people,
  };
}

/** The latest pinned post, else the latest that not everybody may open, else the latest. */
function firstPost(pinned: PostPreview[], latest: PostPreview[]): PostPreview | null {
  const canOpen = ({ access }: PostPreview) => access.visible;
  const open = latest.filter(canOpen);
  return (
    pinned.find(canOpen) ??
    open.find(({ rules }) => rules.every(({ kind }) => kind !== "public")) ??
    open[0] ??
    null
  );
}
