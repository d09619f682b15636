import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { AccessRule } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { RateLimitedAction } from "#app/domain/rate-limits/schema.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { prepareImage } from "#app/domain/media/commands.server.ts";
import type { PickedMedia } from "#app/domain/media/schema.ts";
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
  TooManyPublications,
} from "#app/domain/posts/errors.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import type { StoredPost } from "#app/domain/posts/queries/studio.server.ts";
import { canOverwrite, scheduleProblem } from "#app/domain/posts/rules/composing.ts";
import { DRAFT_RATE_LIMITS, PUBLICATION_RATE_LIMITS } from "#app/domain/posts/rules/limits.ts";
import type { PollDraft } from "#app/domain/posts/schema/polls.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { attachMediaStatements } from "./attach-media.server.ts";
import { pollStatements, refusePollTextChange, refuseInvalidPoll } from "./polls.server.ts";
import { postAccessRules, postMedia, posts } from "#drizzle/schema/posts.ts";

/**
 * What a composer holds. `postId` is made with the empty form; `version` 0 was never kept; `tab`
 * names the open composer.
 */
export type Composition = {
  postId: string;
  version: number;
  tab: string;
  authorId: string;
  /** Who of the author's team writes; nobody when the author does. */
  actedBy?: string | null;
  title: string;
  content: string;
  teaser: string;
  isSensitive: boolean;
  rules: AccessRule[];
  image: { bytes: ArrayBuffer; alt: string } | null;
  /** All its files in their order; null leaves those that it has. */
  media: PickedMedia[] | null;
  removesImage: boolean;
  /** Null is none; left out, the one that it has stays. */
  poll?: PollDraft | null;
  /** What must be kept together with it, as its place in a collection. */
  extraWrites?: readonly BatchWrite[];
  /** What an error of `alongside` means to whoever composes; null for any other. */
  alongsideRefusal?: (error: unknown) => Error | null;
};

/**
 * Keeps a draft, or what a scheduled post will say, with nothing of it public. Gives the version to
 * save over next. Refuses who has no page, what another composer saved since, what is published
 * already, and a scheduled post without words.
 */
export async function saveDraft(
  ctx: Context,
  composition: Composition,
): Promise<{ version: number; state: "draft" | "scheduled" }> {
  const { kept } = await editable(ctx, composition);
  if (kept?.state === "published") throw new AlreadyPublished();
  const state = kept?.state ?? "draft";
  if (state === "scheduled" && (composition.title === "" || composition.content.trim() === ""))
    throw new ScheduledPostNeedsText();
  if (state === "scheduled")
    refuseInvalidPoll(composition.poll ?? null, {
      at: kept?.scheduledAt ?? ctx.now(),
      kept: kept?.poll ?? null,
    });
  const version = await keep(ctx, composition, kept, { state });
  return { version, state };
}

/**
 * Publishes at once (`at` null) or at a later instant. The same composer may send twice: the second
 * finds it done. Refuses who has no page, a plan that is not an active one of theirs, a price of
 * who may not sell, a schedule in the past, a poll that is not whole, a flood, and what another
 * composer saved since.
 */
export async function publishComposition(
  ctx: Context,
  composition: Composition & { at: Instant | null },
): Promise<void> {
  const { author, kept } = await editable(ctx, composition);
  if (kept?.state === "published") {
    if (kept.savedByTab === composition.tab) return;
    throw new AlreadyPublished();
  }
  await refuseOthersPlans(ctx, composition, kept);
  await refuseNewPrice(ctx, composition, kept);
  const now = ctx.now();
  const { at } = composition;
  if (at !== null) {
    refuseSchedule(at, now);
    refuseInvalidPoll(composition.poll ?? null, { at, kept: kept?.poll ?? null });
    await keep(ctx, composition, kept, { state: "scheduled", scheduledAt: at });
    return;
  }
  refuseInvalidPoll(composition.poll ?? null, { at: now, kept: kept?.poll ?? null });
  await keep(
    ctx,
    composition,
    kept,
    { state: "published", scheduledAt: null, publishedAt: kept?.publishedAt ?? now },
    [postPublishedStatement(ctx, { ...composition, authorName: author.name })],
  );
  await wakeNotifications(ctx, composition.postId);
}

/**
 * Changes what is published, which from then on says "editado". Refuses what `publishComposition`
 * refuses, and what is not published.
 */
