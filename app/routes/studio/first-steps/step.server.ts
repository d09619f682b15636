import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import type { PreviewedPage } from "#app/components/first-steps/page-preview.tsx";
import type { Context } from "#app/domain/context.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { firstStepsStatement } from "#app/domain/plans/first-steps/queries.server.ts";
import {
  firstStepAfter,
  firstStepPath,
  firstSteps,
  nextFirstStep,
} from "#app/domain/plans/first-steps/rules.ts";
import type { FirstStep, FirstStepKey } from "#app/domain/plans/first-steps/rules.ts";
import { plansFromRows, plansOfCreatorStatement } from "#app/domain/plans/queries.server.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { cardsFromRows, spacePostsStatement } from "#app/domain/posts/queries.server.ts";
import { profileStatement } from "#app/domain/profiles/queries.server.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { actorConflictContext, actorContext, domainContext } from "#app/http/contexts.ts";

const POSTS_PREVIEWED = 2;

type RouteContext = { context: Readonly<RouterContextProvider> };

export type LoadedStep = {
  steps: FirstStep[];
  preview: PreviewedPage;
  profile: PublicProfile;
  plans: Plan[];
};

/**
 * Loads what every step's screen shows, in one round trip: the steps and the page so far. Redirects
 * a member without a page to open one, and a member who acts for a team's page to that page: the
 * steps are of the member's own page. After a form was refused because the member switched pages,
 * the step is shown again as typed.
 */
export async function loadStep({ context }: RouteContext): Promise<LoadedStep> {
  const isConflict = context.get(actorConflictContext);
  const { member, isOwn } = isConflict
    ? context.get(actorContext)
    : requireActor({ context }, "space:see");
  if (!isOwn && !isConflict) throw redirect("/me");
  const ctx = context.get(domainContext);
  const creatorId = member.id;
  const [[page], [profile], planRows, postRows] = await ctx.db.batch([
    firstStepsStatement(ctx, { creatorId }),
    profileStatement(ctx, { personId: creatorId }),
    plansOfCreatorStatement(ctx, { creatorId, states: ["active", "draft"] }),
    spacePostsStatement(ctx, {
      authorKey: creatorId,
      viewerId: creatorId,
      cursor: null,
      limit: POSTS_PREVIEWED,
    }),
  ]);
  if (!page || !profile) throw redirect("/space/create");
  const { isClosed: _, ...snapshot } = page;
  const plans = plansFromRows(planRows);
  const posts = cardsFromRows(ctx, postRows, creatorId, POSTS_PREVIEWED).items;
  return { steps: firstSteps(snapshot), preview: previewOf(profile, plans, posts), profile, plans };
}

function previewOf(
  { username, name, craft, city, bio, avatarMediaId, bannerMediaId }: PublicProfile,
  plans: Plan[],
  posts: { id: string; title: string }[],
): PreviewedPage {
  return {
    username,
    name,
    craft,
    city,
    bio,
    avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
    bannerUrl: bannerMediaId && mediaUrl(bannerMediaId, "1280"),
    plans: plans.flatMap(({ id, name: planName, prices: [price], state }) =>
      price ? [{ ...price, id, name: planName, isDraft: state === "draft" }] : [],
    ),
    posts: posts.map(({ id, title }) => ({ id, title })),
  };
}

/** The screen behind the step `after`, for a route that just changed something. */
export async function firstStepPathOf(
  ctx: Context,
  { creatorId, after }: { creatorId: string; after: FirstStepKey },
): Promise<string> {
  const read = stepsOfRows(await firstStepsStatement(ctx, { creatorId }));
  return firstStepPath(read && firstStepAfter(read.steps, after));
}

/**
 * The screen to go on with once `after` was handled elsewhere: the first step behind it, else one
 * that was skipped. Null when all are done, and when the creator hid the list.
 */
export async function openFirstStepPath(
  ctx: Context,
  { creatorId, after }: { creatorId: string; after: FirstStepKey },
): Promise<string | null> {
  return openStepPathOf(await firstStepsStatement(ctx, { creatorId }), after);
}

type FirstStepsRows = Awaited<ReturnType<typeof firstStepsStatement>>;

/** `openFirstStepPath` of the rows that `firstStepsStatement` read. */
export function openStepPathOf(rows: FirstStepsRows, after: FirstStepKey): string | null {
  const read = stepsOfRows(rows);
  if (!read || read.isClosed) return null;
  const next = firstStepAfter(read.steps, after) ?? nextFirstStep(read.steps);
  return next && firstStepPath(next);
}

function stepsOfRows([page]: FirstStepsRows) {
  if (!page) return null;
  const { isClosed, ...snapshot } = page;
  return { isClosed, steps: firstSteps(snapshot) };
}
