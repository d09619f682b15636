import type { Context } from "#app/domain/context.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PostMessage } from "#app/domain/posts/schema/outbox.ts";
import { SellerNotReady } from "#app/domain/plans/errors.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { sellingProblem } from "#app/domain/plans/rules.ts";
import {
  AlreadyPublished,
  NotACreator,
  NotPublished,
  PlanNotYours,
  PostChangedElsewhere,
  PostNotFound,
  ScheduledPostNeedsText,
  ScheduleInThePast,
  ScheduleTooFar,
} from "#app/domain/posts/errors.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import type { StoredPost } from "#app/domain/posts/queries/studio.server.ts";
import { canOverwrite, scheduleProblem } from "#app/domain/posts/rules/composing.ts";
import type { MailAudience } from "#app/domain/posts/schema.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { refuseInvalidPoll } from "./polls.server.ts";
import { savePost } from "./save.server.ts";
import type { Composition } from "./save.server.ts";

/**
 * Saves a draft, or the new text of a scheduled post, without publishing it. Returns the version
 * that the next save replaces. Refuses authors without a page, newer saves of another composer,
 * published posts, and scheduled posts without text.
 */
export async function saveDraft(
  ctx: Context,
  composition: Composition,
): Promise<{ version: number; state: "draft" | "scheduled" }> {
  return await overOwnSaves(ctx, composition, () => saveDraftOnce(ctx, composition));
}

async function saveDraftOnce(
  ctx: Context,
  composition: Composition,
): Promise<{ version: number; state: "draft" | "scheduled" }> {
  const { stored } = await editable(ctx, composition);
  if (stored?.state === "published") throw new AlreadyPublished();
  const state = stored?.state ?? "draft";
  if (state === "scheduled" && (composition.title === "" || composition.content.trim() === ""))
    throw new ScheduledPostNeedsText();
  if (state === "scheduled")
    refuseInvalidPoll(composition.poll ?? null, {
      at: stored?.scheduledAt ?? ctx.now(),
      stored: stored?.poll ?? null,
    });
  const version = await savePost(ctx, composition, stored, { state });
  return { version, state };
}

/**
 * Publishes at once (`at` null) or schedules for `at`. A repeated request of the same composer does
 * nothing. Refuses authors without a page, inactive plans or those of others, and prices of authors
 * who cannot sell. Refuses past schedules, incomplete polls, too many publications, and newer saves
 * of another composer.
 */
export async function publishComposition(
  ctx: Context,
  composition: Composition & { at: Instant | null },
): Promise<void> {
  await overOwnSaves(ctx, composition, () => publishOnce(ctx, composition));
  if (composition.at === null) await wakeNotifications(ctx, composition.postId, composition.mailTo);
}

async function publishOnce(
  ctx: Context,
  composition: Composition & { at: Instant | null },
): Promise<void> {
  const { author, stored } = await editable(ctx, composition);
  if (stored?.state === "published") {
    if (stored.savedByTab === composition.tab) return;
    throw new AlreadyPublished();
  }
  await refuseOthersPlans(ctx, composition, stored);
  await refuseNewPrice(ctx, composition, stored);
  const now = ctx.now();
  const { at } = composition;
  if (at !== null) {
    refuseSchedule(at, now);
    refuseInvalidPoll(composition.poll ?? null, { at, stored: stored?.poll ?? null });
    await savePost(ctx, composition, stored, { state: "scheduled", scheduledAt: at });
    return;
  }
  refuseInvalidPoll(composition.poll ?? null, { at: now, stored: stored?.poll ?? null });
  await savePost(
    ctx,
    composition,
    stored,
    { state: "published", scheduledAt: null, publishedAt: stored?.publishedAt ?? now },
    postPublishedStatements(ctx, { ...composition, authorName: author.name }),
  );
}

/**
 * Changes a published post, which is then labeled "editado". Refuses what `publishComposition`
 * refuses, and posts that are not published.
 */
export async function editPost(ctx: Context, composition: Composition): Promise<void> {
  await overOwnSaves(ctx, composition, () => editOnce(ctx, composition));
}

async function editOnce(ctx: Context, composition: Composition): Promise<void> {
  const { stored } = await editable(ctx, composition);
  if (!stored) throw new PostNotFound();
  if (stored.state !== "published") throw new NotPublished();
  await refuseOthersPlans(ctx, composition, stored);
  refuseInvalidPoll(composition.poll ?? null, { at: ctx.now(), stored: stored.poll });
  await refuseNewPrice(ctx, composition, stored);
  await savePost(ctx, composition, stored, { state: "published", editedAt: ctx.now() });
}

