import { and, eq, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { decidePlanWay } from "#app/domain/access/rules/plan-way.ts";
import type { PlanWay } from "#app/domain/access/rules/plan-way.ts";
import {
  isHiddenByAge,
  isBlockedBetween,
  isInTeam,
  isPurchased,
  publishedAndListable,
  visibleTo,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { publicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import {
  purchasedContentPath,
  soldMessageTitle,
  ticketsTitle,
} from "#app/domain/purchases/rules.ts";
import { hasSeats, isOrderSold } from "./event-seats.server.ts";
import type { PurchaseObstacle, Purchasable, SingleKind } from "#app/domain/purchases/schema.ts";
import { liveSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { endingGiftOrComp } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import { offeredTrial } from "#app/domain/subscriptions/trials/queries.server.ts";
import type { OfferedTrial } from "#app/domain/subscriptions/trials/queries.server.ts";
import { soldFileKinds } from "./sold-files.server.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { eventOrders, events, eventTicketKinds } from "#drizzle/schema/events.ts";
import { people } from "#drizzle/schema/identity.ts";
import { conversationMembers, messages } from "#drizzle/schema/messages.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const flag = (expression: SQL, name: string) =>
  sql<boolean>`${expression}`.mapWith((value: number) => value === 1).as(name);

type SinglePurchasableRequest = { memberId: string; kind: SingleKind; targetId: string };

/**
 * Loads the one-time item that a checkout sells to this person; null if it has no price or they may
 * not see it.
 */
export async function purchasableSingle(
  ctx: Context,
  wanted: SinglePurchasableRequest,
): Promise<Purchasable | null> {
  const row = await singleRow(ctx, wanted);
  if (!row || !row.isListed || row.amountCents === null) return null;
  const { status, submittedAt } = row;
  const sells = canSell(
    status !== null && submittedAt !== null ? { status, submittedAt } : null,
    ctx.now(),
  );
  return {
    kind: wanted.kind,
    id: wanted.targetId,
    title: row.title,
    path: purchasedContentPath(wanted.kind, wanted.targetId),
    creator: {
      id: row.creatorId,
      name: row.creatorName,
      username: row.creatorUsername,
      avatarMediaId: row.creatorAvatarMediaId,
    },
    seller: publicSeller(row),
    amountCents: row.amountCents,
    renews: null,
    ...(isOrder(row) ? { refundHours: row.refundHours } : {}),
    obstacle: obstacleOf({
      ...row,
      isOwn: row.creatorId === wanted.memberId,
      sells: sells && row.holdsSomething && row.bannedAt === null && row.leavingAt === null,
    }),
  };
}

const isOrder = (row: object): row is { refundHours: number | null } => "refundHours" in row;

async function singleRow(ctx: Context, wanted: SinglePurchasableRequest) {
  switch (wanted.kind) {
    case "post":
      return await postRow(ctx, wanted);
    case "collection":
      return await collectionRow(ctx, wanted);
    case "message":
      return await messageRow(ctx, wanted);
    case "event":
      return await orderRow(ctx, wanted);
  }
}

function obstacleOf({
  isOwn,
  isHeld,
  isOpen,
  sells,
  isFull = false,
}: {
  isOwn: boolean;
  isHeld: boolean;
  isOpen: boolean;
  sells: boolean;
  isFull?: boolean;
}): PurchaseObstacle | null {
  if (isOwn) return "own";
  if (isHeld) return "bought";
  if (isOpen) return "open";
  if (!sells) return "not_sold";
  return isFull ? "full" : null;
}

const sellerColumns = {
  creatorId: sql<string>`${profiles.personId}`.as("seller_id"),
  creatorName: profiles.name,
  creatorUsername: profiles.username,
  creatorAvatarMediaId: profiles.avatarMediaId,
  bannedAt: people.bannedAt,
  leavingAt: people.leavingAt,
  status: documents.status,
  submittedAt: documents.submittedAt,
  sellerName: documents.sellerName,
  taxKind: documents.taxKind,
  taxId: documents.taxId,
};

async function postRow(ctx: Context, { memberId, targetId }: SinglePurchasableRequest) {
  const now = ctx.now();
  const [row] = await ctx.db
    .select({
      title: posts.title,
      amountCents:
        sql<Cents | null>`(SELECT MIN(price.amount_cents) FROM post_access_rules price WHERE price.post_id = posts.id AND price.kind = 'price' AND (price.opens_at IS NULL OR price.opens_at <= ${now}))`.as(
          "price_cents",
        ),
      isListed: flag(publishedAndListable(memberId, now, ctx.settings.adultSpaces), "is_listed"),
      isHeld: flag(isPurchased(memberId), "is_held"),
      isOpen: flag(visibleTo(memberId, now, ctx.settings.adultSpaces), "is_open"),
      holdsSomething: flag(sql`1`, "holds_something"),
      ...sellerColumns,
    })
    .from(posts)
    .innerJoin(profiles, eq(profiles.personId, posts.authorId))
    .innerJoin(people, eq(people.id, posts.authorId))
    .leftJoin(documents, eq(documents.personId, posts.authorId))
    .where(eq(posts.id, targetId))
    .limit(1);
  return row ?? null;
}

/**
 * A collection is open to nobody as a whole, since each post has its own rules. Only its buyers and
 * its team cannot buy it.
 */
async function collectionRow(ctx: Context, { memberId, targetId }: SinglePurchasableRequest) {
  const [row] = await ctx.db
    .select({
      title: collections.title,
      amountCents: collections.priceCents,
      isListed: flag(
        sql`(collections.deleted_at IS NULL AND collections.held_at IS NULL AND people.banned_at IS NULL AND people.leaving_at IS NULL AND NOT ${isBlockedBetween(memberId, sql`collections.creator_id`)} AND NOT ${isHiddenByAge(memberId, sql`collections.creator_id`, ctx.settings.adultSpaces)})`,
        "is_listed",
      ),
      isHeld: flag(
        sql`EXISTS (SELECT 1 FROM purchases bought WHERE bought.person_id = ${memberId} AND bought.kind = 'collection' AND bought.target_id = collections.id AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL)`,
        "is_held",
      ),
      isOpen: flag(isInTeam(memberId, sql`collections.creator_id`), "is_open"),
      // An empty collection cannot be bought.
      holdsSomething: flag(
        sql`EXISTS (SELECT 1 FROM collection_posts held JOIN posts inside ON inside.id = held.post_id WHERE held.collection_id = collections.id AND inside.state = 'published' AND inside.deleted_at IS NULL AND inside.held_at IS NULL)`,
        "holds_something",
      ),
      ...sellerColumns,
    })
    .from(collections)
    .innerJoin(profiles, eq(profiles.personId, collections.creatorId))
    .innerJoin(people, eq(people.id, collections.creatorId))
    .leftJoin(documents, eq(documents.personId, collections.creatorId))
    .where(eq(collections.id, targetId))
    .limit(1);
  return row ?? null;
}

/**
 * The files of a message are for sale to the other person of its conversation only. Others do not
 * find it.
 */
async function messageRow(ctx: Context, { memberId, targetId }: SinglePurchasableRequest) {
  const [row] = await ctx.db
    .select({
      fileKinds: soldFileKinds,
      amountCents: messages.priceCents,
      isListed: flag(
        sql`(messages.deleted_at IS NULL AND people.banned_at IS NULL AND people.leaving_at IS NULL AND NOT ${isBlockedBetween(memberId, sql`messages.sender_id`)} AND NOT ${isHiddenByAge(memberId, sql`messages.sender_id`, ctx.settings.adultSpaces)})`,
        "is_listed",
      ),
      isHeld: flag(
        sql`EXISTS (SELECT 1 FROM purchases bought WHERE bought.person_id = ${memberId} AND bought.kind = 'message' AND bought.target_id = messages.id AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL)`,
        "is_held",
      ),
      isOpen: flag(sql`0`, "is_open"),
      holdsSomething: flag(sql`1`, "holds_something"),
      ...sellerColumns,
    })
    .from(messages)
    .innerJoin(
      conversationMembers,
      and(
        eq(conversationMembers.conversationId, messages.conversationId),
        eq(conversationMembers.personId, memberId),
        lt(conversationMembers.clearedSeq, messages.seq),
      ),
    )
    .innerJoin(profiles, eq(profiles.personId, messages.senderId))
    .innerJoin(people, eq(people.id, messages.senderId))
    .leftJoin(documents, eq(documents.personId, messages.senderId))
    .where(eq(messages.id, targetId))
    .limit(1);
  // Its sender deleted their account, and the files with it.
  if (!row || row.fileKinds.length === 0) return null;
  return { ...row, title: soldMessageTitle(row.fileKinds) };
}

/** An order of tickets is for sale to its own person only. Others do not find it. */
async function orderRow(ctx: Context, { memberId, targetId }: SinglePurchasableRequest) {
  const now = ctx.now();
  const isSold = isOrderSold(memberId, now, ctx.settings.adultSpaces);
  const [row] = await ctx.db
    .select({
      title: events.title,
      kindName: ticket.name,
      quantity: placed.quantity,
      refundHours: sql<number | null>`${placed.refundHours}`.as("order_refund_hours"),
      amountCents: sql<Cents>`${placed.quantity} * ${placed.unitPriceCents}`.as("order_cents"),
      isListed: flag(sql`1`, "is_listed"),
      isHeld: flag(sql`${placed.status} = 'paid'`, "is_held"),
      isOpen: flag(sql`0`, "is_open"),
      holdsSomething: flag(isSold, "holds_something"),
      isFull: flag(sql`NOT ${hasSeats(sql`${now}`)}`, "is_full"),
      ...sellerColumns,
    })
    .from(placed)
    .innerJoin(events, eq(events.id, placed.eventId))
    .innerJoin(ticket, eq(ticket.id, placed.ticketKindId))
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .innerJoin(people, eq(people.id, events.creatorId))
    .leftJoin(documents, eq(documents.personId, events.creatorId))
    .where(and(eq(placed.id, targetId), eq(placed.personId, memberId)))
    .limit(1);
  return row ? { ...row, title: ticketsTitle(row) } : null;
}

const placed = alias(eventOrders, "placed");
const ticket = alias(eventTicketKinds, "ticket");

/** The access that a person already has to a seller's page. */
export type ExistingAccess = Pick<Subscription, "id" | "status" | "accessUntil"> & {
  /** How they come from it to the plan of the checkout. */ way: PlanWay;
};

const isGiven = ({ giftedBy, compEndsAt }: Pick<Subscription, "giftedBy" | "compEndsAt">) =>
  giftedBy !== null || compEndsAt !== null;

/** Loads the plan that a checkout sells to this person, with its offer; null if the plan is missing. */
export async function purchasablePlan(
  ctx: Context,
  { memberId, planId, interval }: { memberId: string; planId: string; interval: string | null },
): Promise<{
  purchasable: Purchasable;
  offer: PlanOffer;
  live: ExistingAccess | null;
  trial: OfferedTrial | null;
  /**
   * When a gift or complimentary subscription ends, so that this starts, or when a paid one starts.
   * Null for at once.
   */
  beginsAt: Instant | null;
} | null> {
  const offer = await planOffer(ctx, { planId, interval, buyerId: memberId });
  if (!offer) return null;
  const live = await liveSubscriptions(ctx, { fanId: memberId, creatorId: offer.creator.id });
  const follows = endingGiftOrComp(live, ctx.now());
  const { plan, price, creator, seller, availability } = offer;
  const subscribed = live[0]?.status === "upcoming" ? "upcoming" : "subscribed";
  const obstacle: PurchaseObstacle | null =
    creator.id === memberId
      ? "own"
      : live.length > 0 && follows === null
        ? subscribed
        : availability === "open"
          ? null
          : availability;
  return {
    offer,
    live: live[0]
      ? {
          id: live[0].id,
          status: live[0].status,
          accessUntil: live[0].accessUntil,
          way: decidePlanWay(plan.id, { ...live[0], isGiven: isGiven(live[0]) }),
        }
      : null,
    beginsAt:
      obstacle === "upcoming"
        ? (live[0]?.startedAt ?? null)
        : obstacle === null
          ? (follows?.endsAt ?? null)
          : null,
    trial:
      obstacle === null && follows === null ? await offeredTrial(ctx, { memberId, plan }) : null,
    purchasable: {
      kind: "plan",
      id: price.id,
      title: plan.name,
      path: `/space/${creator.username}`,
      creator,
      seller,
      amountCents: price.amountCents,
      renews: price.interval,
      obstacle,
      awayUntil: offer.awayUntil,
    },
  };
}
