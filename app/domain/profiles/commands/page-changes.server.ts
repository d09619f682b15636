import { asc, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { pageChanges } from "#drizzle/schema/profiles.ts";

/** As many tags as one call of the purge API takes. */
const TAGS_AT_ONCE = 100;

/**
 * Purges the stored copies of pages that changed, up to a hundred tags. Safe to repeat: a change is
 * forgotten after its purge, unless the page changed again meanwhile. Throws when the purge failed;
 * the changes then wait for the next run.
 */
export async function purgeChangedPages(ctx: Context): Promise<void> {
  const changed = await ctx.db
    .select()
    .from(pageChanges)
    .orderBy(asc(pageChanges.tag))
    .limit(TAGS_AT_ONCE);
  if (changed.length === 0) return;
  await ctx.pageCache.purge(changed.map(({ tag }) => tag));
  const purged = JSON.stringify(changed.map(({ tag, version }) => [tag, version]));
  await ctx.db
    .delete(pageChanges)
    .where(
      sql`(${pageChanges.tag}, ${pageChanges.version}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${purged}))`,
    );
}
