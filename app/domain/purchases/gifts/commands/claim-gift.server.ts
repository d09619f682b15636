import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { GiftMessage } from "#app/domain/purchases/schema/outbox/gifts.ts";
import { coveredPeriodStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import { scheduleReleaseStatement } from "#app/domain/payments/releases/commands/hold-release.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import {
  GiftClaimed,
  GiftDisputed,
  GiftForAdults,
  GiftNotClaimable,
  GiftNotFound,
  GiftReturned,
  CannotClaimOwnGift,
  GiftUnclaimed,
  LeavingMemberCannotClaim,
  GiftAlreadySubscribed,
  TooManyGiftCodeAttempts,
} from "#app/domain/purchases/gifts/errors.ts";
import { giftByCode } from "#app/domain/purchases/gifts/queries.server.ts";
import type { GiftForClaimer } from "#app/domain/purchases/gifts/queries.server.ts";
import {
  GIFT_CODE_RATE_LIMITS,
  claimProblem,
  giverGiftPath,
  parseGiftCode,
} from "#app/domain/purchases/gifts/rules.ts";
import type { ClaimProblem } from "#app/domain/purchases/gifts/rules.ts";
import { giftSubscriptionStatement } from "#app/domain/subscriptions/gifts/commands.server.ts";
import { periodFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { Instant } from "#app/domain/time.ts";
import { gifts } from "#drizzle/schema/purchases.ts";

type Claim = { memberId: string; memberName: string; code: string };

/**
 * Claims a gift by its code. In one batch it becomes a subscription of one period in the held seat.
 * Its net then gets a release date. Claiming twice gives the same result. After a refusal the gift
 * stays claimable. Refuses GiftNotFound (counted: TooManyGiftCodeAttempts), GiftClaimed,
 * GiftUnclaimed, GiftReturned, GiftDisputed, CannotClaimOwnGift, GiftNotClaimable,
 * LeavingMemberCannotClaim, GiftForAdults, GiftAlreadySubscribed, CreatorOnVacation. Source: domain
 * rules, "Plans".
 */
export async function claimGift(
  ctx: Context,
  claim: Claim,
): Promise<{ subscriptionId: string; creatorUsername: string; accessUntil: Instant }> {
  const opened = await retryOnConflict(() => opening(ctx, claim));
  if (opened.announced)
    await ctx.queues.notifications.send({
      version: 1,
      type: "outbox.deliver",
      id: opened.announced,
    });
  return opened;
}

async function opening(ctx: Context, claim: Claim) {
  const { memberId } = claim;
  const presented = await presentedTo(ctx, claim);
  const { gift, claimInput, creator } = presented;
  const now = ctx.now();
  const period = periodFrom(now, gift.interval, now);
  const opened = {
    subscriptionId: gift.id,
    creatorUsername: creator.username,
    accessUntil: period.endsAt,
  };
  const problem = claimProblem({ ...claimInput, memberId }, now);
  if (problem === "own_claim") return { ...opened, announced: null };
  if (problem !== null)
    throw refusalOf(problem, {
      claimUntil: gift.claimUntil ?? now,
      awayUntil: claimInput.awayUntil ?? now,
    });
  const charge = await chargeRow(ctx, gift);
  if (!charge) throw new GiftNotFound();
  const announced = `gift:${gift.id}:claimed`;
  const statements = [
    ...claimStatements(ctx, claim, { gift, charge, period, now }),
    announce<GiftMessage>(ctx, announced, claimedMessage(claim, presented, period.endsAt)),
  ];
  await commit(ctx.db, statements).catch((error: unknown) => {
    throw claimConflict(error, gift.claimUntil ?? now);
  });
  return { ...opened, announced };
}

type GiftClaim = {
  gift: GiftForClaimer["gift"];
  charge: Charge;
  period: ReturnType<typeof periodFrom>;
  now: Instant;
};

/** Turns the gift into a subscription of one period, and gives its net a release date. */
function claimStatements(
  ctx: Context,
  { memberId }: Claim,
  { gift, charge, period, now }: GiftClaim,
): BatchWrite[] {
  const { id, giverId, creatorId, planId, planPriceId, interval, amountCents } = gift;
  return [
    requireUnblockedStatement(ctx, { personId: memberId, otherId: creatorId }),
    giftSubscriptionStatement(ctx, {
      id,
      fanId: memberId,
      creatorId,
      planId,
      planPriceId,
      interval,
      amountCents,
      method: charge.method,
      giftedBy: giverId,
      period,
    }),
    mustChangeOne(
      ctx.db
        .update(gifts)
        .set({ claimedAt: now, claimedBy: memberId, holdsSeat: false })
        .where(
          and(
            eq(gifts.id, id),
            isNotNull(gifts.paidAt),
            isNull(gifts.claimedAt),
            isNull(gifts.endedAt),
          ),
        ),
    ),
    coveredPeriodStatement(ctx, charge, period),
    scheduleReleaseStatement(ctx, {
      chargeId: charge.id,
      at: Math.max(gift.releaseAt ?? now, now),
    }),
  ];
}

const claimedMessage = (
  { memberId, memberName }: Claim,
  { gift, plan, creator }: GiftForClaimer,
  accessUntil: Instant,
): GiftMessage => ({
  type: "gift.claimed",
  giftId: gift.id,
  giverId: gift.giverId,
  claimerId: memberId,
  claimerName: memberName,
  creatorId: gift.creatorId,
  creatorName: creator.name,
  planName: plan.name,
  accessUntil,
  path: giverGiftPath(gift.id),
});

/**
 * A concurrent claim of the same gift is read again. A subscription that started meanwhile is
 * refused.
 */
function claimConflict(error: unknown, claimUntil: Instant): unknown {
  if (error instanceof UniqueViolation && error.columns.startsWith("subscriptions.fan_id"))
    return new GiftAlreadySubscribed(claimUntil);
  const isRace =
    error instanceof UniqueViolation ||
    (error instanceof RuleViolation &&
      (error.rule.startsWith("immutable_gift") || error.rule === "immutable_vacation"));
  return isRace ? new StaleWrite() : error;
}

async function presentedTo(ctx: Context, { memberId, code }: Claim): Promise<GiftForClaimer> {
  const read = parseGiftCode(code);
  const presented =
    read === null ? null : await giftByCode(ctx, { code: read, viewerId: memberId });
  if (presented) return presented;
  await commit(
    ctx.db,
    rateLimitStatements(ctx, {
      act: "gift_guess",
      personId: memberId,
      limits: [GIFT_CODE_RATE_LIMITS],
    }),
  ).catch((error: unknown) => {
    throw error instanceof StaleWrite ? new TooManyGiftCodeAttempts() : error;
  });
  throw new GiftNotFound();
}

function refusalOf(
  problem: Exclude<ClaimProblem, "own_claim">,
  { claimUntil, awayUntil }: { claimUntil: Instant; awayUntil: Instant },
): Error {
  switch (problem) {
    case "claimed":
      return new GiftClaimed();
    case "unclaimed":
      return new GiftUnclaimed();
    case "returned":
      return new GiftReturned();
    case "disputed":
      return new GiftDisputed();
    case "own_page":
      return new CannotClaimOwnGift();
    case "shut":
      return new GiftNotClaimable();
    case "leaving":
      return new LeavingMemberCannotClaim();
    case "age":
      return new GiftForAdults();
    case "subscribed":
      return new GiftAlreadySubscribed(claimUntil);
    case "away":
      return new CreatorOnVacation(awayUntil);
  }
}
