import { and, eq, getTableColumns, isNotNull, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { ChargeStatus, OpenCheckoutCharge } from "#app/domain/payments/rules.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";
import type { ClaimInput } from "./rules.ts";
import type { Gift, GiftEndReason } from "./schema.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts } from "#drizzle/schema/purchases.ts";

/** A trigger refuses any other value of `ended_reason`. */
export const asGift = (row: Omit<typeof gifts.$inferSelect, "codeHash">): Gift => ({
  ...row,
  endedReason: row.endedReason as GiftEndReason | null,
});

/** All columns except the hash of the code, which is only used for lookup. */
const { codeHash: _hash, ...withoutCode } = getTableColumns(gifts);
export const giftColumns = withoutCode;

const flag = (condition: SQL, name: string) =>
  sql<boolean>`${condition}`.mapWith((value: number) => value === 1).as(name);
const nameOf = (person: SQL, name: string) =>
  sql<string>`(SELECT named.name FROM profiles named WHERE named.person_id = ${person})`.as(name);
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
  const [row] = await ctx.db
    .select({
      gift: giftColumns,
      chargeStatus: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      isShut: flag(
        sql`(${isSellerGone} OR ${isBlockedBetween(viewerId, sql`${gifts.creatorId}`)})`,
        "is_shut",
      ),
      isLeaving: flag(isViewerLeaving(viewerId), "is_leaving"),
      isAgeClosed: flag(
        isHiddenByAge(viewerId, sql`${gifts.creatorId}`, ctx.settings.adultSpaces),
        "is_age_closed",
      ),
      isSubscribed: flag(isViewerSubscribed(viewerId), "is_subscribed"),
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
  const { gift, chargeStatus, isShut, isLeaving, isAgeClosed, isSubscribed, awayUntil, ...shown } =
    row;
  return {
    ...shown,
    gift: asGift(gift),
    claimInput: {
      gift: asGift(gift),
      chargeStatus,
      isShut,
      isLeaving,
      isAgeClosed,
      isSubscribed,
      awayUntil,
    },
  };
}

const isViewerLeaving = (viewerId: string | null): SQL =>
  viewerId === null
    ? sql`0`
    : sql`EXISTS (SELECT 1 FROM people looker WHERE looker.id = ${viewerId} AND looker.leaving_at IS NOT NULL)`;

const isViewerSubscribed = (viewerId: string | null): SQL =>
  viewerId === null
    ? sql`0`
    : sql`EXISTS (SELECT 1 FROM subscriptions live WHERE live.fan_id = ${viewerId} AND live.creator_id = ${gifts.creatorId} AND live.status NOT IN ('incomplete', 'expired'))`;
