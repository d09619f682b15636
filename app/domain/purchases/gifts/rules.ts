import type { Gift, GiftRefundReason } from "./schema.ts";
import { chargeStep, isRefundable } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { coolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import type { CoolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { addDays, DAY_MS, formatDay, HOUR_MS, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days in which a gift can be claimed. Source: domain rules, "Plans". */
const GIFT_CLAIM_DAYS = 365;
/** Latest day of a delivery, counted from today, so that a delivered gift can still be claimed. */
const GIFT_DELIVERY_DAYS_MAX = 300;
/**
 * Limits of the codes that a person may try, and of e-mails that a giver may resend. They allow
 * typing errors, and prevent guessing and spam.
 */
export const GIFT_CODE_RATE_LIMITS = { windowMs: HOUR_MS, limit: 10 };
export const GIFT_EMAIL_RATE_LIMITS = { windowMs: DAY_MS, limit: 5 };

/** Path where a gift is opened. */
export const giftPath = (code: string): string => `/gift/${code}`;
/** Path where its giver sees it. */
export const giverGiftPath = (giftId: string): string => `/settings/gifts/${giftId}`;

/** Hour of the day of a gift's delivery, so that no e-mail is sent at midnight. */
const DELIVERY_HOUR_MS = 9 * HOUR_MS;

/**
 * Returns the delivery time of a gift for a day (its midnight). Null means at once: for today, and
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

/** Description on the charge, the receipt and the bank's statement. */
export const giftDescription = (planName: string, creatorName: string): string =>
  `Presente: ${planName}, de ${creatorName}`;

/** Crockford's digits: no I, L, O or U, which look like others. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_DIGITS = 24;
const GROUP = /.{4}/g;

/** Formats the first bytes of a secret as a code of 24 digits (120 bits), in groups of four. */
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
 * Parses a typed code by Crockford's rules: ignores case, spaces and hyphens, and maps look-alikes
 * to digits. Null if it is not a code.
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
  /** `endsAttempt`: it was not paid, and its seat is free again. */
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
  /** The provider's charge now; null if the provider does not know it. */
  providerCharge: ProviderCharge | null;
  gift: Pick<Gift, "paidAt" | "endedAt" | "holdsSeat">;
  /** The seller was banned or is leaving, or a block is between the two. */
  isShut: boolean;
  isPayerLeaving: boolean;
  plan: { state: "draft" | "active" | "archived"; hasFreeSeat: boolean };
  now: Instant;
};

/**
 * Decides the charge of a gift by the provider's answer. While the gift holds its seat, an archived
 * plan is still given. A late payment needs a plan on sale and a free seat. Pure: equal inputs
 * decide alike, and the database applies one decision. Source: domain rules, "Plans" and
 * "Charges".
 */
export function decideGift(input: GiftDecisionInput): GiftDecision {
  const { charge, gift, now } = input;
  const step = chargeStep(charge, input.providerCharge, now);
  const isAttempt = gift.paidAt === null && gift.endedAt === null;
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isAttempt,
    };
  const reason = refusalOf(input, step.providerCharge);
  return reason === null
    ? { kind: "give", needsSeat: !gift.holdsSeat }
    : { kind: "give_back", reason, endsAttempt: isAttempt };
}

function refusalOf(
  { charge, gift, isShut, isPayerLeaving, plan }: GiftDecisionInput,
  providerCharge: ProviderCharge,
): GiftRefundReason | null {
  if (providerCharge.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut) return "not_sold";
  if (isPayerLeaving) return "payer_leaving";
  if (gift.holdsSeat) return null;
  if (plan.state !== "active") return "not_sold";
  return plan.hasFreeSeat ? null : "no_seat";
}

/** State of a paid gift for its giver: to be delivered, waiting, claimed, or over. */
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

/** Reasons why a person cannot claim a gift now. */
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
   * The page is closed, its owner was banned or is leaving, or a block is between them and the
   * member.
   */
  isShut: boolean;
  isLeaving: boolean;
  /** The page is for adults, and the member's age is not confirmed. */
  isAgeClosed: boolean;
  isSubscribed: boolean;
  /** End of the creator's vacation. A period that starts now would end before they return. */
  awayUntil?: Instant | null;
};

/**
 * Returns why `memberId` cannot claim a gift at `now`, or null: reasons of the gift first, then of
 * the member. An archived plan is honored.
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
 * Returns why the giver cannot get a cooling-off refund at `now`, or null. A claimed gift can be
 * refunded too. Source: CDC art. 49.
 */
export function giftCoolingOffRefundProblem(
  gift: Pick<Gift, "paidAt" | "endedAt">,
  charge: { status: ChargeStatus },
  now: Instant,
): CoolingOffRefundProblem | null {
  return coolingOffRefundProblem({ boughtAt: gift.paidAt, endedAt: gift.endedAt }, charge, now);
}

/** Returns until when a gift paid at `paidAt` can be claimed. */
export const giftClaimUntil = (paidAt: Instant): Instant => addDays(paidAt, GIFT_CLAIM_DAYS);
