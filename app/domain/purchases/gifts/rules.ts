import type { Gift, GiftRefundReason } from "./schema.ts";
import { chargeStep, isRefundable } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { coolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import type { CoolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { addDays, DAY_MS, formatDay, HOUR_MS, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long a gift waits to be claimed. Source: domain rules, "Plans". */
const GIFT_CLAIM_DAYS = 365;
/** How far ahead a delivery may be asked for: what is delivered must still be there to claim. */
const GIFT_DELIVERY_DAYS_MAX = 300;
/**
 * Codes that one person may try, and letters that a giver may send again: more than a slip of the
 * finger, too few to guess or to flood.
 */
export const GIFT_CODE_RATE_LIMITS = { windowMs: HOUR_MS, limit: 10 };
export const GIFT_EMAIL_RATE_LIMITS = { windowMs: DAY_MS, limit: 5 };

/** Where a gift is opened. */
export const giftPath = (code: string): string => `/gift/${code}`;
/** Where its giver sees it. */
export const giverGiftPath = (giftId: string): string => `/settings/gifts/${giftId}`;

/** At what hour of its day a gift is delivered: nobody is written to at midnight. */
const DELIVERY_HOUR_MS = 9 * HOUR_MS;

/**
 * When a gift that is to be delivered `on` a day (its midnight) is; null, at once, for today and
 * for no day.
 */
export function giftDeliveryAt(
  on: Instant | null,
  now: Instant,
): { deliverAt: Instant | null } | { problem: string } {
  if (on === null) return { deliverAt: null };
  if (isoDay(on) < isoDay(now)) return { problem: "Este dia já passou" };
  if (on > addDays(now, GIFT_DELIVERY_DAYS_MAX))
    return { problem: `Escolha um dia até ${formatDay(addDays(now, GIFT_DELIVERY_DAYS_MAX))}` };
  return { deliverAt: isoDay(on) === isoDay(now) ? null : on + DELIVERY_HOUR_MS };
}

/** On the charge, the receipt and the bank's statement. */
export const giftDescription = (planName: string, creatorName: string): string =>
  `Presente: ${planName}, de ${creatorName}`;

/** Crockford's digits: no I, L, O or U, which are read as others. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_DIGITS = 24;
const GROUP = /.{4}/g;

/** A code of 24 digits (120 bits) in groups of four, of the first bytes of a secret. */
export function giftCodeFromBytes(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let digits = "";
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5 && digits.length < CODE_DIGITS) {
      bits -= 5;
      digits += DIGITS[(held >> bits) & 31] ?? "";
      held &= (1 << bits) - 1;
    }
  }
  if (digits.length < CODE_DIGITS) throw new Error("too few bytes for a code");
  return digits.match(GROUP)?.join("-") ?? digits;
}

/**
 * A code as it was typed, read as Crockford asks: without case, spaces and hyphens, and with what
 * passes for a digit; null for what is none.
 */
export function parseGiftCode(typed: string): string | null {
  const digits = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  if (digits.length !== CODE_DIGITS || [...digits].some((digit) => !DIGITS.includes(digit)))
    return null;
  return digits.match(GROUP)?.join("-") ?? null;
}

export type GiftDecision =
  | { kind: "nothing" }
  /** `endsAttempt`: nobody paid, and its seat is free again. */
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      endsAttempt: boolean;
    }
  | { kind: "give"; needsSeat: boolean }
  | { kind: "give_back"; reason: GiftRefundReason; endsAttempt: boolean };

export type GiftDecisionInput = {
  charge: { status: ChargeStatus; amountCents: Cents; expiresAt: Instant | null };
  /** What the provider says now; null when it never heard of the charge. */
  said: ProviderCharge | null;
  gift: Pick<Gift, "paidAt" | "endedAt" | "holdsSeat">;
  /** Who sells was banned or is leaving, or a block stands between the two. */
  isShut: boolean;
  isPayerLeaving: boolean;
  plan: { state: "draft" | "active" | "archived"; hasFreeSeat: boolean };
  now: Instant;
};

/**
 * What happens to the charge of a gift now that the provider was asked. While it holds its seat, an
 * archived plan is still given; paid late, only what is sold and has a seat. Pure: equal facts
 * decide alike, and the database lets one through. Source: domain rules, "Plans" and "Charges".
 */