/**
 * Announces a publication, and its newsletter where somebody gets it by email, each once for ever.
 * A post published again after a pause notifies nobody twice.
 */
export function postPublishedStatements(
  ctx: Context,
  {
    postId,
    authorId,
    authorName,
    title,
    mailTo = "nobody",
  }: Pick<Composition, "postId" | "authorId" | "title" | "mailTo"> & { authorName: string },
) {
  const about = { postId, postTitle: title, authorId, authorName };
  return [
    announce<PostMessage>(ctx, publishedKey(postId), { type: "post.published", ...about }),
    ...(mailTo === "nobody"
      ? []
      : [announce<PostMessage>(ctx, newsletterKey(postId), { type: "post.mailed", ...about })]),
  ];
}

/**
 * Enqueues the announcements for the notifications worker. The sweeper delivers them if these
 * messages are lost.
 */
export async function wakeNotifications(
  ctx: Context,
  postId: string,
  mailTo: MailAudience = "nobody",
): Promise<void> {
  const keys = [publishedKey(postId), ...(mailTo === "nobody" ? [] : [newsletterKey(postId)])];
  await ctx.queues.fanOut.sendAll(
    keys.map((id) => ({ version: 1, type: "outbox.deliver", id }) as const),
  );
}

const publishedKey = (postId: string) => `post:${postId}:published`;
const newsletterKey = (postId: string) => `post:${postId}:mailed`;

/**
 * Reads the saved post of the composition's id; null when none is saved. Refuses authors without a
 * page, other authors' posts, and newer saves of another composer.
 */
async function editable(
  ctx: Context,
  composition: Composition,
): Promise<{ author: { name: string }; stored: StoredPost | null }> {
  const [author, stored] = await Promise.all([
    profileOfPerson(ctx, { personId: composition.authorId }),
    storedPost(ctx, { postId: composition.postId }),
  ]);
  if (!author?.isCreator) throw new NotACreator();
  if (!stored) {
    if (composition.version > 0) throw new PostNotFound();
    return { author, stored };
  }
  if (stored.authorId !== composition.authorId || stored.deletedAt !== null)
    throw new PostNotFound();
  if (!canOverwrite(stored, composition)) throw new PostChangedElsewhere();
  return { author, stored };
}

/** How often a save of one composer may meet an earlier save of the same one. */
const OWN_SAVES_MET = 3;

/**
 * Runs `attempt` again when a save of the same composer was written between its read and its write,
 * such as an automatic save that is still on its way when the writer publishes. A save of another
 * composer is refused as before.
 */
async function overOwnSaves<Result>(
  ctx: Context,
  { postId, tab }: Composition,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let left = OWN_SAVES_MET; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PostChangedElsewhere) || left === 0) throw error;
      if ((await storedPost(ctx, { postId }))?.savedByTab !== tab) throw error;
    }
  }
}

function refuseSchedule(at: Instant, now: Instant): void {
  const problem = scheduleProblem(at, now);
  if (problem === "past") throw new ScheduleInThePast();
  if (problem === "far") throw new ScheduleTooFar();
}

/**
 * Refuses plans of other creators and archived plans. A plan that the published post already names
 * may be archived: its subscribers keep the post.
 */
async function refuseOthersPlans(
  ctx: Context,
  { authorId, rules }: Composition,
  stored: StoredPost | null,
): Promise<void> {
  const planIds = rules.flatMap((rule) =>
    rule.kind === "plan" && rule.planId ? [rule.planId] : [],
  );
  if (planIds.length === 0) return;
  const own = await plansOfCreator(ctx, { creatorId: authorId, states: ["active", "archived"] });
  const named = stored?.state === "published" ? stored.planIds : [];
  const isOpenTo = (planId: string) =>
    own.some((plan) => plan.id === planId && (plan.state === "active" || named.includes(planId)));
  if (!planIds.every(isOpenTo)) throw new PlanNotYours();
}

/**
 * Refuses a price of an author who cannot sell. A post that was sold already can be edited,
 * whatever its seller's status.
 */
async function refuseNewPrice(
  ctx: Context,
  { authorId, rules }: Composition,
  stored: StoredPost | null,
): Promise<void> {
  if (
    !rules.some((rule) => rule.kind === "price") ||
    (stored?.state === "published" && stored.isSold)
  )
    return;
  const problem = sellingProblem(await documentsOfPerson(ctx, { personId: authorId }), ctx.now());
  if (problem) throw new SellerNotReady(problem);
}
