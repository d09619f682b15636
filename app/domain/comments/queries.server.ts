import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { blockBetween, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Comment } from "#app/domain/comments/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

type CommentListing = { postId: string; viewerId: string | null; cursor: string | null; limit: number };

/** The statement behind `commentsOf`. Comments follow the access of their post, and leave out whoever blocked or is blocked. */
export function commentsStatement(ctx: Context, { postId, viewerId, cursor, limit }: CommentListing) {
  const last = decodeCursor(cursor);
  return ctx.db
    .select({
      id: sql<string>`comments.id`.as("comment_id"),
      body: comments.body,
      createdAt: sql<number>`comments.created_at`.as("commented_at"),
      authorId: comments.authorId,
      authorName: profiles.name,
      authorUsername: profiles.username,
      authorAvatarMediaId: profiles.avatarMediaId,
    })
    .from(comments)
    .innerJoin(posts, eq(posts.id, comments.postId))
    .innerJoin(profiles, eq(profiles.personId, comments.authorId))
    .where(
      and(
        eq(comments.postId, postId),
        isNull(comments.deletedAt),
        visibleTo(viewerId, ctx.now()),
        sql`NOT ${blockBetween(viewerId, sql`comments.author_id`)}`,
        last ? sql`(comments.created_at, comments.id) < (${last.at}, ${last.id})` : undefined,
      ),
    )
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(limit + 1);
}

export type CommentRow = Awaited<ReturnType<typeof commentsStatement>>[number];

export function commentsFromRows(rows: CommentRow[], limit: number): Page<Comment> {
  const page = pageOf(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { items: page.items.map(commentFromRow), next: page.next };
}

/** Comments of a post that `viewerId` may see, newest first; empty when the post is closed to them. */
export async function commentsOf(ctx: Context, input: CommentListing): Promise<Page<Comment>> {
  return commentsFromRows(await commentsStatement(ctx, input), input.limit);
}

function commentFromRow(row: CommentRow): Comment {
  const author = { id: row.authorId, name: row.authorName, username: row.authorUsername, avatarMediaId: row.authorAvatarMediaId };
  return { id: row.id, body: row.body, createdAt: row.createdAt, author };
}
