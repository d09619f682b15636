import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { listableTo, subscribesTo, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { MailAudience } from "#app/domain/posts/schema.ts";

export type NewsletterPage = {
  authorId: string;
  personIds: string[];
  /** The last person of the page; null at the end. */
  next: string | null;
};

/**
 * Reads one page of the people who get a post by email: of its author's followers and subscribers,
 * by id after `after`, those to whom its author mails it. Each page reads the same number of rows.
 * "paused" while the post is taken down or held; null for a post that nobody gets by email.
 */
export async function newsletterPage(
  ctx: Context,
  { postId, after, limit }: { postId: string; after: string; limit: number },
): Promise<NewsletterPage | "paused" | null> {
  const post = await mailedPost(ctx, { postId });
  if (!post) return null;
  if (post.isPaused) return "paused";
  const { authorId, mailTo } = post;
  const followers = sql`SELECT * FROM (SELECT follower_id AS person_id FROM follows WHERE creator_id = ${authorId} AND follower_id > ${after} ORDER BY follower_id LIMIT ${limit})`;
  const fans = sql`SELECT * FROM (SELECT DISTINCT fan_id AS person_id FROM subscriptions WHERE creator_id = ${authorId} AND fan_id > ${after} ORDER BY fan_id LIMIT ${limit})`;
  const rows = await ctx.db.all<{ personId: string; isMailed: number }>(sql`
    SELECT audience.person_id AS "personId", (audience.person_id <> posts.author_id AND ${isMailed(ctx, mailTo, sql`audience.person_id`)}) AS "isMailed"
    FROM (SELECT person_id FROM (${mailTo === "subscribers" ? fans : sql`${followers} UNION ${fans}`}) ORDER BY person_id LIMIT ${limit}) audience JOIN posts ON posts.id = ${postId}
    ORDER BY audience.person_id`);
  return {
    authorId,
    personIds: rows.filter((row) => row.isMailed === 1).map(({ personId }) => personId),
    next: rows.length === limit ? (rows.at(-1)?.personId ?? null) : null,
  };
}

/** Reads who gets a post by email; null for a post that nobody gets. */
export async function mailedPost(
  ctx: Context,
  { postId }: { postId: string },
): Promise<{ authorId: string; mailTo: MailAudience; isPaused: boolean } | null> {
  const [post] = await ctx.db.all<{ authorId: string; mailTo: MailAudience; isUp: number }>(
    sql`SELECT author_id AS "authorId", mail_to AS "mailTo", (state = 'published' AND held_at IS NULL) AS "isUp" FROM posts WHERE id = ${postId} AND deleted_at IS NULL`,
  );
  if (!post || post.mailTo === "nobody") return null;
  return { authorId: post.authorId, mailTo: post.mailTo, isPaused: post.isUp === 0 };
}

/** Whether a person gets the post by email at this moment, as a condition on `posts`. */
export function isMailed(ctx: Context, mailTo: MailAudience, personId: SQL): SQL {
  const now = ctx.now();
  const { adultSpaces } = ctx.settings;
  const follows = sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${personId} AND f.creator_id = posts.author_id)`;
  const subscribes = subscribesTo(personId, sql`posts.author_id`, now);
  const isListable = sql`(posts.state = 'published' AND posts.held_at IS NULL AND ${listableTo(personId, now, adultSpaces)})`;
  switch (mailTo) {
    case "nobody":
      return sql`0`;
    case "subscribers":
      return sql`(${isListable} AND ${subscribes})`;
    case "readers":
      return sql`(${isListable} AND (${follows} OR ${subscribes}) AND ${visibleTo(personId, now, adultSpaces)})`;
    case "everyone":
      return sql`(${isListable} AND (${follows} OR ${subscribes}))`;
  }
}
