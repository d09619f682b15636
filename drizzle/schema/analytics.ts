import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
