import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const plans = sqliteTable(
  "plans",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    /** A JSON array of short sentences. */
    benefits: text("benefits", { mode: "json" }).$type<string[]>().notNull(),
    state: text("state", { enum: ["draft", "active", "archived"] }).notNull(),
    /** Null means no limit. */
    seatsLimit: integer("seats_limit"),
    /** Seats of live subscriptions plus those held by a live Pix charge. */
    seatsTaken: integer("seats_taken").notNull().default(0),
    welcomeMessage: text("welcome_message").notNull().default(""),
    /** Who of the creator's team changed it last; null when the creator did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("plans_creator").on(table.creatorId, table.state)],
);

/** A price is never edited: a new one is inserted and the old one retired, so that subscribers keep theirs. */
export const planPrices = sqliteTable(
  "plan_prices",
  {
    id: text("id").primaryKey(),
    planId: text("plan_id").notNull(),
    interval: text("interval", { enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"] }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    retiredAt: integer("retired_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("plan_prices_plan").on(table.planId),
    uniqueIndex("plan_prices_current").on(table.planId, table.interval).where(sql`retired_at IS NULL`),
  ],
);
