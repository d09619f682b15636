import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/**
 * The recurring revenue of a creator now, by plan and method: how many paid subscriptions run, and
 * what they are worth a month. Triggers update it with every change of a subscription.
 */
export const recurringTotals = sqliteTable(
  "recurring_totals",
  {
    creatorId: text("creator_id").notNull(),
    planId: text("plan_id").notNull(),
    method: text("method").$type<PaymentMethod>().notNull(),
    /** 0 for subscriptions that run to the end of their period and do not renew. */
    renews: integer("renews", { mode: "boolean" }).notNull(),
    count: integer("count").notNull(),
    monthlyCents: integer("monthly_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.planId, table.method, table.renews] })],
);

/**
 * What moved the recurring revenue of a creator, by São Paulo day (`dayNumberOf`) and kind. The sum
 * of all days is the sum of `recurring_totals`. Triggers write it.
 */
export const recurringDays = sqliteTable(
  "recurring_days",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    kind: text("kind", {
      enum: ["new", "reactivation", "expansion", "contraction", "churn"],
    }).notNull(),
    /** How many subscriptions moved. */
    count: integer("count").notNull(),
    /** Below zero for contraction and churn. */
    monthlyCents: integer("monthly_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.day, table.kind] })],
);

/**
 * What moved the recurring revenue of a creator, one row for each change of a subscription.
 * `recurring_days` is its sum by day and kind. Triggers write both. Days before the migration that
 * made this table have only their sum.
 */
export const recurringMoves = sqliteTable(
  "recurring_moves",
  {
    /** Counts up: a later move has a greater id. */
    id: integer("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** São Paulo day (`dayNumberOf`). */
    day: integer("day").notNull(),
    kind: text("kind", {
      enum: ["new", "reactivation", "expansion", "contraction", "churn"],
    }).notNull(),
    subscriptionId: text("subscription_id").notNull(),
    /** Below zero for contraction and churn. */
    monthlyCents: integer("monthly_cents").notNull(),
    movedAt: integer("moved_at").notNull(),
  },
  (table) => [
    index("recurring_moves_of_creator").on(table.creatorId, table.kind, table.day, table.id),
  ],
);

/**
 * The points of page views and plays where the platform's Analytics Engine is not connected. The
 * columns are those of its SQL API, so that one query reads either. `analytics/views/schema.ts`
 * says what each blob holds. A row may stand for more than one view: `_sample_interval` says how
 * many.
 */
export const coretoViews = sqliteTable(
  "coreto_views",
  {
    /** Seconds since 1970. */
    timestamp: integer("timestamp").notNull(),
    index1: text("index1").notNull(),
    blob1: text("blob1").notNull(),
    blob2: text("blob2").notNull(),
    blob3: text("blob3").notNull(),
    blob4: text("blob4").notNull(),
    blob5: text("blob5").notNull(),
    blob6: text("blob6").notNull(),
    blob7: text("blob7").notNull(),
    blob8: text("blob8").notNull(),
    /** The slug of the creator's link; empty for none, as in points from before there were links. */
    blob9: text("blob9").notNull().default(""),
    double1: real("double1").notNull(),
    sampleInterval: integer("_sample_interval").notNull(),
  },
  (table) => [index("coreto_views_time").on(table.blob1, table.timestamp)],
);

/**
 * The secret of a day, with which the address of a visitor becomes a digest. It is deleted when the
 * day ended there: from then on nobody can tell whether two digests are of one person.
 */
export const viewSalts = sqliteTable(
  "view_salts",
  {
    timeZone: text("time_zone").notNull(),
    /** The day there, in days since 1970. */
    day: integer("day").notNull(),
    salt: text("salt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.timeZone, table.day] })],
);

/**
 * The views and plays of a creator by day in the time zone that the creator had then: on the day of
 * a change there are rows of both zones. The subject is a post's id, `page` for the creator's page,
 * or `all` for everything together, because the visitors of a day are not the sum of its parts.
 */
export const analyticsDays = sqliteTable(
  "analytics_days",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    subject: text("subject").notNull(),
    timeZone: text("time_zone").notNull(),
    views: integer("views").notNull(),
    visitors: integer("visitors").notNull(),
    /** Visitors who began to play a file. */
    plays: integer("plays").notNull(),
    /** Visits whose page said at its end for how long it was read, and these seconds together. */
    reads: integer("reads").notNull().default(0),
    readSeconds: integer("read_seconds").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.creatorId, table.day, table.subject, table.timeZone] }),
    index("analytics_days_subject").on(table.creatorId, table.subject, table.day),
  ],
);

/**
 * How much of a post's audio or video was played on a day: a row for each number of twentieths that
 * some play had. `analytics_days` has how many began.
 */
export const analyticsRetention = sqliteTable(
  "analytics_retention",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    subject: text("subject").notNull(),
    timeZone: text("time_zone").notNull(),
    /** 0 to 20: how much of the file was played, in steps of 5 %. Skipped parts do not count. */
    step: integer("step").notNull(),
    plays: integer("plays").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.creatorId, table.subject, table.day, table.step, table.timeZone],
    }),
    index("analytics_retention_day").on(table.creatorId, table.day),
  ],
);

