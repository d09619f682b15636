import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

const sums = z.object({
  netCents: z.number(),
  visitors: z.number(),
  follows: z.number(),
  starts: z.number(),
  ends: z.number(),
});

export const analyticsMessages = {
  "analytics.week": z.object({
    personId: z.string(),
    /** The Monday and the Sunday of the week, ISO dates. */
    fromDay: z.string(),
    untilDay: z.string(),
    week: sums,
    weekBefore: sums,
    /** The post that was opened most; null without one. */
    topPost: z.object({ id: z.string(), postTitle: z.string(), views: z.number() }).nullable(),
  }),
};

export type AnalyticsMessage = MessageOf<typeof analyticsMessages>;
export type WeekSums = z.infer<typeof sums>;
