import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { GiftMessage } from "#app/domain/purchases/schema/outbox/gifts.ts";
import { holdReleaseStatement } from "#app/domain/payments/releases/commands/hold-release.server.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { releaseAt } from "#app/domain/payments/releases/rules/release-time.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { ensureFollowingStatement } from "#app/domain/profiles/commands.server.ts";
import { loadGiftSnapshot } from "#app/domain/purchases/gifts/queries.server.ts";
import { giftLink } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import type { GiftSnapshot } from "#app/domain/purchases/gifts/queries.server.ts";
import { giftClaimUntil, decideGift, giverGiftPath } from "#app/domain/purchases/gifts/rules.ts";
import type { GiftDecision } from "#app/domain/purchases/gifts/rules.ts";
import { giftRefundReasons } from "#app/domain/purchases/gifts/schema.ts";
import type { Gift, GiftEndReason } from "#app/domain/purchases/gifts/schema.ts";
import { endNowStatements } from "#app/domain/subscriptions/endings/commands/end.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { gifts } from "#drizzle/schema/purchases.ts";

/**
 * Handler of gifts. The code of a paid gift opens the plan for its holder, until all of its money
 * is refunded.
 */
export const giftHandler: PurchaseHandler<GiftPurchaseSnapshot> = {
  async settlement(ctx, charge, answer, given) {
    const snapshot =
      given?.snapshot ?? (await loadGiftSnapshot(ctx, { giftId: charge.purchaseId }));
    return snapshot
      ? await settlementOf(
          ctx,
          charge,
          { snapshot, providerCharge: answer.providerCharge },
          decisionFor(ctx, charge, snapshot, answer),
        )
      : null;
  },
  async payer(ctx, charge) {
    const snapshot = await loadGiftSnapshot(ctx, { giftId: charge.purchaseId });
    return snapshot ? { name: snapshot.giverName, savedMethodId: null } : null;
  },
  async endedStatements(ctx, charge, because, given) {
    const snapshot =
      given?.snapshot ?? (await loadGiftSnapshot(ctx, { giftId: charge.purchaseId }));
    if (!snapshot || snapshot.gift.paidAt === null || snapshot.gift.endedAt !== null) return [];
    return giftEndedStatements(
      ctx,
      { snapshot, opened: await openedSubscription(ctx, snapshot, given) },
      because,
    );
  },
};

/** A gift, and the subscription claimed with it. */
export type GiftPurchaseSnapshot = { snapshot: GiftSnapshot | null; opened: Subscription | null };

/**
 * Returns the subscription claimed with a gift. A gift has the id of the subscription that it
 * becomes.
 */
export async function openedSubscription(
  ctx: Context,
  { gift }: GiftSnapshot,
  given: GiftPurchaseSnapshot | null = null,
): Promise<Subscription | null> {
  if (gift.claimedAt === null) return null;
  return given?.opened ?? (await subscriptionRow(ctx, { subscriptionId: gift.id }));
}

function decisionFor(
  ctx: Context,
  charge: Charge,
  snapshot: GiftSnapshot,
  { providerCharge, refusedCode }: ProviderAnswer,
): GiftDecision {
  const { gift } = snapshot;
  if (refusedCode !== undefined)
    return {
      kind: "progress",
      status: "failed",
      failureCode: refusedCode,
      endsAttempt: gift.paidAt === null && gift.endedAt === null,
    };
  return decideGift({ ...snapshot, charge, providerCharge, now: ctx.now() });
}

type PaidGiftContext = { snapshot: GiftSnapshot; providerCharge: ProviderCharge | null };

async function settlementOf(
  ctx: Context,
  charge: Charge,
  { snapshot, providerCharge }: PaidGiftContext,
  decision: GiftDecision,
): Promise<Settlement> {
  const { gift } = snapshot;
  switch (decision.kind) {
    case "nothing":
      return decision;
    case "progress":
      return {
        kind: "progress",
        status: decision.status,
        failureCode: decision.failureCode,
        extraWrites: decision.endsAttempt ? attemptOverStatements(ctx, gift, "unpaid") : [],
      };
    case "give":
      return {
        kind: "paid",
        isRenewal: false,
        extraWrites: await givenStatements(ctx, charge, { snapshot, providerCharge }, decision),
        announced: boughtKey(gift.id),
      };
    case "give_back":
      return {
        kind: "give_back",
        reason: giftRefundReasons[decision.reason],
        log: decision.reason,
        extraWrites: decision.endsAttempt ? attemptOverStatements(ctx, gift, "given_back") : [],
      };
  }
}

/** Outbox key that notifies the claimer of the end; used only if the gift was claimed. */
export const giftRevokedKey = (giftId: string): string => `gift:${giftId}:taken_back`;
const boughtKey = (giftId: string) => `gift:${giftId}:bought`;

/**
 * Builds the statements of a paid gift. An expired attempt that is paid late is still given, if a
 * seat is free. Its net waits for the claim.
 */