/**
 * The links to a creator's page that the creator named. The slug is the mark in the address, and
 * what the counts are stored by: it never changes, and an archived link keeps it.
 */
export const creatorLinks = sqliteTable(
  "creator_links",
  {
    creatorId: text("creator_id").notNull(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Null while it counts. */
    archivedAt: integer("archived_at"),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.slug] })],
);

/**
 * Follows, first payments of subscriptions, and single sales that came from a link, by São Paulo
 * day. Triggers count them.
 */
export const analyticsLinks = sqliteTable(
  "analytics_links",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    slug: text("slug").notNull(),
    follows: integer("follows").notNull(),
    starts: integer("starts").notNull(),
    /** Posts, collections, messages, tickets, tips and gifts that were paid. */
    sales: integer("sales").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.day, table.slug] })],
);

/**
 * What was sold to a creator's fans on a São Paulo day, by plan and by link; an empty text is none.
 * Triggers write it with every change of a paid charge, as they write `transaction_totals`, so that
 * both have the same sums. Fee and net are after refunds and disputes.
 */
export const analyticsMoney = sqliteTable(
  "analytics_money",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    planId: text("plan_id").notNull(),
    linkSlug: text("link_slug").notNull(),
    count: integer("count").notNull(),
    amountCents: integer("amount_cents").notNull(),
    refundedCents: integer("refunded_cents").notNull(),
    disputedCents: integer("disputed_cents").notNull(),
    feeCents: integer("fee_cents").notNull(),
    netCents: integer("net_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.day, table.planId, table.linkSlug] })],
);

/** Where the views of a day came from: at most 30 values of each dimension a day. */
export const analyticsSources = sqliteTable(
  "analytics_sources",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    dimension: text("dimension", {
      enum: ["referrer", "campaign", "link", "device", "country"],
    }).notNull(),
    value: text("value").notNull(),
    timeZone: text("time_zone").notNull(),
    views: integer("views").notNull(),
    visitors: integer("visitors").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.creatorId, table.day, table.dimension, table.value, table.timeZone],
    }),
  ],
);

/**
 * How many people began to follow a creator, or a trial, by São Paulo day. Triggers count them
 * where it happens: who leaves again was there. `recurring_days` has who paid.
 */
export const analyticsPeople = sqliteTable(
  "analytics_people",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    follows: integer("follows").notNull(),
    trials: integer("trials").notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.day] })],
);

/**
 * What was sold once on a São Paulo day, by what it is: a post, a collection, a message, or an
 * event with all its tickets. Triggers write it with every change of a paid charge, as they write
 * `analytics_money`. Fee and net are after refunds and disputes.
 */
export const analyticsItems = sqliteTable(
  "analytics_items",
  {
    creatorId: text("creator_id").notNull(),
    day: integer("day").notNull(),
    itemId: text("item_id").notNull(),
    kind: text("kind", { enum: ["post", "collection", "message", "event"] })
      .notNull()
      .default("post"),
    count: integer("count").notNull(),
    amountCents: integer("amount_cents").notNull(),
    refundedCents: integer("refunded_cents").notNull().default(0),
    disputedCents: integer("disputed_cents").notNull().default(0),
    feeCents: integer("fee_cents").notNull().default(0),
    netCents: integer("net_cents").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.creatorId, table.day, table.itemId] }),
    index("analytics_items_item").on(table.creatorId, table.itemId, table.day),
  ],
);

/**
 * Who opened, answered and bought after a broadcast. A trigger adds a row when its recipients are
 * fixed; a cron counts again once a day, for 30 days.
 */
export const analyticsBroadcasts = sqliteTable(
  "analytics_broadcasts",
  {
    broadcastId: text("broadcast_id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    openedCount: integer("opened_count").notNull().default(0),
    answeredCount: integer("answered_count").notNull().default(0),
    /** Recipients who paid the creator within seven days, renewals left out. */
    buyersCount: integer("buyers_count").notNull().default(0),
    /** When it was counted last; null before the first time. */
    countedAt: integer("counted_at"),
    /** When it is counted next; null once the 30 days are over. */
    dueAt: integer("due_at"),
  },
  (table) => [
    index("analytics_broadcasts_creator").on(table.creatorId),
    index("analytics_broadcasts_due")
      .on(table.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
);

/** What a page shows of all subscriptions and payments of a creator, calculated once a day. */
export const analyticsSnapshots = sqliteTable(
  "analytics_snapshots",
  {
    creatorId: text("creator_id").notNull(),
    kind: text("kind").notNull(),
    /** JSON; `analytics/people/schema.ts` has its type. */
    value: text("value").notNull(),
    computedAt: integer("computed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.creatorId, table.kind] }),
    index("analytics_snapshots_age").on(table.kind, table.computedAt),
  ],
);

/** The last day of each time zone that was summed after it had ended. */
export const analyticsProgress = sqliteTable("analytics_progress", {
  timeZone: text("time_zone").primaryKey(),
  closedDay: integer("closed_day").notNull(),
});
