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
    /** Free days before the first charge; 0 for none. */
    trialDays: integer("trial_days").notNull().default(0),
    /** Who of the creator's team changed it last; null when the creator did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("plans_creator").on(table.creatorId, table.state)],
);

/**
 * A price is never edited: a new one is inserted and the old one retired, so that subscribers keep
 * theirs.
 */
export const planPrices = sqliteTable(
  "plan_prices",
  {
    id: text("id").primaryKey(),
    planId: text("plan_id").notNull(),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    retiredAt: integer("retired_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("plan_prices_plan").on(table.planId),
    uniqueIndex("plan_prices_current")
      .on(table.planId, table.interval)
      .where(sql`retired_at IS NULL`),
  ],
);

/**
 * A discount on the first payments of a plan. Its terms never change (a trigger refuses it): it is
 * ended, and another one is made.
 */
export const coupons = sqliteTable(
  "coupons",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** As it is typed, in capitals. */
    code: text("code").notNull(),
    /** One of the two, and never both. */
    percent: integer("percent"),
    amountCents: integer("amount_cents"),
    /** How many payments it discounts; null for all of them. */
    cycles: integer("cycles"),
    /** Null means no limit. */
    usesLimit: integer("uses_limit"),
    /** Uses that were not freed; a trigger refuses one more than the limit. */
    usesCount: integer("uses_count").notNull().default(0),
    /** The plans that it is for, as a JSON array of their ids; null for every one. */
    planIds: text("plan_ids", { mode: "json" }).$type<string[]>(),
    expiresAt: integer("expires_at"),
    endedAt: integer("ended_at"),
    /** Who of the creator's team touched it last; null when the creator did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("coupons_code")
      .on(table.creatorId, table.code)
      .where(sql`ended_at IS NULL`),
    index("coupons_creator").on(table.creatorId, table.createdAt),
  ],
);

/**
 * A coupon that a subscription began with. A trigger frees it with its first charge: unpaid, or
 * given back whole.
 */
export const couponUses = sqliteTable(
  "coupon_uses",
  {
    subscriptionId: text("subscription_id").primaryKey(),
    couponId: text("coupon_id").notNull(),
    personId: text("person_id").notNull(),
    /** The first charge; the subscription's own id while a trial runs and there is none. */
    chargeId: text("charge_id").notNull(),
    /** Payments that it still discounts; null for all. A trigger counts each covered period. */
    cyclesLeft: integer("cycles_left"),
    /** When the first full price begins, once the last discounted period is paid. */
    fullPriceAt: integer("full_price_at"),
    /** When that was told. */
    toldAt: integer("told_at"),
    freedAt: integer("freed_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("coupon_uses_once")
      .on(table.couponId, table.personId)
      .where(sql`freed_at IS NULL`),
    uniqueIndex("coupon_uses_charge").on(table.chargeId),
    index("coupon_uses_to_tell")
      .on(table.fullPriceAt)
      .where(sql`full_price_at IS NOT NULL AND told_at IS NULL AND freed_at IS NULL`),
  ],
);

/**
 * Stretches in which a creator sells and charges nothing, and every subscriber's period is moved by
 * as much. It is over only when nobody is left to move; triggers keep what was announced, and
 * refuse whatever would be charged or begin meanwhile.
 */
export const vacations = sqliteTable(
  "vacations",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    startsAt: integer("starts_at").notNull(),
    /** The return that was announced. */
    endsAt: integer("ends_at").notNull(),
    /** When who creates came back before it. */
    returnedAt: integer("returned_at"),
    /** The last fan whose subscription was moved, in the order of their ids; empty before the first. */
    sweptTo: text("swept_to").notNull().default(""),
    /** When everybody was moved; null again from a return on, until everybody was moved back. */
    sweptAt: integer("swept_at"),
    /** When nothing of it was left to do. */
    overAt: integer("over_at"),
    /** Who of the creator's team began or ended it last; null when the creator did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("vacations_one_open")
      .on(table.creatorId)
      .where(sql`over_at IS NULL`),
    index("vacations_of").on(table.creatorId, table.startsAt),
    index("vacations_open")
      .on(table.id)
      .where(sql`over_at IS NULL`),
  ],
);
