import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  sitemapExtent,
  stalestSitemapPage,
} from "#app/domain/syndication/queries/sitemap.server.ts";
import type {
  SitemapExtent,
  SitemapPageRow,
} from "#app/domain/syndication/queries/sitemap.server.ts";
import { SITEMAP_PAGE_ENTRIES } from "#app/domain/syndication/schema.ts";
import { sitemapPages } from "#drizzle/schema/syndication.ts";

/** Files checked in one run: 100,000 posts in an hour are more than the product gets. */
const PAGES_PER_RUN = 10;

/**
 * Checks the sitemap files that were checked the longest ago. Splits a file with more than
 * `pageEntries` in two, and records changes. Reads a bounded number of rows. Safe to run twice at
 * once.
 */
export async function splitSitemapFiles(
  ctx: Context,
  { pageEntries = SITEMAP_PAGE_ENTRIES, pages = PAGES_PER_RUN } = {},
): Promise<void> {
  const before = ctx.now();
  for (let done = 0; done < pages; done += 1) {
    const page = await stalestSitemapPage(ctx, { before });
    if (!page) return;
    const extent = await sitemapExtent(ctx, { page, limit: pageEntries });
    try {
      await commit(ctx.db, checked(ctx, page, extent));
    } catch (error) {
      // Another run did it at the same moment.
      if (error instanceof StaleWrite || error instanceof UniqueViolation) return;
      throw error;
    }
  }
}

function checked(
  ctx: Context,
  page: SitemapPageRow,
  { lastKey, isOverfull, changedAt }: SitemapExtent,
) {
  const cut = isOverfull && lastKey !== null ? lastKey : null;
  const isAsRead = and(eq(sitemapPages.id, page.id), sql`${sitemapPages.toKey} IS ${page.toKey}`);
  const updated = ctx.db
    .update(sitemapPages)
    .set({ toKey: cut ?? page.toKey, changedAt, checkedAt: ctx.now() })
    .where(isAsRead);
  if (cut === null) return [mustChangeOne(updated)];
  return [
    mustChangeOne(updated),
    ctx.db
      .insert(sitemapPages)
      .values({ kind: page.kind, afterKey: cut, toKey: page.toKey, checkedAt: 0 }),
  ];
}
