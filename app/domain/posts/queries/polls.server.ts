import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { pollForViewer } from "#app/domain/posts/rules/polls.ts";
import type { PollRow } from "#app/domain/posts/rules/polls.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import type { StoredPoll, Poll } from "#app/domain/posts/schema/polls.ts";
import { postPolls } from "#drizzle/schema/posts.ts";

/**
 * Builds the statement that reads a post's poll with the viewer's vote, for the page's batch.
 * `pollFromRow` parses its row.
 */
export function pollStatement(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string | null },
) {
  return ctx.db
    .select({
      question: postPolls.question,
      isMultiple: postPolls.isMultiple,
      closesAt: postPolls.closesAt,
      votersCount: postPolls.votersCount,
      choices: sql<
        number | null
      >`(SELECT own.choices FROM post_poll_votes own WHERE own.post_id = post_polls.post_id AND own.person_id = ${viewerId})`.as(
        "my_choices",
      ),
      options: sql<
        PollRow["options"]
      >`(SELECT json_group_array(json_object('position', o.position, 'label', o.label, 'votesCount', o.votes_count)) FROM (
        SELECT * FROM post_poll_options one WHERE one.post_id = post_polls.post_id ORDER BY one.position) o)`
        .mapWith((text: string): PollRow["options"] => JSON.parse(text))
        .as("poll_options"),
    })
    .from(postPolls)
    .where(eq(postPolls.postId, postId))
    .limit(1);
}

/**
 * Maps a row to the poll that its viewer sees. Null without a poll, and when the post is locked.
 * `isOwn` is true for the page's owner and team.
 */
export function pollFromRow(
  ctx: Context,
  row: PollRow | undefined,
  { post, isOwn }: { post: Pick<Post, "access">; isOwn: boolean },
): Poll | null {
  return row && post.access.visible ? pollForViewer(row, { isOwn, now: ctx.now() }) : null;
}

/**
 * Selects the poll of `postId` (an SQL expression) as its author wrote it, as one JSON value. Null
 * without one.
 */
export function storedPollJson(postId: SQL): SQL {
  return sql`(SELECT json_object('question', poll.question, 'isMultiple', json(iif(poll.is_multiple, 'true', 'false')), 'closesAt', poll.closes_at, 'votersCount', poll.voters_count,
    'options', json((SELECT json_group_array(o.label) FROM (SELECT one.label FROM post_poll_options one WHERE one.post_id = poll.post_id ORDER BY one.position) o)))
    FROM post_polls poll WHERE poll.post_id = ${postId})`;
}

/** Parses the result of `storedPollJson`. */
export const parseStoredPoll = (text: string | null): StoredPoll | null =>
  text === null ? null : (JSON.parse(text) as StoredPoll);
