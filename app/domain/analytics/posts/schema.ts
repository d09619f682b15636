import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

export type PostNumbers = {
  id: string;
  title: string;
  publishedAt: Instant;
  views: number;
  /** Different visitors of each day, summed. */
  readers: number;
  plays: number;
  likesCount: number;
  commentsCount: number;
  /** Paid subscriptions of the creator that began within seven days of the publication. */
  startsWithinWeek: number;
  sales: number;
  salesCents: Cents;
};

/** The orders that the table offers. */
export const postOrders = ["views", "readers", "likes", "sales", "newest"] as const;
export type PostOrder = (typeof postOrders)[number];

/** How many posts a table shows. */
export const POSTS_SHOWN = 50;
