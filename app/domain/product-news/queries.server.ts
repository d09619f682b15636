import { desc, eq, isNotNull } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { productNews, termsAnnouncements } from "#drizzle/schema/product-news.ts";

export type ProductNewsItem = typeof productNews.$inferSelect;

/** Returns the newest pieces of news, drafts too, at most `limit`. */
export async function newestNews(
  ctx: Context,
  { limit }: { limit: number },
): Promise<ProductNewsItem[]> {
  return await ctx.db
    .select()
    .from(productNews)
    .orderBy(desc(productNews.createdAt), desc(productNews.id))
    .limit(limit);
}

/** Returns one piece of news; null if there is none. */
export async function newsItem(
  ctx: Context,
  { id }: { id: string },
): Promise<ProductNewsItem | null> {
  const [row] = await ctx.db.select().from(productNews).where(eq(productNews.id, id));
  return row ?? null;
}

/** Returns when the last piece of news was sent; null before the first. */
export async function lastNewsSentAt(ctx: Context): Promise<Instant | null> {
  const [row] = await ctx.db
    .select({ sentAt: productNews.sentAt })
    .from(productNews)
    .where(isNotNull(productNews.sentAt))
    .orderBy(desc(productNews.sentAt))
    .limit(1);
  return row?.sentAt ?? null;
}

/** Returns when everybody was told of a version of the terms; null if nobody was. */
export async function termsAnnouncedAt(
  ctx: Context,
  { version }: { version: string },
): Promise<Instant | null> {
  const [row] = await ctx.db
    .select({ announcedAt: termsAnnouncements.announcedAt })
    .from(termsAnnouncements)
    .where(eq(termsAnnouncements.version, version));
  return row?.announcedAt ?? null;
}
