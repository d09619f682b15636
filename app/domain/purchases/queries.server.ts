import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, isPurchased } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { ChargeStatus, OpenCheckoutCharge } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { coolingOffUntil } from "./rules.ts";
import type { PurchaseEndReason, Purchase, SingleKind } from "./schema.ts";
import {
  areTicketsSold,
  areTicketsThere,
  eventStartsAt,
  isOfPastEvent,
} from "#app/domain/purchases/single-purchases/queries/event-seats.server.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { purchases } from "#drizzle/schema/purchases.ts";

/** The database refuses any other `ended_reason` (trigger `purchases_update`). */
const asPurchase = (row: typeof purchases.$inferSelect): Purchase => ({
  ...row,
  endedReason: row.endedReason as PurchaseEndReason | null,
});

const flag = (value: number): boolean => value === 1;
const isLiving = and(isNotNull(purchases.boughtAt), isNull(purchases.endedAt));

/** Loads the whole row, for commands. */
export async function purchaseRow(
  ctx: Context,
  { purchaseId }: { purchaseId: string },
): Promise<Purchase | null> {
  const [row] = await ctx.db.select().from(purchases).where(eq(purchases.id, purchaseId)).limit(1);
  return row ? asPurchase(row) : null;
}

/** Loads a person's open checkout of one item, or null; the database allows one. */
export async function openPurchase(
  ctx: Context,
  { memberId, kind, targetId }: { memberId: string; kind: SingleKind; targetId: string },
): Promise<OpenCheckoutCharge | null> {
  const [row] = await ctx.db
    .select({
      chargeId: charges.id,
      status: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: charges.amountCents,
      expiresAt: charges.expiresAt,
      nextActionUrl: charges.nextActionUrl,
    })
    .from(purchases)
    .innerJoin(charges, eq(charges.id, purchases.chargeId))
    .where(
      and(
        eq(purchases.personId, memberId),
        eq(purchases.kind, kind),
        eq(purchases.targetId, targetId),
        isNull(purchases.boughtAt),
        isNull(purchases.endedAt),
      ),
    )
    .limit(1);
  return row ?? null;
}

export type SinglePurchaseSnapshot = {
  purchase: Purchase;
  isHeldAlready: boolean;
  isShut: boolean;
  isPayerLeaving: boolean;
  isGone: boolean;
  isSold: boolean;
  buyerName: string;
  creatorName: string;
  creatorUsername: string;
  /** Of bought tickets: their event, its end, and how many. */
  tickets: { eventId: string; endsAt: Instant; quantity: number } | null;
};

/** Loads everything that decides a payment of this purchase, in one round trip. */
export async function loadPurchaseSnapshot(
  ctx: Context,
  { purchaseId }: { purchaseId: string },
): Promise<SinglePurchaseSnapshot | null> {
  return toPurchaseSnapshot(
    await purchaseSnapshotStatement(ctx, {
      purchaseId: sql`${purchaseId}`,
      now: sql`${ctx.now()}`,
    }),
  );
}

/** Statement of `loadPurchaseSnapshot`; `toPurchaseSnapshot` reads its rows. It can be built once. */
export const purchaseSnapshotStatement = (
  { db }: Pick<Context, "db">,
  { purchaseId, now }: { purchaseId: SQL<string>; now: SQL<Instant> },
) =>
  db
    .select({
      purchase: purchases,
      isHeldAlready: sql<boolean>`${isHeldAlready()}`.mapWith(flag).as("is_held_already"),
      isShut:
        sql<boolean>`(EXISTS (SELECT 1 FROM people seller WHERE seller.id = ${purchases.creatorId} AND (seller.banned_at IS NOT NULL OR seller.leaving_at IS NOT NULL))
        OR ${isBlockedBetween(sql`${purchases.personId}`, sql`${purchases.creatorId}`)})`
          .mapWith(flag)
          .as("is_shut"),
      isPayerLeaving:
        sql<boolean>`EXISTS (SELECT 1 FROM people payer WHERE payer.id = ${purchases.personId} AND payer.leaving_at IS NOT NULL)`
          .mapWith(flag)
          .as("is_payer_leaving"),
      isGone: sql<boolean>`NOT ${isThere(now)}`.mapWith(flag).as("is_gone"),
      isSold: sql<boolean>`${isSold(now)}`.mapWith(flag).as("is_sold"),
      buyerName:
        sql<string>`(SELECT buyer.name FROM profiles buyer WHERE buyer.person_id = ${purchases.personId})`.as(
          "buyer_name",
        ),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      tickets: sql<
        SinglePurchaseSnapshot["tickets"]
      >`(SELECT json_object('eventId', taking.id, 'endsAt', taking.ends_at, 'quantity', placed.quantity)
        FROM event_orders placed JOIN events taking ON taking.id = placed.event_id WHERE ${purchases.kind} = 'event' AND placed.id = ${purchases.targetId})`
        .mapWith((text: string) => JSON.parse(text) as SinglePurchaseSnapshot["tickets"])
        .as("bought_tickets"),
    })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.personId, purchases.creatorId))
    .where(eq(purchases.id, purchaseId))
    .limit(1);

