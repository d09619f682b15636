import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql,
} from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { ChargeStatus, OpenCheckoutCharge } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";
import { toPurchasePage, purchasesStatement } from "#app/domain/purchases/queries.server.ts";
import type { PurchaseView } from "#app/domain/purchases/queries.server.ts";
import { giftCodeFromBytes, giftPath, giftState } from "./rules.ts";
import type { ClaimInput, GiftState } from "./rules.ts";
import type { Gift, GiftEndReason } from "./schema.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts } from "#drizzle/schema/purchases.ts";

/** A trigger refuses any other value of `ended_reason`. */
const asGift = (row: Omit<typeof gifts.$inferSelect, "codeHash">): Gift => ({
  ...row,
  endedReason: row.endedReason as GiftEndReason | null,
});

/** All columns except the hash of the code, which is only used for lookup. */
const { codeHash: _hash, ...giftColumns } = getTableColumns(gifts);

const flag = (condition: SQL, name: string) =>
  sql<boolean>`${condition}`.mapWith((value: number) => value === 1).as(name);
const nameOf = (person: SQL, name: string) =>
  sql<string>`(SELECT named.name FROM profiles named WHERE named.person_id = ${person})`.as(name);
const isPaid = and(isNotNull(gifts.paidAt), isNull(gifts.endedAt));
const isWaiting = and(isPaid, isNull(gifts.claimedAt));

const PURPOSE = "coreto gift 1";

