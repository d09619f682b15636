import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * What is paid once and stays: a post, or a collection as one. A row is an attempt until `bought_at`; it is over at `ended_at`, with the
 * reason. Triggers let it be bought only by a charge that succeeded, and end once.
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
    /** When what is gone (its post deleted or held, its seller banned) is given back; triggers set it, and take it back with its cause. */
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
    index("purchases_sold").on(table.targetId).where(sql`bought_at IS NOT NULL AND ended_at IS NULL`),
    index("purchases_closing").on(table.closesAt).where(sql`closes_at IS NOT NULL AND ended_at IS NULL`),
    index("purchases_seller").on(table.creatorId).where(sql`bought_at IS NOT NULL AND ended_at IS NULL`),
  ],
);

/** The posts that a collection held when it was bought: taken out of it later, they stay with who paid for them. */
export const purchasePosts = sqliteTable(
  "purchase_posts",
  {
    purchaseId: text("purchase_id").notNull(),
    postId: text("post_id").notNull(),
    personId: text("person_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.purchaseId, table.postId] }), index("purchase_posts_person").on(table.personId, table.postId), index("purchase_posts_post").on(table.postId)],
);

/**
 * "Apoiar uma vez": money for who creates, and a message. A row is an attempt until `paid_at`; it is over at `ended_at`, when nobody paid
 * or all of it went back. Triggers let it be paid only by its own charge, once, and end once.
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