export async function editPost(ctx: Context, composition: Composition): Promise<void> {
  const { kept } = await editable(ctx, composition);
  if (!kept) throw new PostNotFound();
  if (kept.state !== "published") throw new NotPublished();
  await refuseOthersPlans(ctx, composition, kept);
  refuseInvalidPoll(composition.poll ?? null, { at: ctx.now(), kept: kept.poll });
  await refuseNewPrice(ctx, composition, kept);
  await keep(ctx, composition, kept, { state: "published", editedAt: ctx.now() });
}

/**
 * The announcement of a publication, once for ever: publishing again after a pause tells nobody
 * twice.
 */
export function postPublishedStatement(
  ctx: Context,
  {
    postId,
    authorId,
    authorName,
    title,
  }: Pick<Composition, "postId" | "authorId" | "title"> & { authorName: string },
) {
  return announce<PostMessage>(ctx, publishedKey(postId), {
    type: "post.published",
    postId,
    postTitle: title,
    authorId,
    authorName,
  });
}

/** Tells the notifications worker now; its sweeper finds what this loses. */
export async function wakeNotifications(ctx: Context, postId: string): Promise<void> {
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: publishedKey(postId),
  });
}

const publishedKey = (postId: string) => `post:${postId}:published`;

/**
 * What is kept under the composition's id, null when nothing yet. Refuses who has no page, and what
 * is another's or was saved elsewhere since.
 */
async function editable(
  ctx: Context,
  composition: Composition,
): Promise<{ author: { name: string }; kept: StoredPost | null }> {
  const [author, kept] = await Promise.all([
    profileOfPerson(ctx, { personId: composition.authorId }),
    storedPost(ctx, { postId: composition.postId }),
  ]);
  if (!author?.isCreator) throw new NotACreator();
  if (!kept) {
    if (composition.version > 0) throw new PostNotFound();
    return { author, kept };
  }
  if (kept.authorId !== composition.authorId || kept.deletedAt !== null) throw new PostNotFound();
  if (!canOverwrite(kept, composition)) throw new PostChangedElsewhere();
  return { author, kept };
}

type PublicationChange = {
  state: "draft" | "scheduled" | "published";
  scheduledAt?: Instant | null;
  publishedAt?: Instant;
  editedAt?: Instant;
};

/**
 * Writes words, rules, poll and image in one batch, over exactly the version that was read. Gives
 * the new version.
 */
async function keep(
  ctx: Context,
  composition: Composition,
  kept: StoredPost | null,
  change: PublicationChange,
  extraWrites: readonly BatchWrite[] = [],
): Promise<number> {
  const { postId, authorId } = composition;
  if (composition.poll) refusePollTextChange(composition.poll, kept?.poll ?? null);
  const image = composition.image
    ? await prepareImage(ctx, {
        ...uploadOf(composition.image, composition.title),
        ownerId: authorId,
      })
    : null;
  const attached = composition.media
    ? await attachMediaStatements(ctx, {
        postId,
        ownerId: authorId,
        media: composition.media,
        after: image ? 1 : 0,
      })
    : [];
  const version = (kept?.version ?? 0) + 1;
  const counted = countedAct({ authorId, from: kept?.state ?? null, to: change.state });
  const now = ctx.now();
  const words = {
    title: composition.title,
    teaser: composition.teaser,
    content: composition.content,
    isSensitive: composition.isSensitive,
    version,
    savedByTab: composition.tab,
    updatedAt: now,
    ...(change.state === "published" && kept?.state === "published"
      ? {}
      : { actedBy: composition.actedBy ?? null }),
    ...change,
  };
  const row = kept
    ? mustChangeOne(
        ctx.db
          .update(posts)
          .set(words)
          .where(
            and(
              eq(posts.id, postId),
              eq(posts.version, kept.version),
              eq(posts.state, kept.state),
              isNull(posts.deletedAt),
            ),
          ),
      )
    : ctx.db.insert(posts).values({ id: postId, authorId, createdAt: now, ...words });
  const clearsImage = image !== null || composition.removesImage;
  try {
    await commit(ctx.db, [
      ...(counted ? rateLimitStatements(ctx, counted) : []),
      row,
      ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId)),
      ...composition.rules.map((rule) =>
        ctx.db.insert(postAccessRules).values({ id: ctx.newId(), postId, ...rule }),
      ),
      ...attached,
      ...(clearsImage && composition.media === null
        ? [ctx.db.delete(postMedia).where(eq(postMedia.postId, postId))]
        : []),
      ...(image
        ? [
            image.statement,
            ctx.db.insert(postMedia).values({ postId, mediaId: image.mediaId, position: 0 }),
          ]
        : []),
      ...(composition.poll === undefined
        ? []
        : pollStatements(ctx, { postId, poll: composition.poll, kept: kept?.poll ?? null })),
      ...(composition.extraWrites ?? []),
      ...extraWrites,
    ]);
  } catch (error) {
    throw await refusalOfKeeping(ctx, { composition, kept, counted }, error);
  }
  return version;
}

