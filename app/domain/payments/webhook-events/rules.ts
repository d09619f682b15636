import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";

/** Why a delivery of a provider is set aside for people to look at. */
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

/** Why a delivery is not applied: what this product does not know is kept, and asks for nobody. */
export type QuarantineReason = StaffQuarantineReason | "unknown_type";

/** A reason as it is kept: behind it, what the provider answered or the fault is called. */
export type StoredQuarantineReason =
  | QuarantineReason
  | `${"not_there" | "provider_refused" | "fault"}:${string}`;

/** A kept reason in its parts. What has no known name is a fault's. */
export function parseQuarantineReason(kept: string): {
  reason: StaffQuarantineReason;
  detail: string | null;
} {
  const [named = "", ...rest] = kept.split(":");
  const reason = quarantineReasons.find((one) => one === named);
  return reason ? { reason, detail: rest.join(":") || null } : { reason: "fault", detail: kept };
}

/**
 * How old a delivery is when its provider, which said that there is no such thing, is asked about
 * it again. As often as its queue tries.
 */
const ASKED_AGAIN_MS = [15 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS];

/**
 * How long to wait before the provider is asked again about what it says it does not have, or null
 * where it was asked for long enough. A webhook may be faster than what its provider shows of it.
 * `ageMs`: since the delivery was received, by the wall clock. INVARIANT: of a delivery younger
 * than ten minutes a "not found" is never the last word. Source:
 * docs/decisions/money/quarantine-webhook-deliveries-that-cannot-be-applied.md.
 */
export function notFoundRetryDelayMs(ageMs: number): number | null {
  const next = ASKED_AGAIN_MS.find((at) => at > ageMs);
  return next === undefined ? null : next - ageMs;
}

/**
 * What became of a delivery that was set aside: it waits for somebody, is in its queue again, was
 * applied, or was closed with a note.
 */
export type QuarantineState = "waiting" | "queued" | "applied" | "closed";

/**
 * A closed one is never handled; one that was tried again and is set aside once more waits as it
 * did.
 */
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
