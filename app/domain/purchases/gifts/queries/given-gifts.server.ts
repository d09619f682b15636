import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { toPurchasePage, purchasesStatement } from "#app/domain/purchases/queries.server.ts";
import type { PurchaseView } from "#app/domain/purchases/queries.server.ts";
import { giftState } from "#app/domain/purchases/gifts/rules.ts";
import type { GiftState } from "#app/domain/purchases/gifts/rules.ts";
import type { Gift } from "#app/domain/purchases/gifts/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import { asGift, giftColumns } from "#app/domain/purchases/gifts/queries.server.ts";

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
