import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";

/** Reasons why an event is quarantined for staff review. */
export const quarantineReasons = [
  "unknown_charge",
  "unknown_refund",
  "unknown_transfer",
  "unknown_recurring_pix",
  "second_payment",
  "another_transfer",
  "paid_after_given_back",
  "amount_differs",
  "not_there",
  "foreign_currency",
  "provider_refused",
  "fault",
] as const;
export type StaffQuarantineReason = (typeof quarantineReasons)[number];

/** Reasons why an event is not applied. An unknown type is stored and needs no review. */
export type QuarantineReason = StaffQuarantineReason | "unknown_type";

/** A reason as stored, followed by the provider's answer or the fault's name. */
export type StoredQuarantineReason =
  | QuarantineReason
  | `${"not_there" | "provider_refused" | "fault"}:${string}`;

/** Parses a stored reason. An unknown name is a fault. */
export function parseQuarantineReason(stored: string): {
  reason: StaffQuarantineReason;
  detail: string | null;
} {
  const [named = "", ...rest] = stored.split(":");
  const reason = quarantineReasons.find((one) => one === named);
  return reason ? { reason, detail: rest.join(":") || null } : { reason: "fault", detail: stored };
}

/**
 * Ages of an event at which its provider, which reported no such object, is asked again. As many as
 * its queue's attempts.
 */
const ASKED_AGAIN_MS = [15 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS];

/**
 * Returns how long to wait before the provider is asked again about a missing object; null when it
 * was asked long enough. A webhook may arrive before its object is visible. `ageMs`: since the
 * event was received, by the wall clock. INVARIANT: a "not found" is never final for an event
 * younger than ten minutes. Source:
 * docs/decisions/money/quarantine-webhook-deliveries-that-cannot-be-applied.md.
 */
export function notFoundRetryDelayMs(ageMs: number): number | null {
  const next = ASKED_AGAIN_MS.find((at) => at > ageMs);
  return next === undefined ? null : next - ageMs;
}

/** State of a quarantined event: waiting for review, queued again, applied, or closed with a note. */
export type QuarantineState = "waiting" | "queued" | "applied" | "closed";

/** A closed event is never handled. An event quarantined again after a retry waits as before. */
export function quarantineStateOf({
  quarantinedAt,
  handledAt,
  answer,
}: {
  quarantinedAt: number | null;
  handledAt: number | null;
  answer: string | null;
}): QuarantineState {
  if (handledAt !== null) return "applied";
  if (answer === "closed") return "closed";
  return quarantinedAt === null ? "queued" : "waiting";
}
