import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const plans = sqliteTable(
  "plans",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    /** A JSON array of short texts. */
    benefits: text("benefits", { mode: "json" }).$type<string[]>().notNull(),
    state: text("state", { enum: ["draft", "active", "archived"] }).notNull(),
    /** Null means no limit. */
    seatsLimit: integer("seats_limit"),
    /** Seats of live subscriptions plus those reserved by a live Pix charge. */
    seatsTaken: integer("seats_taken").notNull().default(0),
    welcomeMessage: text("welcome_message").notNull().default(""),
    /** Free days before the first charge; 0 for none. */
    trialDays: integer("trial_days").notNull().default(0),
    /** The team member who last changed it; null if the creator did. */
    actedBy: text("acted_by"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("plans_creator").on(table.creatorId, table.state)],
);

/**
 * A price is never edited: a new row replaces the retired one, so that existing subscribers keep
 * their price.
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
 * A discount on the first payments of a plan. A trigger refuses changes of its terms: the coupon is
 * ended, and another one is created.
 */
export const coupons = sqliteTable(
  "coupons",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    /** The code as typed, in capitals. */
    code: text("code").notNull(),
    /** Exactly one of the two is set. */
    percent: integer("percent"),
    amountCents: integer("amount_cents"),
    /** How many payments it discounts; null for all. */
    cycles: integer("cycles"),
    /** Null means no limit. */
    usesLimit: integer("uses_limit"),
    /** Uses that were not released; a trigger refuses one more than the limit. */
    usesCount: integer("uses_count").notNull().default(0),
    /** The plans that it applies to, as a JSON array of their ids; null for all. */
    planIds: text("plan_ids", { mode: "json" }).$type<string[]>(),
    expiresAt: integer("expires_at"),
    endedAt: integer("ended_at"),
    /** The team member who last changed it; null if the creator did. */
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
 * The coupon of a subscription. A trigger releases it if its first charge is unpaid or fully
 * refunded.
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
    /** The start of the first full-price period, set once the last discounted period is paid. */
    fullPriceAt: integer("full_price_at"),
    /** When the subscriber was notified of it. */
    notifiedAt: integer("told_at"),
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
 * A creator's pause: nothing is sold or charged, and every subscriber's period is shifted by its
 * length. It is over only when every subscription was shifted. Triggers protect the announced
 * dates, and refuse charges and new subscriptions meanwhile.
 */
export const vacations = sqliteTable(
  "vacations",
  {
    id: text("id").primaryKey(),
    creatorId: text("creator_id").notNull(),
    startsAt: integer("starts_at").notNull(),
    /** The announced end. */
    endsAt: integer("ends_at").notNull(),
    /** When the creator returned earlier. */
    returnedAt: integer("returned_at"),
    /**
     * The last subscriber whose subscription was shifted, in the order of their ids; empty before
     * the first.
     */
    sweptTo: text("swept_to").notNull().default(""),
    /** When all were shifted; null again after an early return, until all were shifted back. */
    sweptAt: integer("swept_at"),
    /** When nothing was left to do. */
    overAt: integer("over_at"),
    /** The team member who last started or ended it; null if the creator did. */
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
