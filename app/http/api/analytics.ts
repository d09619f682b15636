import { z } from "zod";
import type { MoneyRow, MoneySums } from "#app/domain/analytics/money/rules.ts";
import { moneyBy, moneyWithin } from "#app/domain/analytics/money/rules.ts";
import type { MoneyParts } from "#app/domain/analytics/money/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import type { Audience } from "#app/domain/analytics/people/queries.server.ts";
import type { AudienceSums } from "#app/domain/analytics/people/rules.ts";
import type { SourceSum } from "#app/domain/analytics/people/schema.ts";
import type { BroadcastNumbers } from "#app/domain/analytics/broadcasts/schema.ts";
import type { EventNumbers } from "#app/domain/analytics/events/schema.ts";
import type { PostNumbers } from "#app/domain/analytics/posts/schema.ts";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import { isoOfDayNumber } from "#app/domain/time.ts";

/** The schemas of `/api/v1/me/analytics`. Amounts are whole centavos. */

const cents = z.int().describe("Centavos.");
const count = z.int().min(0);

const moneySchema = z.object({
  charges: count,
  grossCents: cents,
  refundedCents: cents,
  disputedCents: cents,
  feeCents: cents.describe("What is left of the platform's fee."),
  netCents: cents.describe("What is left for the creator."),
});
const partsSchema = z
  .array(moneySchema.extend({ value: z.string(), name: z.string().nullable() }))
  .describe("Sums to `now`. An empty value is what has no plan, or came by no link.");
const audienceSchema = z.object({
  views: count,
  visitors: count.describe("Different visitors of each day, summed."),
  plays: count,
  follows: count,
  trials: count,
  starts: count.describe("Paid subscriptions that began, or began again."),
  ends: count.describe("Paid subscriptions that ended or paused."),
});
const day = z.iso.date();

export const apiAnalyticsSchema = z.object({
  from: day,
  until: day.describe("The last day, included."),
  timeZone: z
    .string()
    .describe(
      "The zone of the days of views. Money, subscriptions and follows are in days of São Paulo.",
    ),
  money: z.object({
    now: moneySchema,
    before: moneySchema.nullable(),
    byKind: z.array(moneySchema.extend({ value: z.string() })),
    byMethod: z.array(moneySchema.extend({ value: z.string() })),
    byPlan: partsSchema,
    byLink: partsSchema,
  }),
  audience: z.object({ now: audienceSchema, before: audienceSchema.nullable() }),
  followersCount: count,
  subscribersCount: count,
  days: z.array(z.object({ day, netCents: cents, grossCents: cents, ...audienceSchema.shape })),
  sources: z.array(
    z.object({
      dimension: z.enum(["referrer", "campaign", "link", "device", "country"]),
      value: z.string(),
      views: count,
      visitors: count,
    }),
  ),
  posts: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      publishedAt: z.iso.datetime(),
      views: count,
      readers: count,
      plays: count,
      readSeconds: z.number().nullable().describe("Mean reading time of a visit that said it."),
      likesCount: count,
      commentsCount: count,
      startsWithinWeek: count,
      sales: count,
      salesCents: cents,
      mailsSent: count.nullable(),
      mailsOpened: count.nullable().describe("Null for fewer than ten emails in the range."),
      mailsClicked: count.nullable(),
    }),
  ),
  events: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        startsAt: z.iso.datetime(),
        isCanceled: z.boolean(),
        capacity: count.nullable(),
        seatsTaken: count,
        checkedInCount: count.nullable().describe("Null before the event begins."),
        sales: count,
        grossCents: cents,
        netCents: cents,
      }),
    )
    .describe("Events that began, or sold tickets, in the range; the sums are of the whole event."),
  broadcasts: z.array(
    z.object({
      id: z.string(),
      startedAt: z.iso.datetime(),
      recipientCount: count,
      sentCount: count,
      openedCount: count.nullable().describe("Null before the first count."),
      answeredCount: count.nullable(),
      buyersCount: count.nullable().describe("Who paid within seven days, renewals left out."),
    }),
  ),
});
export type ApiAnalytics = z.infer<typeof apiAnalyticsSchema>;

const moneyOf = <Sums extends MoneySums>({ count: charges, ...sums }: Sums) => ({
  charges,
  ...sums,
});

/** The answer of the API: the same sums as the pages of the numbers. */
export function apiAnalytics({
  range,
  timeZone,
  sales,
  parts,
  people,
  sources,
  posts,
  events,
  broadcasts,
}: {
  range: AnalyticsRange;
  timeZone: string;
  sales: readonly MoneyRow[];
  parts: MoneyParts;
  people: Audience;
  sources: SourceSum[];
  posts: readonly PostNumbers[];
  events: readonly EventNumbers[];
  broadcasts: readonly BroadcastNumbers[];
}): ApiAnalytics {
  return {
    from: isoOfDayNumber(range.from),
    until: isoOfDayNumber(range.until),
    timeZone,
    money: {
      now: moneyOf(moneyWithin(sales, range)),
      before: range.before && moneyOf(moneyWithin(sales, range.before)),
      byKind: moneyBy(sales, range, "kind").map(moneyOf),
      byMethod: moneyBy(sales, range, "method").map(moneyOf),
      byPlan: parts.byPlan.map(moneyOf),
      byLink: parts.byLink.map(moneyOf),
    },
    audience: {
      now: audienceWithin(people.days, range),
      before: range.before && audienceWithin(people.days, range.before),
    },
    followersCount: people.followersCount,
    subscribersCount: people.subscribersCount,
    days: daysOf(range, sales, people),
    sources,
    posts: posts.map((post) => ({
      ...post,
      publishedAt: new Date(post.publishedAt).toISOString(),
    })),
    events: events.map(({ timeZone: _zone, ...event }) => ({
      ...event,
      startsAt: new Date(event.startsAt).toISOString(),
    })),
    broadcasts: broadcasts.map(({ text: _text, ...broadcast }) => ({
      ...broadcast,
      startedAt: new Date(broadcast.startedAt).toISOString(),
    })),
  };
}

/** A row for each day with anything. */
function daysOf(
  range: AnalyticsRange,
  sales: readonly MoneyRow[],
  people: Audience,
): ({ day: string; netCents: number; grossCents: number } & AudienceSums)[] {
  const salesOf = Map.groupBy(sales, (row) => row.day);
  const peopleOf = Map.groupBy(people.days, (row) => row.day);
  return [...new Set([...salesOf.keys(), ...peopleOf.keys()])]
    .filter((one) => one >= range.from && one <= range.until)
    .toSorted((a, b) => a - b)
    .map((one) => {
      const only = { from: one, until: one };
      const { netCents, grossCents } = moneyWithin(salesOf.get(one) ?? [], only);
      return {
        day: isoOfDayNumber(one),
        netCents,
        grossCents,
        ...audienceWithin(peopleOf.get(one) ?? [], only),
      };
    });
}
