import { isRefundable, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long after its code expired an address still shows the result. */
const AFTERLIFE_MS = DAY_MS;

/** Path where another person pays the Pix of `token`. */
export const sharedPixPath = (token: string): string => `/pix/${token}`;

/** What the holder of the address may know of a charge; no details beyond it. */
export type SharedPixState = "waiting" | "paid" | "returned" | "over";

export type SharedCharge = {
  status: ChargeStatus;
  pixCode: string | null;
  expiresAt: Instant | null;
};

/** Returns the state of a shared Pix at `now`; null a day after its code expired. */
export function sharedPixState(
  { status, pixCode, expiresAt }: SharedCharge,
  now: Instant,
): SharedPixState | null {
  if (pixCode === null || expiresAt === null || now > expiresAt + AFTERLIFE_MS) return null;
  if (isRefundable(status)) return "paid";
  if (status === "refunded") return "returned";
  return isAwaitingPayment(status) && expiresAt > now ? "waiting" : "over";
}
