import { quoted } from "#app/domain/text.ts";
import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { AccessRule } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { RateLimitedAction } from "#app/domain/rate-limits/schema.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { prepareImage } from "#app/domain/media/commands.server.ts";
import type { PickedMedia } from "#app/domain/media/schema.ts";
import { PostChangedElsewhere, TooManyPublications } from "#app/domain/posts/errors.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import type { StoredPost } from "#app/domain/posts/queries/studio.server.ts";
import { DRAFT_RATE_LIMITS, PUBLICATION_RATE_LIMITS } from "#app/domain/posts/rules/limits.ts";
import type { MailAudience } from "#app/domain/posts/schema.ts";
import type { PollDraft } from "#app/domain/posts/schema/polls.ts";
import type { Instant } from "#app/domain/time.ts";
import { attachMediaStatements } from "./attach-media.server.ts";
import { pollStatements, refusePollTextChange } from "./polls.server.ts";
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
export async function savePost(
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
  try {
    await commit(ctx.db, [
      ...(counted ? rateLimitStatements(ctx, counted) : []),
      postStatement(ctx, composition, stored, { ...change, version }),
      ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId)),
      ...composition.rules.map((rule) =>
        ctx.db.insert(postAccessRules).values({ id: ctx.newId(), postId, ...rule }),
      ),
      ...attached,
      ...imageStatements(ctx, composition, image),
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

/** Returns the image to upload. Its default description names the post. */
function uploadOf(image: { bytes: ArrayBuffer; alt: string }, title: string) {
  return {
    bytes: image.bytes,
    alt: image.alt || `Imagem da publicação ${quoted(title)}`,
    purpose: "post" as const,
    field: "image",
  };
}

/** Writes the texts. Throws StaleWrite if the version or the state changed since it was read. */
function postStatement(
  ctx: Context,
  composition: Composition,
  stored: StoredPost | null,
  change: PublicationChange & { version: number },
): BatchWrite {
  const { postId, authorId } = composition;
  const now = ctx.now();
  const texts = {
    title: composition.title,
    teaser: composition.teaser,
    content: composition.content,
    isSensitive: composition.isSensitive,
    // A published post was sent already, or is not sent any more.
    ...(stored?.state === "published" ? {} : { mailTo: composition.mailTo ?? "nobody" }),
    savedByTab: composition.tab,
    updatedAt: now,
    ...(change.state === "published" && stored?.state === "published"
      ? {}
      : { actedBy: composition.actedBy ?? null }),
    ...change,
  };
  return stored
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
}

/** Puts a new image first. Also removes the current one where the composer sent no list of files. */
function imageStatements(
  ctx: Context,
  { postId, media, removesImage }: Composition,
  image: Awaited<ReturnType<typeof prepareImage>> | null,
): BatchWrite[] {
  const clearsImage = image !== null || removesImage;
  return [
    ...(clearsImage && media === null
      ? [ctx.db.delete(postMedia).where(eq(postMedia.postId, postId))]
      : []),
    ...(image
      ? [
          image.statement,
          ctx.db.insert(postMedia).values({ postId, mediaId: image.mediaId, position: 0 }),
        ]
      : []),
  ];
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
