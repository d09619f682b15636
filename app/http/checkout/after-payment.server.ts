import type { Context } from "#app/domain/context.ts";
import {
  cardsFromRows,
  pinnedPostsStatement,
  spacePostsStatement,
} from "#app/domain/posts/queries.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { creatorsAlikeStatement } from "#app/domain/profiles/queries/alike.server.ts";
import type { CreatorListItem } from "#app/domain/profiles/queries.server.ts";

const POSTS_READ = 10;
const PEOPLE_SHOWN = 4;

/** What a new subscriber does next: a post to begin with, and whom else to follow. */
export type AfterPayment = {
  firstPost: { path: string; title: string } | null;
  people: CreatorListItem[];
};

/** Reads both in one round trip. Of the posts only what the member can open now is named. */
export async function afterPayment(
  ctx: Context,
  { memberId, creatorUsername }: { memberId: string; creatorUsername: string },
): Promise<AfterPayment> {
  const asked = { authorKey: creatorUsername, viewerId: memberId };
  const [pinned, latest, people] = await ctx.db.batch([
    pinnedPostsStatement(ctx, asked),
    spacePostsStatement(ctx, { ...asked, cursor: null, limit: POSTS_READ }),
    creatorsAlikeStatement(ctx, {
      creatorKey: creatorUsername,
      viewerId: memberId,
      limit: PEOPLE_SHOWN,
    }),
  ]);
  const post = firstPost(
    cardsFromRows(ctx, pinned, memberId, POSTS_READ).items,
    cardsFromRows(ctx, latest, memberId, POSTS_READ).items,
  );
  return { firstPost: post && { path: `/post/${post.id}`, title: post.title }, people };
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
