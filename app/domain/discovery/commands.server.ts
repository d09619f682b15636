import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { COMMENT_WEIGHT, HEAT_EVENTS_MAX, HEAT_HALF_LIFE_MS, LIKE_WEIGHT } from "./rules.ts";
import {
  staleAuthors,
  stalePosts,
  publishedAfter,
} from "#app/domain/discovery/queries/stale-rollup.server.ts";
import type { StaleAuthor } from "#app/domain/discovery/queries/stale-rollup.server.ts";
import { encodeCursor } from "#app/domain/page.ts";
import { discoveryDirty, exploreEntries } from "#drizzle/schema/discovery.ts";

const AUTHORS_AT_ONCE = 20;
const POSTS_OF_AUTHOR_AT_ONCE = 500;
const POSTS_AT_ONCE = 200;
const ROUNDS_PER_RUN = 25;

/**
 * Updates the rollup of `/explore` for all marked posts. Each transaction handles a bounded number
 * and deletes their marks. Posts marked meanwhile wait for the next run. Run by cron. Safe to run
 * twice at once.
 */
export async function refreshDiscovery(ctx: Context): Promise<void> {
  for (const author of await staleAuthors(ctx, { limit: AUTHORS_AT_ONCE }))
    await markPostsOf(ctx, author);
  for (let round = 0; round < ROUNDS_PER_RUN; round += 1) {
    const postIds = await stalePosts(ctx, { limit: POSTS_AT_ONCE });
    if (postIds.length === 0) return;
    await refreshPosts(ctx, postIds);
  }
}

/** Marks the next posts of an author. The author stays marked until the last one. */
async function markPostsOf(ctx: Context, author: StaleAuthor): Promise<void> {
  const page = await publishedAfter(ctx, {
    authorId: author.id,
    after: author.after,
    limit: POSTS_OF_AUTHOR_AT_ONCE,
  });
  const last = page.at(-1);
  // An author who was marked again meanwhile starts over, and is not changed here.
  const asItWas = and(
    eq(discoveryDirty.kind, "author"),
    eq(discoveryDirty.id, author.id),
    eq(discoveryDirty.after, author.after),
  );
  const isDone = !last || page.length < POSTS_OF_AUTHOR_AT_ONCE;
  await commit(ctx.db, [
    ctx.db
      .insert(discoveryDirty)
      .select(
        sql`SELECT 'post', value, '' FROM json_each(${JSON.stringify(page.map(({ id }) => id))}) WHERE true`,
      )
      .onConflictDoNothing(),
    isDone
      ? ctx.db.delete(discoveryDirty).where(asItWas)
      : ctx.db
          .update(discoveryDirty)
          .set({ after: encodeCursor(last) })
          .where(asItWas),
  ]);
}

async function refreshPosts(ctx: Context, postIds: string[]): Promise<void> {
  const chosen = sql`(SELECT value FROM json_each(${JSON.stringify(postIds)}))`;
  await commit(ctx.db, [
    ctx.db.delete(exploreEntries).where(sql`${exploreEntries.postId} IN ${chosen}`),
    ctx.db.insert(exploreEntries).select(entriesOf(chosen)),
    ctx.db
      .delete(discoveryDirty)
      .where(and(eq(discoveryDirty.kind, "post"), sql`${discoveryDirty.id} IN ${chosen}`)),
  ]);
}

/**
 * Selects the current rollup rows of the `chosen` posts: only posts that everyone can read, now or
 * from a set time on.
 */
function entriesOf(chosen: SQL): SQL {
  const open = sql`SELECT p.id AS id, p.author_id AS author_id, maker.category AS category,
      MAX(p.published_at, (SELECT MIN(COALESCE(r.opens_at, 0)) FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public')) AS opened_at
    FROM posts p JOIN profiles maker ON maker.person_id = p.author_id JOIN people author ON author.id = p.author_id
    WHERE p.id IN ${chosen} AND p.state = 'published' AND p.held_at IS NULL AND p.deleted_at IS NULL AND author.banned_at IS NULL AND author.leaving_at IS NULL
      AND EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public')`;
  const kinds = sql`SELECT DISTINCT m.kind AS kind FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = open.id
    UNION SELECT 'text' WHERE NOT EXISTS (SELECT 1 FROM post_media pm WHERE pm.post_id = open.id)`;
  const facets = sql`SELECT 'all' AS facet UNION SELECT 'category:' || open.category WHERE open.category <> ''
    UNION SELECT 'kind:' || of_kind.kind FROM (${kinds}) of_kind
    UNION SELECT 'category:' || open.category || ' kind:' || of_both.kind FROM (${kinds}) of_both WHERE open.category <> ''`;
  return sql`SELECT facet.value, scored.id, scored.opened_at, scored.heat
    FROM (SELECT open.id AS id, open.opened_at AS opened_at, (SELECT json_group_array(facet) FROM (${facets})) AS facets, ${heatSql(sql`open`)} AS heat FROM (${open}) open) scored,
      json_each(scored.facets) facet`;
}

/**
 * Selects the `heatScore` of a post, from the latest likes and comments of others. A person's
 * comments count once. A property test holds the two equal.
 */
function heatSql(table: SQL): SQL {
  const likes = sql`SELECT liked.created_at AS at, ${LIKE_WEIGHT} AS weight FROM post_likes liked WHERE liked.post_id = ${table}.id AND liked.person_id <> ${table}.author_id ORDER BY liked.created_at DESC LIMIT ${HEAT_EVENTS_MAX}`;
  const comments = sql`SELECT comment_row.author_id AS author_id, comment_row.created_at AS at FROM comments comment_row
    WHERE comment_row.post_id = ${table}.id AND comment_row.deleted_at IS NULL AND comment_row.hidden_at IS NULL AND comment_row.author_id <> ${table}.author_id ORDER BY comment_row.created_at DESC LIMIT ${HEAT_EVENTS_MAX}`;
  const events = sql`SELECT at, weight FROM (${likes}) UNION ALL SELECT MAX(at), ${COMMENT_WEIGHT} FROM (${comments}) GROUP BY author_id`;
  const halfLife = sql.raw(`${HEAT_HALF_LIFE_MS}.0`);
  return sql`(SELECT CASE WHEN COUNT(*) = 0 THEN NULL ELSE CAST(ROUND((latest / ${halfLife} + log2(SUM(weight * pow(2.0, (at - latest) / ${halfLife})))) * 1000000) AS INTEGER) END
    FROM (SELECT at, weight, MAX(at) OVER () AS latest FROM (${events})))`;
}
