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
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type {
  PaymentProvider,
  PaymentProviders,
  ProviderTransfer,
} from "#app/domain/payments/schema.ts";

/** Code with which some providers refuse a refund that is too late. */
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

/** Not sent yet, or unknown whether it was. */
export const OPEN_TRANSFERS: readonly RefundTransferStatus[] = [
  "awaiting_key",
  "ready",
  "claimed",
  "sent",
];
/** Not sent, and no provider was asked. */
export const UNSENT_TRANSFERS: readonly RefundTransferStatus[] = ["awaiting_key", "ready"];
/** The provider may have it. */
export const UNCONFIRMED_TRANSFERS: readonly RefundTransferStatus[] = ["claimed", "sent"];

type ReceivedPayment = { method: PaymentMethod; createdAt: Instant; succeededAt: Instant | null };

/** Reports whether a payment is a Pix that no provider can refund any more at `now`. */
export const isTooOldForRefund = (
  { method, succeededAt }: Omit<ReceivedPayment, "createdAt">,
  now: Instant,
): boolean => {
  const { refundDays } = paymentMethods[method];
  return refundDays !== null && succeededAt !== null && now >= addDays(succeededAt, refundDays);
};

/**
 * Reports whether a refund refused for good with `code` needs a refund transfer: by the provider's
 * code, or by its age. We learn of a payment after the provider, whose ninety days end before ours.
 * The days therefore count from the charge's creation. Never before the provider refused, so that
 * no refund is sent twice.
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
 * Reports whether a key, the payer's CPF or CNPJ, differs from that of the billing details. Without
 * billing details the holder of the e-mail is trusted.
 */
export const isKeyOfAnotherOwner = (key: TaxId, owner: TaxId | null): boolean =>
  owner !== null && (owner.taxKind !== key.taxKind || owner.taxId !== key.taxId);

/**
 * Returns the provider that sends the transfer: that of the charge, or the payout provider if it
 * cannot send a Pix; null if none can.
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

/** Refusals for an unknown reason after which the payer is asked to check the key. */
const UNKNOWN_REFUSALS = 3;

/**
 * Reports whether a refusal with `code` asks the payer for another key. INVARIANT: a payer is not
 * asked again for a correct key. Faults of our account (balance, limits, access) are retried with
 * the same key without limit. Unknown faults are retried twice. `refusals`: the earlier ones.
 */
export const needsAnotherKey = (code: string | null, refusals: number): boolean =>
  transferFault(code) === "key" ||
  (transferFault(code) !== "house" && refusals + 1 >= UNKNOWN_REFUSALS);

/** Wait before the same key is tried again: after the first refusal, the second, and all others. */
const REFUSAL_WAITS_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS] as const;
export const nextTransferAttemptAt = (refusals: number, now: Instant): Instant =>
  now + (REFUSAL_WAITS_MS[refusals - 1] ?? DAY_MS);

/** Days after payment in which a bank may return a Pix, so that its payer must be recognizable. */
export const PAYER_DIGEST_RETENTION_DAYS = 90;

/** Code of an attempt that ended because an earlier, failed one was paid after all. */
export const PAID_BY_EARLIER_TRY = "paid_before";
/**
 * Code of an attempt that waits because an earlier, failed one is under way after all. An open
 * attempt with such a code is never sent.
 */
export const waitsForTransferCode = (transferId: string): string => `waits_for:${transferId}`;

/** Lists the statuses from which a transfer may take the provider's status. */
export function transferStatusesBefore(
  next: ProviderTransfer["status"],
): readonly RefundTransferStatus[] {
  if (next === "returned") return ["paid"];
  return next === "processing" ? ["claimed"] : UNCONFIRMED_TRANSFERS;
}

/** Days without a key until the first, second and last reminder. */
const REMINDER_DAYS = [7, 30, 90];
export const KEY_REMINDERS_LIMIT = REMINDER_DAYS.length;

/** Reports whether the payer is due a reminder of the key requested at `createdAt`. */
export function isKeyReminderDue(
  { remindersCount, createdAt }: { remindersCount: number; createdAt: Instant },
  now: Instant,
): boolean {
  const days = REMINDER_DAYS[remindersCount];
  return days !== undefined && now >= addDays(createdAt, days);
}

/** Limits of the keys given for one person's refunds; they allow a few typing errors. */
export const REFUND_KEY_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: HOUR_MS, limit: 6 },
  { windowMs: DAY_MS, limit: 12 },
];