export function decideGift(facts: GiftDecisionInput): GiftDecision {
  const { charge, gift, now } = facts;
  const step = chargeStep(charge, facts.said, now);
  const isAttempt = gift.paidAt === null && gift.endedAt === null;
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isAttempt,
    };
  const reason = refusalOf(facts, step.said);
  return reason === null
    ? { kind: "give", needsSeat: !gift.holdsSeat }
    : { kind: "give_back", reason, endsAttempt: isAttempt };
}

function refusalOf(
  { charge, gift, isShut, isPayerLeaving, plan }: GiftDecisionInput,
  said: ProviderCharge,
): GiftRefundReason | null {
  if (said.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut) return "not_sold";
  if (isPayerLeaving) return "payer_leaving";
  if (gift.holdsSeat) return null;
  if (plan.state !== "active") return "not_sold";
  return plan.hasFreeSeat ? null : "no_seat";
}

/**
 * How a gift that was paid stands, for its giver: to be delivered, handed over, opened by somebody,
 * or over.
 */
export type GiftState = "scheduled" | "waiting" | "claimed" | "unclaimed" | "returned";

type GiftStateInput = Pick<
  Gift,
  "deliverAt" | "deliveredAt" | "claimUntil" | "claimedAt" | "endedAt" | "endedReason"
>;

export function giftState(
  { deliverAt, deliveredAt, claimUntil, claimedAt, endedAt, endedReason }: GiftStateInput,
  now: Instant,
): GiftState {
  if (endedAt !== null) return endedReason === "unclaimed" ? "unclaimed" : "returned";
  if (claimedAt !== null) return "claimed";
  if (claimUntil !== null && claimUntil <= now) return "unclaimed";
  return deliverAt !== null && deliveredAt === null && deliverAt > now ? "scheduled" : "waiting";
}

/** Why a gift cannot be claimed by somebody now. */
export type ClaimProblem =
  | "claimed"
  | "own_claim"
  | "unclaimed"
  | "returned"
  | "disputed"
  | "own_page"
  | "shut"
  | "leaving"
  | "age"
  | "subscribed"
  | "away";

export type ClaimInput = {
  gift: Pick<
    Gift,
    "claimUntil" | "claimedAt" | "claimedBy" | "endedAt" | "endedReason" | "creatorId"
  >;
  chargeStatus: ChargeStatus;
  memberId: string;
  /**
   * The page is closed, its person was banned or is leaving, or a block stands between them and the
   * member.
   */
  isShut: boolean;
  isLeaving: boolean;
  /** The page is for adults, and the member was not found to be one. */
  isAgeClosed: boolean;
  isSubscribed: boolean;
  /** Until when who creates is away: a period that begins then would be gone before they are back. */
  awayUntil?: Instant | null;
};

/**
 * Whether `memberId` may open a gift at `now`, or why not: what is true of the gift first, then
 * what is true of them. An archived plan is honoured.
 */
export function claimProblem(
  {
    gift,
    chargeStatus,
    memberId,
    isShut,
    isLeaving,
    isAgeClosed,
    isSubscribed,
    awayUntil = null,
  }: ClaimInput,
  now: Instant,
): ClaimProblem | null {
  const { claimUntil, claimedAt, claimedBy, endedAt, endedReason, creatorId } = gift;
  if (claimedAt !== null && endedAt === null)
    return claimedBy === memberId ? "own_claim" : "claimed";
  if (endedAt !== null) return endedReason === "unclaimed" ? "unclaimed" : "returned";
  if (claimUntil === null || claimUntil <= now) return "unclaimed";
  if (chargeStatus === "disputed") return "disputed";
  if (!isRefundable(chargeStatus)) return "returned";
  if (creatorId === memberId) return "own_page";
  if (isShut) return "shut";
  if (isLeaving) return "leaving";
  if (isAgeClosed) return "age";
  if (isSubscribed) return "subscribed";
  return awayUntil === null ? null : "away";
}

/**
 * Why a gift cannot be regretted by its giver at `now`, or null when it can: also once it was
 * claimed. Source: CDC art. 49.
 */
export function giftCoolingOffRefundProblem(
  gift: Pick<Gift, "paidAt" | "endedAt">,
  charge: { status: ChargeStatus },
  now: Instant,
): CoolingOffRefundProblem | null {
  return coolingOffRefundProblem({ boughtAt: gift.paidAt, endedAt: gift.endedAt }, charge, now);
}

/** Until when a gift paid at `paidAt` may be claimed. */
export const giftClaimUntil = (paidAt: Instant): Instant => addDays(paidAt, GIFT_CLAIM_DAYS);