export const toPurchaseSnapshot = ([row]: Awaited<
  ReturnType<typeof purchaseSnapshotStatement>
>): SinglePurchaseSnapshot | null => (row ? { ...row, purchase: asPurchase(row.purchase) } : null);

/** SQL condition: the person holds the item by another purchase, or the post by a bought collection. */
function isHeldAlready(): SQL {
  const same = sql`EXISTS (SELECT 1 FROM purchases other WHERE other.person_id = ${purchases.personId} AND other.kind = ${purchases.kind} AND other.target_id = ${purchases.targetId}
    AND other.id <> ${purchases.id} AND other.bought_at IS NOT NULL AND other.ended_at IS NULL)`;
  const within = sql`EXISTS (SELECT 1 FROM posts WHERE ${purchases.kind} = 'post' AND posts.id = ${purchases.targetId} AND ${isPurchased(sql`${purchases.personId}`)})`;
  return sql`(${same} OR ${within})`;
}

function isThere(now: SQL<Instant>): SQL {
  const post = sql`EXISTS (SELECT 1 FROM posts sold WHERE ${purchases.kind} = 'post' AND sold.id = ${purchases.targetId} AND sold.state = 'published' AND sold.published_at <= ${now} AND sold.deleted_at IS NULL AND sold.held_at IS NULL)`;
  const collection = sql`EXISTS (SELECT 1 FROM collections sold WHERE ${purchases.kind} = 'collection' AND sold.id = ${purchases.targetId} AND sold.deleted_at IS NULL AND sold.held_at IS NULL)`;
  const message = sql`EXISTS (SELECT 1 FROM messages sold WHERE ${purchases.kind} = 'message' AND sold.id = ${purchases.targetId} AND sold.deleted_at IS NULL AND sold.files_id IS NOT NULL)`;
  const tickets = areTicketsThere(sql`${purchases.kind}`, sql`${purchases.targetId}`, now);
  return sql`(${post} OR ${collection} OR ${message} OR ${tickets})`;
}

function isSold(now: SQL<Instant>): SQL {
  const post = sql`EXISTS (SELECT 1 FROM post_access_rules price WHERE ${purchases.kind} = 'post' AND price.post_id = ${purchases.targetId} AND price.kind = 'price' AND (price.opens_at IS NULL OR price.opens_at <= ${now}))`;
  const collection = sql`EXISTS (SELECT 1 FROM collections priced WHERE ${purchases.kind} = 'collection' AND priced.id = ${purchases.targetId} AND priced.price_cents IS NOT NULL)`;
  const message = sql`EXISTS (SELECT 1 FROM messages priced WHERE ${purchases.kind} = 'message' AND priced.id = ${purchases.targetId} AND priced.price_cents IS NOT NULL)`;
  const tickets = areTicketsSold(sql`${purchases.kind}`, sql`${purchases.targetId}`, now);
  return sql`(${post} OR ${collection} OR ${message} OR ${tickets})`;
}

export type PurchaseView = {
  id: string;
  kind: SingleKind;
  targetId: string;
  title: string;
  chargeId: string;
  chargeStatus: ChargeStatus;
  method: PaymentMethod;
  amountCents: Cents;
  boughtAt: Instant;
  endedAt: Instant | null;
  endedReason: PurchaseEndReason | null;
  coolingOffUntil: Instant | null;
  /** When the event of bought tickets begins; null for other purchases. */
  startsAt: Instant | null;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
};

function purchaseViews(ctx: Context) {
  return ctx.db
    .select({
      id: purchases.id,
      kind: purchases.kind,
      targetId: purchases.targetId,
      title: purchases.title,
      chargeId: purchases.chargeId,
      chargeStatus: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: purchases.amountCents,
      boughtAt: sql<Instant>`${purchases.boughtAt}`,
      endedAt: purchases.endedAt,
      endedReason: sql<PurchaseEndReason | null>`${purchases.endedReason}`,
      startsAt: eventStartsAt.as("event_starts_at"),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
    })
    .from(purchases)
    .innerJoin(charges, eq(charges.id, purchases.chargeId))
    .innerJoin(profiles, eq(profiles.personId, purchases.creatorId));
}

type PurchaseListRequest = { personId: string; cursor: string | null; limit: number };

