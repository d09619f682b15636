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
  /** Mean time of a visit that said how long it read, in seconds; null where none did. */
  readSeconds: number | null;
  likesCount: number;
  commentsCount: number;
  /** Paid subscriptions of the creator that began within seven days of the publication. */
  startsWithinWeek: number;
  sales: number;
  salesCents: Cents;
  /** Emails of the range; null for a post that was never emailed. */
  mailsSent: number | null;
  /** Null where the emails of the range are so few that a total would tell of one person. */
  mailsOpened: number | null;
  mailsClicked: number | null;
};

/** How many plays played so much of a file, in twentieths, and no more. */
export type StepPlays = { step: number; plays: number };

/** The orders that the table offers. */
export const postOrders = ["views", "readers", "likes", "sales", "newest"] as const;
export type PostOrder = (typeof postOrders)[number];

/** How many posts a table shows. */
export const POSTS_SHOWN = 50;