/**
 * What a publication, or the first save of a draft, counts towards; changes of what is there are
 * not counted.
 */
function countedAct({
  authorId,
  from,
  to,
}: {
  authorId: string;
  from: StoredPost["state"] | null;
  to: PublicationChange["state"];
}): RateLimitedAction | null {
  if (to !== "draft" && from !== to)
    return { act: "publish", personId: authorId, limits: PUBLICATION_RATE_LIMITS };
  return from === null ? { act: "draft", personId: authorId, limits: DRAFT_RATE_LIMITS } : null;
}

/**
 * Why nothing was kept: another composer or a first vote came between, a file was swept meanwhile,
 * or it was one too many.
 */
async function refusalOfKeeping(
  ctx: Context,
  {
    composition,
    kept,
    counted,
  }: { composition: Composition; kept: StoredPost | null; counted: RateLimitedAction | null },
  error: unknown,
): Promise<unknown> {
  const { postId, authorId, media } = composition;
  const beside = composition.alongsideRefusal?.(error);
  if (beside) return beside;
  if (error instanceof UniqueViolation || error instanceof RuleViolation)
    return new PostChangedElsewhere();
  if (!(error instanceof StaleWrite)) return error;
  const now = await storedPost(ctx, { postId });
  if (
    now?.version !== kept?.version ||
    now?.state !== kept?.state ||
    now?.deletedAt !== kept?.deletedAt
  )
    return new PostChangedElsewhere();
  if (media) await attachMediaStatements(ctx, { postId, ownerId: authorId, media });
  return counted
    ? new TooManyPublications(await rateLimitResetAt(ctx, counted))
    : new PostChangedElsewhere();
}

function refuseSchedule(at: Instant, now: Instant): void {
  const problem = scheduleProblem(at, now);
  if (problem === "past") throw new ScheduleInThePast();
  if (problem === "far") throw new ScheduleTooFar();
}

/**
 * A plan that a published post names already may have been archived since: its subscribers keep the
 * post.
 */
async function refuseOthersPlans(
  ctx: Context,
  { authorId, rules }: Composition,
  kept: StoredPost | null,
): Promise<void> {
  const planIds = rules.flatMap((rule) =>
    rule.kind === "plan" && rule.planId ? [rule.planId] : [],
  );
  if (planIds.length === 0) return;
  const own = await plansOfCreator(ctx, { creatorId: authorId, states: ["active", "archived"] });
  const named = kept?.state === "published" ? kept.planIds : [];
  const isOpenTo = (planId: string) =>
    own.some((plan) => plan.id === planId && (plan.state === "active" || named.includes(planId)));
  if (!planIds.every(isOpenTo)) throw new PlanNotYours();
}

/**
 * Only who may sell puts a price on a post; one that was sold already may be mended whatever became
 * of its seller.
 */
async function refuseNewPrice(
  ctx: Context,
  { authorId, rules }: Composition,
  kept: StoredPost | null,
): Promise<void> {
  if (!rules.some((rule) => rule.kind === "price") || (kept?.state === "published" && kept.isSold))
    return;
  const problem = sellingProblem(await documentsOfPerson(ctx, { personId: authorId }), ctx.now());
  if (problem) throw new SellerNotReady(problem);
}

/** An image that nobody described is at least said to be the post's. */
function uploadOf(image: { bytes: ArrayBuffer; alt: string }, title: string) {
  return {
    bytes: image.bytes,
    alt: image.alt || `Imagem da publicação “${title}”`,
    purpose: "post" as const,
    field: "image",
  };
}