/**
 * Statement of a person's purchases, the last first, including ended ones. Unpaid attempts are left
 * out. `toPurchasePage` reads its rows.
 */
export function purchasesStatement(ctx: Context, { personId, cursor, limit }: PurchaseListRequest) {
  const after = decodeCursor(cursor);
  return purchaseViews(ctx)
    .where(
      and(
        eq(purchases.personId, personId),
        isNotNull(purchases.boughtAt),
        after
          ? sql`(${purchases.boughtAt}, ${purchases.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(purchases.boughtAt), desc(purchases.id))
    .limit(limit + 1);
}

export const toPurchasePage = (
  rows: Awaited<ReturnType<typeof purchasesStatement>>,
  limit: number,
): Page<PurchaseView> =>
  pageOf(rows.map(viewOf), limit, (row) => ({ at: row.boughtAt, id: row.id }));

/** Loads one purchase of its buyer; null for another person's purchase, and for an unpaid one. */
export async function buyerPurchase(
  ctx: Context,
  { personId, purchaseId }: { personId: string; purchaseId: string },
): Promise<PurchaseView | null> {
  const [row] = await purchaseViews(ctx)
    .where(
      and(
        eq(purchases.id, purchaseId),
        eq(purchases.personId, personId),
        isNotNull(purchases.boughtAt),
      ),
    )
    .limit(1);
  return row ? viewOf(row) : null;
}

const viewOf = (row: Omit<PurchaseView, "coolingOffUntil">): PurchaseView => ({
  ...row,
  coolingOffUntil: coolingOffUntil(row),
});

/** Lists purchases that are due to be refunded and closed, the oldest first. */
export async function purchasesToClose(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: purchases.id })
    .from(purchases)
    // Disputed purchases wait for the decision, and block no other.
    .innerJoin(charges, eq(charges.id, purchases.chargeId))
    .where(
      and(
        isNotNull(purchases.closesAt),
        isNull(purchases.endedAt),
        lte(purchases.closesAt, now),
        inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"]),
        isRetryDue(ctx, purchases.id),
      ),
    )
    .orderBy(asc(purchases.closesAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Lists active purchases of a creator's content; not the tickets of what took place. */
export async function activePurchasesOfSeller(
  ctx: Context,
  { creatorId, limit }: { creatorId: string; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.creatorId, creatorId), isLiving, sql`NOT ${isOfPastEvent(ctx.now())}`))
    .orderBy(asc(purchases.id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Counts the people who bought an item by itself, and sums what they paid (centavos). */
export async function buyersSummary(
  ctx: Context,
  { kind, targetId }: { kind: SingleKind; targetId: string },
): Promise<{ count: number; amountCents: Cents }> {
  const [row] = await ctx.db
    .select({
      count: sql<number>`COUNT(*)`,
      amountCents:
        sql<Cents>`COALESCE(SUM(${charges.amountCents} - ${charges.refundedCents} - ${charges.disputedCents}), 0)`.as(
          "paid_cents",
        ),
    })
    .from(purchases)
    .innerJoin(charges, eq(charges.id, purchases.chargeId))
    .where(and(eq(purchases.targetId, targetId), eq(purchases.kind, kind), isLiving));
  return row ?? { count: 0, amountCents: 0 };
}

const HOLDS = sql.raw(
  "sold.kind = 'collection' AND sold.bought_at IS NOT NULL AND sold.ended_at IS NULL",
);

/**
 * SQL for collection purchases that hold the post `postId` (a value, or an SQL expression): in the
 * collection now, or when it was bought.
 */
const holdersOf = (
  postId: string | SQL,
): SQL => sql`SELECT sold.id FROM purchase_posts stored JOIN purchases sold ON sold.id = stored.purchase_id WHERE stored.post_id = ${postId} AND ${HOLDS}
  UNION SELECT sold.id FROM collection_posts held JOIN purchases sold ON sold.target_id = held.collection_id WHERE held.post_id = ${postId} AND ${HOLDS}`;

/** SQL condition on `posts`: no one holds the post by a purchase of its own. */
export const notBoughtIndividually: SQL = sql`NOT EXISTS (SELECT 1 FROM purchases sold WHERE sold.target_id = "posts"."id" AND sold.kind = 'post' AND sold.bought_at IS NOT NULL AND sold.ended_at IS NULL)`;

/** SQL condition on `posts`: no one holds the post by a bought collection. */
export const notInSoldCollection: SQL = sql`NOT EXISTS (${holdersOf(sql`"posts"."id"`)})`;

/** Counts the people who hold a post by a bought collection. */
export async function collectionBuyersCount(
  ctx: Context,
  { postId }: { postId: string },
): Promise<number> {
  const row = await ctx.db.get<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM (${holdersOf(postId)})`,
  );
  return row.count;
}
