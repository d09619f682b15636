import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * What is paid once and stays: a post, or a collection as one. A row is an attempt until
 * `bought_at`; it is over at `ended_at`, with the reason. Triggers let it be bought only by a
 * charge that succeeded, and end once.
 */
export const purchases = sqliteTable(
  "purchases",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    creatorId: text("creator_id").notNull(),
    kind: text("kind", { enum: ["post", "collection"] }).notNull(),
    /** The post or the collection. */
    targetId: text("target_id").notNull(),
    /** What it was called when it was sold, for the receipt of what is no longer there. */
    title: text("title").notNull(),
    chargeId: text("charge_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Null until its charge succeeded. */
    boughtAt: integer("bought_at"),
    /** Null while it holds, or while it may still be paid. */
    endedAt: integer("ended_at"),
    endedReason: text("ended_reason"),
    /**
     * When what is gone (its post deleted or held, its seller banned) is given back; triggers set
     * it, and take it back with its cause.
     */
    closesAt: integer("closes_at"),
  },
  (table) => [
    uniqueIndex("purchases_one_living")
      .on(table.personId, table.kind, table.targetId)
      .where(sql`bought_at IS NOT NULL AND ended_at IS NULL`),
    uniqueIndex("purchases_one_open")
      .on(table.personId, table.kind, table.targetId)
      .where(sql`bought_at IS NULL AND ended_at IS NULL`),
    uniqueIndex("purchases_charge").on(table.chargeId),
    index("purchases_buyer").on(table.personId, table.boughtAt, table.id),
    index("purchases_sold")
      .on(table.targetId)
      .where(sql`bought_at IS NOT NULL AND ended_at IS NULL`),
    index("purchases_closing")
      .on(table.closesAt)
      .where(sql`closes_at IS NOT NULL AND ended_at IS NULL`),
    index("purchases_seller")
      .on(table.creatorId)
      .where(sql`bought_at IS NOT NULL AND ended_at IS NULL`),
  ],
);

/**
 * The posts that a collection held when it was bought: taken out of it later, they stay with who
 * paid for them.
 */
export const purchasePosts = sqliteTable(
  "purchase_posts",
  {
    purchaseId: text("purchase_id").notNull(),
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.purchaseId, table.postId] }),
    index("purchase_posts_person").on(table.personId, table.postId),
    index("purchase_posts_post").on(table.postId),
  ],
);

/**
 * "Apoiar uma vez": money for who creates, and a message. A row is an attempt until `paid_at`; it
 * is over at `ended_at`, when nobody paid or all of it went back. Triggers let it be paid only by
 * its own charge, once, and end once.
 */
export const tips = sqliteTable(
  "tips",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    creatorId: text("creator_id").notNull(),
    chargeId: text("charge_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** For the eyes of who gets it; empty for none, and once either side left. */
    message: text("message").notNull(),
    createdAt: integer("created_at").notNull(),
    paidAt: integer("paid_at"),
    endedAt: integer("ended_at"),
    endedReason: text("ended_reason"),
  },
  (table) => [
    uniqueIndex("tips_one_open")
      .on(table.personId, table.creatorId)
      .where(sql`paid_at IS NULL AND ended_at IS NULL`),
    uniqueIndex("tips_charge").on(table.chargeId),
    index("tips_between").on(table.personId, table.creatorId, table.paidAt),
    index("tips_to").on(table.creatorId),
  ],
);

/**
 * A plan for one period that one person pays and another opens by its code. A row is an attempt
 * until `paid_at`; it becomes the subscription of its own id at `claimed_at`; it is over at
 * `ended_at`, when nobody paid or all of it went back. Triggers hold the order of these.
 */
export const gifts = sqliteTable(
  "gifts",
  {
    id: text("id").primaryKey(),
    giverId: text("giver_id").notNull(),
    creatorId: text("creator_id").notNull(),
    planId: text("plan_id").notNull(),
    planPriceId: text("plan_price_id").notNull(),
    interval: text("interval", {
      enum: ["weekly", "monthly", "quarterly", "semiannual", "annual"],
    }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    chargeId: text("charge_id").notNull(),
    /** SHA-256 of the code. */
    codeHash: text("code_hash").notNull(),
    /** How the giver calls who it is for; empty for nothing, as the two below. */
    recipientName: text("recipient_name").notNull(),
    recipientEmail: text("recipient_email").notNull(),
    message: text("message").notNull(),
    /** The day on which the recipient is written to; null for as soon as it is paid. */
    deliverAt: integer("deliver_at"),
    deliveredAt: integer("delivered_at"),
    /** Holds a seat of its plan, until the subscription that it becomes does. */
    holdsSeat: integer("holds_seat", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    paidAt: integer("paid_at"),
    claimUntil: integer("claim_until"),
    /** When its net would leave pending if it was claimed by then. */
    releaseAt: integer("release_at"),
    claimedAt: integer("claimed_at"),
    claimedBy: text("claimed_by"),
    endedAt: integer("ended_at"),
    endedReason: text("ended_reason"),
  },
  (table) => [
    uniqueIndex("gifts_one_open")
      .on(table.giverId, table.creatorId, table.recipientEmail)
      .where(sql`paid_at IS NULL AND ended_at IS NULL`),
    uniqueIndex("gifts_charge").on(table.chargeId),
    uniqueIndex("gifts_code").on(table.codeHash),
    index("gifts_giver").on(table.giverId, table.paidAt, table.id),
    index("gifts_claimer")
      .on(table.claimedBy)
      .where(sql`claimed_by IS NOT NULL`),
    index("gifts_of")
      .on(table.creatorId)
      .where(sql`paid_at IS NOT NULL AND ended_at IS NULL AND claimed_at IS NULL`),
    index("gifts_unclaimed")
      .on(table.claimUntil)
      .where(sql`paid_at IS NOT NULL AND ended_at IS NULL AND claimed_at IS NULL`),
    index("gifts_to_deliver")
      .on(table.deliverAt)
      .where(
        sql`paid_at IS NOT NULL AND ended_at IS NULL AND claimed_at IS NULL AND deliver_at IS NOT NULL AND delivered_at IS NULL`,
      ),
  ],
);
