import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { addDays, DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import {
  allProviders,
  payoutProvider,
  findProvider,
} from "#app/domain/payments/providers/rules/providers.ts";
import { transferFault } from "#app/domain/payments/providers/rules/transfer-faults.ts";
import type {
  PaymentMethod,
  PaymentProvider,
  PaymentProviders,
  ProviderTransfer,
} from "#app/domain/payments/schema.ts";

/** What a provider that says so answers to a refund of an older one. */
export const REFUND_TOO_LATE = "refund_too_late";

const refundTransferStatuses = [
  "awaiting_key",
  "ready",
  "claimed",
  "sent",
  "paid",
  "failed",
  "returned",
  "canceled",
] as const;
export type RefundTransferStatus = (typeof refundTransferStatuses)[number];

/** The money did not leave yet, or nobody knows whether it did. */
export const OPEN_TRANSFERS: readonly RefundTransferStatus[] = [
  "awaiting_key",
  "ready",
  "claimed",
  "sent",
];
/** Nothing of it left, and nobody was asked to send it. */
export const UNSENT_TRANSFERS: readonly RefundTransferStatus[] = ["awaiting_key", "ready"];
/** The provider may have it. */
export const UNCONFIRMED_TRANSFERS: readonly RefundTransferStatus[] = ["claimed", "sent"];

type ReceivedPayment = { method: PaymentMethod; createdAt: Instant; succeededAt: Instant | null };

/** Whether a payment is a Pix that no provider gives back any more at `now`. */
export const isTooOldForRefund = (
  { method, succeededAt }: Omit<ReceivedPayment, "createdAt">,
  now: Instant,
): boolean => {
  const { refundDays } = paymentMethods[method];
  return refundDays !== null && succeededAt !== null && now >= addDays(succeededAt, refundDays);
};

/**
 * Whether what a provider refused to give back, for good and with `code`, goes by a transfer. By
 * its own word, or by the day: we learn of a payment a moment after the provider did, whose ninety
 * days end before ours, so that they are counted from when it was asked for. Never before the
 * provider refused: what it may have given back is not sent a second time.
 */
export const needsRefundTransfer = (
  { method, createdAt }: ReceivedPayment,
  code: string,
  now: Instant,
): boolean => {
  const { refundDays } = paymentMethods[method];
  return refundDays !== null && (code === REFUND_TOO_LATE || now >= addDays(createdAt, refundDays));
};

/**
 * Whether a key, which is the CPF or CNPJ of who paid, is not the one that they gave for their
 * receipts. Of who gave none the letter's holder is believed.
 */
export const isKeyOfAnotherOwner = (key: TaxId, owner: TaxId | null): boolean =>
  owner !== null && (owner.taxKind !== key.taxKind || owner.taxId !== key.taxId);

/**
 * Who sends it: who took the charge, or whoever pays creators out where that one sends no Pix; null
 * where nobody does.
 */
export function transferSender(
  payments: PaymentProviders,
  charge: { provider: string },
): PaymentProvider | null {
  const sends = (one: PaymentProvider | null): one is PaymentProvider =>
    one !== null && one.can.has("transfer_to_pix_key");
  return (
    [
      findProvider(payments, charge.provider),
      payoutProvider(payments),
      ...allProviders(payments),
    ].find(sends) ?? null
  );
}

/**
 * How often a try may be refused for a reason that we do not know before its person is asked
 * whether the key is right.
 */
const UNKNOWN_REFUSALS = 3;

/**
 * Whether what a provider refused with `code` asks who paid for another key. INVARIANT: nobody is
 * asked for what they gave rightly. So: what is the house's own (its balance, its limits, its
 * access) is tried again with the same key for as long as it takes, and what we cannot tell, twice.
 * `refusals`: those before it.
 */
export const needsAnotherKey = (code: string | null, refusals: number): boolean =>
  transferFault(code) === "key" ||
  (transferFault(code) !== "house" && refusals + 1 >= UNKNOWN_REFUSALS);

/** How long the same key waits after its first refusal, its second, and all that follow. */
const REFUSAL_WAITS_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS] as const;
export const nextTransferAttemptAt = (refusals: number, now: Instant): Instant =>
  now + (REFUSAL_WAITS_MS[refusals - 1] ?? DAY_MS);

/** For so long after it was paid a Pix may come back, and its payer has to be known again. */
export const PAYER_DIGEST_RETENTION_DAYS = 90;

/** Why a try is over of which one before it, told as failed, was paid after all. */
export const PAID_BY_EARLIER_TRY = "paid_before";
/**
 * Why a try waits, with or without a key: one before it, told as failed, is on its way after all.
 * An open try that says why it waits never leaves.
 */
export const waitsForTransferCode = (transferId: string): string => `waits_for:${transferId}`;

/** From which states a transfer may become what its provider says of it. */
export function transferStatusesBefore(
  next: ProviderTransfer["status"],
): readonly RefundTransferStatus[] {
  if (next === "returned") return ["paid"];
  return next === "processing" ? ["claimed"] : UNCONFIRMED_TRANSFERS;
}

/** After how many days without a key who paid is reminded, the first time, the second and the last. */
const REMINDER_DAYS = [7, 30, 90];
export const KEY_REMINDERS_LIMIT = REMINDER_DAYS.length;

/** Whether who paid is to be reminded of a key that they were asked for at `createdAt`. */
export function isKeyReminderDue(
  { remindersCount, createdAt }: { remindersCount: number; createdAt: Instant },
  now: Instant,
): boolean {
  const days = REMINDER_DAYS[remindersCount];
  return days !== undefined && now >= addDays(createdAt, days);
}

/** Keys that may be given for one person's refunds: a slip of the finger or two. */
export const REFUND_KEY_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: HOUR_MS, limit: 6 },
  { windowMs: DAY_MS, limit: 12 },
];
