import { quoted } from "#app/domain/text.ts";
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
import type { MailAudience } from "#app/domain/posts/schema.ts";
import type { PollDraft } from "#app/domain/posts/schema/polls.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { attachMediaStatements } from "./attach-media.server.ts";
import { pollStatements, refusePollTextChange, refuseInvalidPoll } from "./polls.server.ts";
import { postAccessRules, postMedia, posts } from "#drizzle/schema/posts.ts";

/**
 * What a composer sends. The empty form creates `postId`. `version` 0 means never saved. `tab`
 * identifies the open composer.
 */
export type Composition = {
  postId: string;
  version: number;
  tab: string;
  authorId: string;
  /** The team member who writes; null when the author does. */
  actedBy?: string | null;
  title: string;
  content: string;
  teaser: string;
  isSensitive: boolean;
  /** Who gets it by email when it is published; nobody, if left out. */
  mailTo?: MailAudience;
  rules: AccessRule[];
  image: { bytes: ArrayBuffer; alt: string } | null;
  /** All files in their order; null keeps the current ones. */
  media: PickedMedia[] | null;
  removesImage: boolean;
  /** Null removes the poll; undefined keeps it. */
  poll?: PollDraft | null;
  /** Writes that join the batch, such as a place in a collection. */
  extraWrites?: readonly BatchWrite[];
  /** Translates an error of `extraWrites` into a refusal; null for any other error. */
  extraWritesRefusal?: (error: unknown) => Error | null;
};

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

type PublicationChange = {
  state: "draft" | "scheduled" | "published";
  scheduledAt?: Instant | null;
  publishedAt?: Instant;
  editedAt?: Instant;
};

/**
 * Writes text, rules, poll and image in one batch, over exactly the version that was read. Returns
 * the new version.
 */
async function savePost(
  ctx: Context,
  composition: Composition,
  stored: StoredPost | null,
  change: PublicationChange,
  extraWrites: readonly BatchWrite[] = [],
): Promise<number> {
  const { postId, authorId } = composition;
  if (composition.poll) refusePollTextChange(composition.poll, stored?.poll ?? null);
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
  const version = (stored?.version ?? 0) + 1;
  const counted = countedAct({ authorId, from: stored?.state ?? null, to: change.state });
  const now = ctx.now();
  const texts = {
    title: composition.title,
    teaser: composition.teaser,
    content: composition.content,
    isSensitive: composition.isSensitive,
    // A published post was sent already, or is not sent any more.
    ...(stored?.state === "published" ? {} : { mailTo: composition.mailTo ?? "nobody" }),
    version,
    savedByTab: composition.tab,
    updatedAt: now,
    ...(change.state === "published" && stored?.state === "published"
      ? {}
      : { actedBy: composition.actedBy ?? null }),
    ...change,
  };
  const row = stored
    ? mustChangeOne(
        ctx.db
          .update(posts)
          .set(texts)
          .where(
            and(
              eq(posts.id, postId),
              eq(posts.version, stored.version),
              eq(posts.state, stored.state),
              isNull(posts.deletedAt),
            ),
          ),
      )
    : ctx.db.insert(posts).values({ id: postId, authorId, createdAt: now, ...texts });
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
        : pollStatements(ctx, { postId, poll: composition.poll, stored: stored?.poll ?? null })),
      ...(composition.extraWrites ?? []),
      ...extraWrites,
    ]);
  } catch (error) {
    throw await refusalOfKeeping(ctx, { composition, stored, counted }, error);
  }
  return version;
}

/**
 * Returns the rate-limited action of a publication, or of a draft's first save. Later changes do
 * not count.
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
 * Returns the refusal for a failed save: another composer or a first vote came first, a file was
 * swept, or a limit was reached.
 */
async function refusalOfKeeping(
  ctx: Context,
  {
    composition,
    stored,
    counted,
  }: { composition: Composition; stored: StoredPost | null; counted: RateLimitedAction | null },
  error: unknown,
): Promise<unknown> {
  const { postId, authorId, media } = composition;
  const refusal = composition.extraWritesRefusal?.(error);
  if (refusal) return refusal;
  if (error instanceof UniqueViolation || error instanceof RuleViolation)
    return new PostChangedElsewhere();
  if (!(error instanceof StaleWrite)) return error;
  const now = await storedPost(ctx, { postId });
  if (
    now?.version !== stored?.version ||
    now?.state !== stored?.state ||
    now?.deletedAt !== stored?.deletedAt
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

/** Returns the image to upload. Its default description names the post. */
function uploadOf(image: { bytes: ArrayBuffer; alt: string }, title: string) {
  return {
    bytes: image.bytes,
    alt: image.alt || `Imagem da publicação ${quoted(title)}`,
    purpose: "post" as const,
    field: "image",
  };
}
