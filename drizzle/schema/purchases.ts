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
 * A one-time purchase of a post, a whole collection, a message's file or tickets of an event. Until
 * `bought_at` the row is an attempt; it ends at `ended_at`, with the reason. Triggers allow
 * `bought_at` only with a succeeded charge, and only one end.
 */
export const purchases = sqliteTable(
  "purchases",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    creatorId: text("creator_id").notNull(),
    kind: text("kind", { enum: ["post", "collection", "message", "event"] }).notNull(),
    /** The post, the collection, the message, or the order of an event's tickets. */
    targetId: text("target_id").notNull(),
    /** The title at the sale, for the receipt after its target is deleted. */
    title: text("title").notNull(),
    chargeId: text("charge_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Null until its charge succeeds. */
    boughtAt: integer("bought_at"),
    /** Null while it is valid, or can still be paid. */
    endedAt: integer("ended_at"),
    endedReason: text("ended_reason"),
    /**
     * When an unavailable purchase (post deleted or held, seller banned) is refunded. Triggers set
     * it, and clear it when the cause ends.
     */
    closesAt: integer("closes_at"),
    /** The creator's link that the payer came by; null for none. */
    linkSlug: text("link_slug"),
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

/** The posts of a collection at its purchase. The buyer keeps access to those removed later. */
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
 * A tip ("Apoiar uma vez"): money for a creator, and a message. Until `paid_at` the row is an
 * attempt. It ends at `ended_at`, if it expired unpaid or was fully refunded. Triggers allow
 * payment only by its own charge, once, and only one end.
 */
export const tips = sqliteTable(
  "tips",
  {
    id: text("id").primaryKey(),
    personId: text("person_id").notNull(),
    creatorId: text("creator_id").notNull(),
    chargeId: text("charge_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Visible only to the recipient; empty for none, and after either account was deleted. */
    message: text("message").notNull(),
    createdAt: integer("created_at").notNull(),
    paidAt: integer("paid_at"),
    endedAt: integer("ended_at"),
    endedReason: text("ended_reason"),
    /** The creator's link that the payer came by; null for none. */
    linkSlug: text("link_slug"),
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
 * One period of a plan, paid by one person and claimed by another with its code. Until `paid_at`
 * the row is an attempt. At `claimed_at` it becomes the subscription with the same id. It ends at
 * `ended_at`, if it expired unpaid or was fully refunded. Triggers enforce this order.
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
    /** The recipient's name as the giver typed it; empty for none, as the two below. */
    recipientName: text("recipient_name").notNull(),
    recipientEmail: text("recipient_email").notNull(),
    message: text("message").notNull(),
    /** The day on which the recipient is emailed; null for right after the payment. */
    deliverAt: integer("deliver_at"),
    deliveredAt: integer("delivered_at"),
    /** Whether it holds a seat of its plan, until its subscription does. */
    holdsSeat: integer("holds_seat", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    paidAt: integer("paid_at"),
    claimUntil: integer("claim_until"),
    /** When its net leaves pending, if it is claimed by then. */
    releaseAt: integer("release_at"),
    claimedAt: integer("claimed_at"),
    claimedBy: text("claimed_by"),
    endedAt: integer("ended_at"),
    endedReason: text("ended_reason"),
    /** The creator's link that the payer came by; null for none. */
    linkSlug: text("link_slug"),
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