async function givenStatements(
  ctx: Context,
  charge: Charge,
  { snapshot, providerCharge }: PaidGiftContext,
  { needsSeat }: { needsSeat: boolean },
): Promise<BatchWrite[]> {
  const { gift, plan, giverName, creatorName } = snapshot;
  const now = ctx.now();
  const link = await giftLink(ctx, { giftId: gift.id });
  const claimUntil = giftClaimUntil(now);
  const deliversNow =
    gift.recipientEmail !== "" && (gift.deliverAt === null || gift.deliverAt <= now);
  return [
    ...(needsSeat ? [holdSeatStatement(ctx, { planId: plan.id })] : []),
    mustChangeOne(
      ctx.db
        .update(gifts)
        .set({
          paidAt: now,
          claimUntil,
          releaseAt: releaseAt({
            method: charge.method,
            isRenewal: false,
            succeededAt: now,
            settlesAt: providerCharge?.settlesAt ?? null,
          }),
          deliveredAt: deliversNow ? now : null,
          holdsSeat: true,
          endedAt: null,
          endedReason: null,
        })
        .where(
          and(eq(gifts.id, gift.id), isNull(gifts.paidAt), eq(gifts.holdsSeat, gift.holdsSeat)),
        ),
    ),
    holdReleaseStatement(ctx, { chargeId: charge.id }),
    announce<GiftMessage>(ctx, boughtKey(gift.id), {
      type: "gift.bought",
      giftId: gift.id,
      chargeId: charge.id,
      giverId: gift.giverId,
      giverName,
      creatorId: gift.creatorId,
      creatorName,
      planName: plan.name,
      amountCents: charge.amountCents,
      recipientName: gift.recipientName,
      isMailed: gift.recipientEmail !== "",
      deliverAt: deliversNow ? null : gift.deliverAt,
      claimUntil,
      link,
      path: giverGiftPath(gift.id),
    }),
    ...(deliversNow
      ? [
          giftDeliveryStatement(
            ctx,
            { ...snapshot, gift: { ...gift, claimUntil } },
            { key: `gift:${gift.id}:delivered`, link },
          ),
        ]
      : []),
  ];
}

/** Builds the statement that sends the gift's e-mail to its recipient, with its link. */
export function giftDeliveryStatement(
  ctx: Context,
  {
    gift,
    giverName,
    creatorName,
    plan,
  }: Pick<GiftSnapshot, "gift" | "giverName" | "creatorName" | "plan">,
  { key, link }: { key: string; link: string },
): BatchWrite {
  return announce<GiftMessage>(ctx, key, {
    type: "gift.delivered",
    giftId: gift.id,
    email: gift.recipientEmail,
    giverName,
    recipientName: gift.recipientName,
    message: gift.message,
    creatorName,
    planName: plan.name,
    claimUntil: gift.claimUntil ?? ctx.now(),
    link,
  });
}

function attemptOverStatements(ctx: Context, gift: Gift, reason: GiftEndReason): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(gifts)
        .set({ endedAt: ctx.now(), endedReason: reason, holdsSeat: false })
        .where(
          and(
            eq(gifts.id, gift.id),
            isNull(gifts.paidAt),
            isNull(gifts.endedAt),
            eq(gifts.holdsSeat, gift.holdsSeat),
          ),
        ),
    ),
    ...(gift.holdsSeat ? [releaseSeatStatement(ctx, { planId: gift.planId })] : []),
  ];
}

/**
 * Builds the statements that end a refunded gift. Its code is void, its seat is free, and a
 * subscription claimed with it ends now. The claimer is notified, and goes on following unless the
 * page is closed or blocked to them. Stale if it was claimed or ended meanwhile.
 */
export function giftEndedStatements(
  ctx: Context,
  {
    snapshot,
    opened,
  }: {
    snapshot: GiftSnapshot;
    /** The subscription claimed with it. */
    opened: Subscription | null;
  },
  reason: GiftEndReason,
): BatchWrite[] {
  const { gift, plan, creatorName, creatorUsername, isShut } = snapshot;
  return [
    mustChangeOne(
      ctx.db
        .update(gifts)
        .set({ endedAt: ctx.now(), endedReason: reason, holdsSeat: false })
        .where(
          and(
            eq(gifts.id, gift.id),
            isNotNull(gifts.paidAt),
            isNull(gifts.endedAt),
            sql`${gifts.claimedAt} IS ${gift.claimedAt}`,
          ),
        ),
    ),
    ...(gift.holdsSeat ? [releaseSeatStatement(ctx, { planId: gift.planId })] : []),
    ...(opened && isLive(opened.status)
      ? [
          ...endNowStatements(ctx, opened),
          ...(isShut
            ? []
            : [
                ensureFollowingStatement(ctx, {
                  followerId: opened.fanId,
                  creatorId: opened.creatorId,
                }),
              ]),
          announce<GiftMessage>(ctx, giftRevokedKey(gift.id), {
            type: "gift.taken_back",
            giftId: gift.id,
            claimerId: opened.fanId,
            creatorName,
            creatorUsername,
            planName: plan.name,
            ...(snapshot.isFollowed ? { isFollowed: true } : {}),
          }),
        ]
      : []),
  ];
}
