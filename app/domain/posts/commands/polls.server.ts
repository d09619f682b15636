import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import {
  PollChoiceNotFound,
  CannotVoteOwnPoll,
  PollClosed,
  PollInvalid,
  PostLocked,
  PostNotFound,
  TooManyVotes,
} from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { pollStatement } from "#app/domain/posts/queries/polls.server.ts";
import { VOTE_RATE_LIMITS } from "#app/domain/posts/rules/limits.ts";
import { encodeChoices, isPollClosed } from "#app/domain/posts/rules/polls.ts";
import { pollProblem } from "#app/domain/posts/schema/polls.ts";
import type { StoredPoll, PollDraft } from "#app/domain/posts/schema/polls.ts";
import type { Instant } from "#app/domain/time.ts";
import { postPollOptions, postPolls, postPollVotes, posts } from "#drizzle/schema/posts.ts";

/**
 * Builds the writes that replace the poll of a post by `poll`; null removes it. After the first
 * vote only the end time changes: the database refuses another text.
 */
export function pollStatements(
  ctx: Context,
  { postId, poll, stored }: { postId: string; poll: PollDraft | null; stored: StoredPoll | null },
): BatchWrite[] {
  if (stored && stored.votersCount > 0) {
    const closesAt = poll?.closesAt ?? null;
    return poll === null
      ? []
      : [ctx.db.update(postPolls).set({ closesAt }).where(eq(postPolls.postId, postId))];
  }
  return [
    ...(stored
      ? [
          ctx.db.delete(postPollOptions).where(eq(postPollOptions.postId, postId)),
          ctx.db.delete(postPolls).where(eq(postPolls.postId, postId)),
        ]
      : []),
    ...(poll
      ? [
          ctx.db.insert(postPolls).values({
            postId,
            question: poll.question,
            isMultiple: poll.isMultiple,
            closesAt: poll.closesAt,
          }),
        ]
      : []),
    ...(poll?.options ?? []).map((label, position) =>
      ctx.db.insert(postPollOptions).values({ postId, position, label }),
    ),
  ];
}

/** Refuses another text for a poll that has votes. */
export function refusePollTextChange(poll: PollDraft, stored: StoredPoll | null): void {
  if (!stored || stored.votersCount === 0) return;
  const asked = (one: PollDraft) => JSON.stringify([one.question, one.options, one.isMultiple]);
  if (asked(poll) !== asked(stored))
    throw new PollInvalid({
      field: "pollQuestion",
      message: "Já votaram nesta enquete: a pergunta e as opções não mudam mais.",
    });
}

/**
 * Refuses a poll that is not valid for publication at `at`, with an error beside its field. An end
 * time that is already stored may be past.
 */
export function refuseInvalidPoll(
  poll: PollDraft | null,
  { at, stored }: { at: Instant; stored: StoredPoll | null },
): void {
  if (!poll) return;
  const problem = pollProblem(poll);
  if (problem) throw new PollInvalid(problem);
  if (poll.closesAt === null || poll.closesAt > at || poll.closesAt === stored?.closesAt) return;
  throw new PollInvalid({
    field: "pollClosesAt",
    message:
      "A enquete precisa terminar depois que a publicação sair. Escolha outra hora, ou deixe em branco.",
  });
}

/**
 * Votes, or replaces the person's vote. Each person has one row, and triggers move the counters, so
 * parallel votes count right. The poll must be open when the row is written. Refuses the post's
 * author, a post that the person cannot see, and a closed poll. Refuses unknown choices, several
 * choices where one is allowed, and too many votes.
 */
export async function voteInPoll(
  ctx: Context,
  { postId, personId, places }: { postId: string; personId: string; places: readonly number[] },
): Promise<void> {
  const post = await postFor(ctx, { postId, viewerId: personId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible || post.state !== "published") throw new PostLocked();
  if (post.isOwn) throw new CannotVoteOwnPoll();
  const [now, choices] = [ctx.now(), encodeChoices(places)];
  const isOpen = sql`EXISTS (SELECT 1 FROM post_polls poll WHERE poll.post_id = ${postId} AND (poll.closes_at IS NULL OR poll.closes_at > ${now}))`;
  const vote = ctx.db
    .insert(postPollVotes)
    .select(
      sql`SELECT ${postId}, ${personId}, CAST(${choices} AS INTEGER), CAST(${now} AS INTEGER) WHERE ${isOpen}`,
    )
    .onConflictDoUpdate({
      target: [postPollVotes.postId, postPollVotes.personId],
      set: { choices, votedAt: now },
    });
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, { act: "vote", personId, limits: VOTE_RATE_LIMITS }),
      mustChangeOne(vote),
    ]);
  } catch (error) {
    if (error instanceof RuleViolation) throw new PollChoiceNotFound();
    if (!(error instanceof StaleWrite)) throw error;
    const [poll] = await pollStatement(ctx, { postId, viewerId: personId });
    if (!poll) throw new PostNotFound();
    throw isPollClosed(poll, now) ? new PollClosed() : new TooManyVotes();
  }
}

/** Ends the poll of the author's own published post now. Safe to repeat. Refuses PostNotFound. */
export async function closePoll(
  ctx: Context,
  { postId, authorId }: { postId: string; authorId: string },
): Promise<void> {
  const now = ctx.now();
  const isOwn = sql`EXISTS (SELECT 1 FROM ${posts} own WHERE own.id = ${postId} AND own.author_id = ${authorId} AND own.state = 'published' AND own.deleted_at IS NULL)`;
  const isOpen = or(isNull(postPolls.closesAt), gt(postPolls.closesAt, now));
  const [closed, [own]] = await ctx.db.batch([
    ctx.db
      .update(postPolls)
      .set({ closesAt: now })
      .where(and(eq(postPolls.postId, postId), isOpen, isOwn))
      .returning({ id: postPolls.postId }),
    ctx.db
      .select({ id: postPolls.postId })
      .from(postPolls)
      .where(and(eq(postPolls.postId, postId), isOwn)),
  ]);
  if (closed.length === 0 && !own) throw new PostNotFound();
}