/** Computes the code of a gift. The product can compute it again, and stores only its SHA-256. */
export async function giftCode(ctx: Context, { giftId }: { giftId: string }): Promise<string> {
  const signature = await ctx.signer.sign(PURPOSE, giftId);
  return giftCodeFromBytes(
    Uint8Array.from(atob(signature.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    ),
  );
}

/** Builds the full link that opens a gift; anyone who has it may use it. */
export const giftLink = async (ctx: Context, gift: { giftId: string }): Promise<string> =>
  ctx.settings.appOrigin + giftPath(await giftCode(ctx, gift));

/**
 * Builds `giftLink` for the giver; null if our signing secret changed since. Then only the link
 * sent before still works.
 */
export async function giftLinkForGiver(
  ctx: Context,
  { giftId }: { giftId: string },
): Promise<string | null> {
  const code = await giftCode(ctx, { giftId });
  const retainedCount = await ctx.db.$count(
    gifts,
    and(eq(gifts.id, giftId), eq(gifts.codeHash, await ctx.signer.digest(code))),
  );
  return retainedCount === 1 ? ctx.settings.appOrigin + giftPath(code) : null;
}

type OpenGiftRequest = { memberId: string; creatorId: string; recipientEmail: string };

/** Loads the giver's unpaid gift for the same recipient, or null; the database allows one. */
export async function openGift(
  ctx: Context,
  { memberId, creatorId, recipientEmail }: OpenGiftRequest,
): Promise<
  (OpenCheckoutCharge & { giftId: string; planPriceId: string; recipientName: string }) | null
> {
  const [row] = await ctx.db
    .select({
      giftId: gifts.id,
      planPriceId: gifts.planPriceId,
      recipientName: gifts.recipientName,
      chargeId: charges.id,
      status: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: charges.amountCents,
      expiresAt: charges.expiresAt,
      nextActionUrl: charges.nextActionUrl,
    })
    .from(gifts)
    .innerJoin(charges, eq(charges.id, gifts.chargeId))
    .where(
      and(
        eq(gifts.giverId, memberId),
        eq(gifts.creatorId, creatorId),
        eq(gifts.recipientEmail, recipientEmail),
        isNull(gifts.paidAt),
        isNull(gifts.endedAt),
      ),
    )
    .limit(1);
  return row ?? null;
}

export type GiftSnapshot = {
  gift: Gift;
  /** The seller was banned or is leaving. */
  isSellerGone: boolean;
  /** The seller is gone, or a block is between them and the giver. */
  isShut: boolean;
  isPayerLeaving: boolean;
  plan: { id: string; name: string; state: "draft" | "active" | "archived"; hasFreeSeat: boolean };
  giverName: string;
  creatorName: string;
  creatorUsername: string;
  /** The claimer paid for what starts after it. */
  isFollowed: boolean;
};

/** Loads everything that decides a payment of this gift, in one round trip. */
export async function loadGiftSnapshot(
  ctx: Context,
  { giftId }: { giftId: string },
): Promise<GiftSnapshot | null> {
  return toGiftSnapshot(await giftSnapshotStatement(ctx, { giftId: sql`${giftId}` }));
}

/** Statement of `loadGiftSnapshot`; `toGiftSnapshot` reads its rows. It can be built once. */
export const giftSnapshotStatement = (
  { db }: Pick<Context, "db">,
  { giftId }: { giftId: SQL<string> },
) =>
  db
    .select({
      gift: giftColumns,
      isSellerGone: flag(isSellerGone, "is_seller_gone"),
      isShut: flag(
        sql`(${isSellerGone} OR ${isBlockedBetween(sql`${gifts.giverId}`, sql`${gifts.creatorId}`)})`,
        "is_shut",
      ),
      isPayerLeaving: flag(
        sql`EXISTS (SELECT 1 FROM people payer WHERE payer.id = ${gifts.giverId} AND payer.leaving_at IS NOT NULL)`,
        "is_payer_leaving",
      ),
      plan: {
        id: plans.id,
        name: plans.name,
        state: plans.state,
        seatsLimit: plans.seatsLimit,
        seatsTaken: plans.seatsTaken,
      },
      giverName: nameOf(sql`${gifts.giverId}`, "giver_name"),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      isFollowed: flag(
        sql`EXISTS (SELECT 1 FROM subscriptions after WHERE after.begins_after = ${gifts.id} AND after.status = 'upcoming' AND after.creator_id = ${gifts.creatorId})`,
        "is_followed",
      ),
    })
    .from(gifts)
    .innerJoin(plans, eq(plans.id, gifts.planId))
    .innerJoin(profiles, eq(profiles.personId, gifts.creatorId))
    .where(eq(gifts.id, giftId))
    .limit(1);

export function toGiftSnapshot([row]: Awaited<
  ReturnType<typeof giftSnapshotStatement>
>): GiftSnapshot | null {
  if (!row) return null;
  const { seatsLimit, seatsTaken, ...plan } = row.plan;
  return {
    ...row,
    gift: asGift(row.gift),
    plan: { ...plan, hasFreeSeat: seatsLimit === null || seatsTaken < seatsLimit },
  };
}

const isSellerGone = sql`EXISTS (SELECT 1 FROM people seller WHERE seller.id = ${gifts.creatorId} AND (seller.banned_at IS NOT NULL OR seller.leaving_at IS NOT NULL))`;

/** A gift as the holder of its code sees it, with all that decides whether `viewerId` may claim it. */
export type GiftForClaimer = {
  gift: Gift;
  claimInput: Omit<ClaimInput, "memberId">;
  giverName: string;
  plan: { name: string; description: string; benefits: string[] };
  creator: { name: string; username: string; avatarMediaId: string | null };
};

/**
 * Loads the paid gift of a code (from `parseGiftCode`); null if there is none. For a signed-out
 * viewer, only conditions that hold for anyone count.
 */
export async function giftByCode(
  ctx: Context,
  { code, viewerId }: { code: string; viewerId: string | null },
): Promise<GiftForClaimer | null> {
  const codeHash = await ctx.signer.digest(code);
  const isLeaving =
    viewerId === null
      ? sql`0`
      : sql`EXISTS (SELECT 1 FROM people looker WHERE looker.id = ${viewerId} AND looker.leaving_at IS NOT NULL)`;
  const isSubscribed =
    viewerId === null
      ? sql`0`
      : sql`EXISTS (SELECT 1 FROM subscriptions live WHERE live.fan_id = ${viewerId} AND live.creator_id = ${gifts.creatorId} AND live.status NOT IN ('incomplete', 'expired'))`;
  const [row] = await ctx.db
    .select({
      gift: giftColumns,
      chargeStatus: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      isShut: flag(
        sql`(${isSellerGone} OR ${isBlockedBetween(viewerId, sql`${gifts.creatorId}`)})`,
        "is_shut",
      ),
      isLeaving: flag(isLeaving, "is_leaving"),
      isAgeClosed: flag(
        isHiddenByAge(viewerId, sql`${gifts.creatorId}`, ctx.settings.adultSpaces),
        "is_age_closed",
      ),
      isSubscribed: flag(isSubscribed, "is_subscribed"),
      awayUntil: vacationUntilSql(sql`${gifts.creatorId}`, ctx.now()).as("away_until"),
      giverName: nameOf(sql`${gifts.giverId}`, "giver_name"),
      plan: {
        name: sql<string>`${plans.name}`.as("plan_name"),
        description: plans.description,
        benefits: plans.benefits,
      },
      creator: {
        name: sql<string>`${profiles.name}`.as("creator_name"),
        username: profiles.username,
        avatarMediaId: profiles.avatarMediaId,
      },
    })
    .from(gifts)
    .innerJoin(charges, eq(charges.id, gifts.chargeId))
    .innerJoin(plans, eq(plans.id, gifts.planId))
    .innerJoin(profiles, eq(profiles.personId, gifts.creatorId))
    .where(and(eq(gifts.codeHash, codeHash), isNotNull(gifts.paidAt)))
    .limit(1);
  if (!row) return null;
  const {
    gift,
    chargeStatus,
    isShut,
    isLeaving: leaves,
    isAgeClosed,
    isSubscribed: subscribes,
    awayUntil,
    ...shown
  } = row;
  return {
    ...shown,
    gift: asGift(gift),
    claimInput: {
      gift: asGift(gift),
      chargeStatus,
      isShut,
      isLeaving: leaves,
      isAgeClosed,
      isSubscribed: subscribes,
      awayUntil,
    },
  };
}

/** A gift as its giver sees it. */
export type GiftOfGiver = Gift & {
  state: GiftState;
  planName: string;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
  claimerName: string | null;
  chargeStatus: ChargeStatus;
  method: PaymentMethod;
};

function givenGifts(ctx: Context) {
  return ctx.db
    .select({
      gift: giftColumns,
      planName: sql<string>`${plans.name}`.as("plan_name"),
      creatorName: sql<string>`${profiles.name}`.as("creator_name"),
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
      claimerName: sql<
        string | null
      >`(SELECT claimer.name FROM profiles claimer WHERE claimer.person_id = ${gifts.claimedBy})`.as(
        "claimer_name",
      ),
      chargeStatus: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      method: charges.method,
    })
    .from(gifts)
    .innerJoin(charges, eq(charges.id, gifts.chargeId))
    .innerJoin(plans, eq(plans.id, gifts.planId))
    .innerJoin(profiles, eq(profiles.personId, gifts.creatorId));
}

type GiftOfGiverRow = Awaited<ReturnType<typeof givenGifts>>[number];
const asGiven = ({ gift, ...shown }: GiftOfGiverRow, now: Instant): GiftOfGiver => ({
  ...shown,
  ...asGift(gift),
  state: giftState(asGift(gift), now),
});

type GiftListRequest = { giverId: string; cursor: string | null; limit: number };
export type PaidGift = GiftOfGiver & { paidAt: Instant };

function givenStatement(ctx: Context, { giverId, cursor, limit }: GiftListRequest) {
  const after = decodeCursor(cursor);
  return givenGifts(ctx)
    .where(
      and(
        eq(gifts.giverId, giverId),
        isNotNull(gifts.paidAt),
        after ? sql`(${gifts.paidAt}, ${gifts.id}) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(gifts.paidAt), desc(gifts.id))
    .limit(limit + 1);
}

function asPage(rows: GiftOfGiverRow[], limit: number, now: Instant): Page<PaidGift> {
  const given = rows
    .map((row) => asGiven(row, now))
    .map((one) => ({ ...one, paidAt: one.paidAt ?? one.createdAt }));
  return pageOf(given, limit, (one) => ({ at: one.paidAt, id: one.id }));
}

/** Lists a person's purchases and given gifts, each from its own cursor, in one round trip. */
export async function purchasesAndGifts(
  ctx: Context,
  {
    personId,
    cursor,
    givenCursor,
    limit,
  }: { personId: string; cursor: string | null; givenCursor: string | null; limit: number },
): Promise<{ bought: Page<PurchaseView>; given: Page<PaidGift> }> {
  const [bought, given] = await ctx.db.batch([
    purchasesStatement(ctx, { personId, cursor, limit }),
    givenStatement(ctx, { giverId: personId, cursor: givenCursor, limit }),
  ]);
  return { bought: toPurchasePage(bought, limit), given: asPage(given, limit, ctx.now()) };
}

/** Loads one gift of its giver; null for another person's gift, and for an unpaid one. */
export async function giverGift(
  ctx: Context,
  { giverId, giftId }: { giverId: string; giftId: string },
): Promise<GiftOfGiver | null> {
  const [row] = await givenGifts(ctx)
    .where(and(eq(gifts.id, giftId), eq(gifts.giverId, giverId), isNotNull(gifts.paidAt)))
    .limit(1);
  return row ? asGiven(row, ctx.now()) : null;
}

type DueGiftsRequest = { now: Instant; limit: number };

/** Lists gifts whose delivery day has come. */
export async function dueGiftDeliveries(
  ctx: Context,
  { now, limit }: DueGiftsRequest,
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: gifts.id })
    .from(gifts)
    .where(
      and(
        isWaiting,
        isNotNull(gifts.deliverAt),
        isNull(gifts.deliveredAt),
        ne(gifts.recipientEmail, ""),
        lte(gifts.deliverAt, now),
        isRetryDue(ctx, gifts.id),
      ),
    )
    .orderBy(asc(gifts.deliverAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/**
 * Lists gifts that were not claimed in time, and gifts of pages banned since before `bannedBefore`.
 * Disputed gifts wait for the decision.
 */
export async function expiredGifts(
  ctx: Context,
  { now, bannedBefore, limit }: DueGiftsRequest & { bannedBefore: Instant },
): Promise<string[]> {
  const isBanned = sql`${gifts.creatorId} IN (SELECT banned.id FROM people banned WHERE banned.banned_at <= ${bannedBefore})`;
  const rows = await ctx.db
    .select({ id: gifts.id })
    .from(gifts)
    .innerJoin(charges, eq(charges.id, gifts.chargeId))
    .where(
      and(
        isWaiting,
        or(lte(gifts.claimUntil, now), isBanned),
        inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"]),
        isRetryDue(ctx, gifts.id),
      ),
    )
    .orderBy(asc(gifts.claimUntil))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Lists unclaimed gifts of a creator's plans. */
export async function unclaimedGiftsOfSeller(
  ctx: Context,
  { creatorId, limit }: { creatorId: string; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: gifts.id })
    .from(gifts)
    .where(and(eq(gifts.creatorId, creatorId), isWaiting))
    .orderBy(asc(gifts.id))
    .limit(limit);
  return rows.map((row) => row.id);
}
