import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor } from "#app/domain/page.ts";
import type { Cursor } from "#app/domain/page.ts";
import { discoveryDirty } from "#drizzle/schema/discovery.ts";
import { posts } from "#drizzle/schema/posts.ts";

/** An author whose posts are to be refreshed, starting after the cursor `after`. */
export type StaleAuthor = { id: string; after: string };

export async function staleAuthors(
  ctx: Context,
  { limit }: { limit: number },
): Promise<StaleAuthor[]> {
  return await ctx.db
    .select({ id: discoveryDirty.id, after: discoveryDirty.after })
    .from(discoveryDirty)
    .where(eq(discoveryDirty.kind, "author"))
    .limit(limit);
}

/** Reads posts whose rollup must be refreshed. */
export async function stalePosts(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: discoveryDirty.id })
    .from(discoveryDirty)
    .where(eq(discoveryDirty.kind, "post"))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Reads posts of an author that were ever published, after the cursor `after`, oldest first. */
export async function publishedAfter(
  ctx: Context,
  { authorId, after, limit }: { authorId: string; after: string; limit: number },
): Promise<Cursor[]> {
  const last = decodeCursor(after) ?? { at: 0, id: "" };
  return await ctx.db
    .select({ at: sql<number>`posts.published_at`.as("at"), id: posts.id })
    .from(posts)
    .where(
      and(
        eq(posts.authorId, authorId),
        sql`(posts.published_at, posts.id) > (${last.at}, ${last.id})`,
      ),
    )
    .orderBy(asc(posts.publishedAt), asc(posts.id))
    .limit(limit);
}
