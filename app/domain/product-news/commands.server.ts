import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import { formatTermsVersion } from "#app/domain/identity/registration/rules/terms.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { productNews, termsAnnouncements } from "#drizzle/schema/product-news.ts";
import {
  NewsAlreadySent,
  NewsNotFound,
  NewsTooSoon,
  TermsAlreadyAnnounced,
  TermsNoticeTooShort,
} from "./errors.ts";
import { lastNewsSentAt, newsItem, termsAnnouncedAt } from "./queries.server.ts";
import { canAnnounceTerms, NEWS_INTERVAL_MS, nextNewsAt } from "./rules.ts";
import type { ProductNewsMessage } from "./schema/outbox.ts";

/** Stores a draft of a piece of news, which nobody gets yet. Returns its id. */
export async function draftNews(
  ctx: Context,
  { staffId, text, path }: { staffId: string; text: string; path: string },
): Promise<{ id: string }> {
  const id = ctx.newId();
  await ctx.db
    .insert(productNews)
    .values({ id, text, path, writtenBy: staffId, createdAt: ctx.now() });
  return { id };
}

/**
 * Sends a draft to everybody who has an account and did not switch news off: a row of their list,
 * page by page (`notifyEveryonePage`). Refuses what was sent or discarded, and a second piece
 * within a day.
 */
export async function sendNews(
  ctx: Context,
  { id, staffId }: { id: string; staffId: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const item = await newsItem(ctx, { id });
    if (!item) throw new NewsNotFound();
    if (item.sentAt !== null) throw new NewsAlreadySent();
    const freeAt = nextNewsAt(await lastNewsSentAt(ctx));
    if (ctx.now() < freeAt) throw new NewsTooSoon(freeAt);
    const isFree = sql`NOT EXISTS (SELECT 1 FROM product_news earlier WHERE earlier.sent_at > ${ctx.now() - NEWS_INTERVAL_MS})`;
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(productNews)
          .set({ sentAt: ctx.now(), sentBy: staffId })
          .where(and(eq(productNews.id, id), isNull(productNews.sentAt), isFree)),
      ),
      announce<ProductNewsMessage>(ctx, `news:${id}`, {
        type: "product_news.sent",
        newsId: id,
        text: item.text,
        path: item.path,
      }),
    ]);
  });
  await ctx.queues.fanOut.send({ version: 1, type: "outbox.deliver", id: `news:${id}` });
}

/** Deletes a draft. Refuses what was sent. */
export async function discardNews(ctx: Context, { id }: { id: string }): Promise<void> {
  const deleted = await ctx.db
    .delete(productNews)
    .where(and(eq(productNews.id, id), isNull(productNews.sentAt)))
    .returning({ id: productNews.id });
  if (deleted.length > 0) return;
  throw (await newsItem(ctx, { id })) ? new NewsAlreadySent() : new NewsNotFound();
}

/**
 * Tells everybody who has an account, in the list and by email, from which day the terms of
 * `version` apply. Refuses a second time, and what applies within fifteen days.
 */
export async function announceTerms(
  ctx: Context,
  { version, staffId }: { version: string; staffId: string },
): Promise<void> {
  const id = `terms:${version}`;
  await retryOnConflict(async () => {
    if ((await termsAnnouncedAt(ctx, { version })) !== null) throw new TermsAlreadyAnnounced();
    if (!canAnnounceTerms(version, ctx.now())) throw new TermsNoticeTooShort();
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .insert(termsAnnouncements)
          .values({ version, announcedAt: ctx.now(), announcedBy: staffId })
          .onConflictDoNothing(),
      ),
      announce<ProductNewsMessage>(ctx, id, {
        type: "terms.announced",
        version,
        from: formatTermsVersion(version),
      }),
    ]);
  });
  await ctx.queues.fanOut.send({ version: 1, type: "outbox.deliver", id });
}
