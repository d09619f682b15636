import { isRefundable, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long after its code ran out an address still says how it ended. */
const AFTERLIFE_MS = DAY_MS;

/** Where somebody else pays the Pix of who was given `token`. */
export const sharedPixPath = (token: string): string => `/pix/${token}`;

/** What whoever was asked to pay may know of a charge: nothing of how or why beyond this. */
export type SharedPixState = "waiting" | "paid" | "returned" | "over";

export type SharedCharge = {
  status: ChargeStatus;
  pixCode: string | null;
  expiresAt: Instant | null;
};

/** How a shared Pix stands at `now`; null once its address is dead, a day after its code ran out. */
export function sharedPixState(
  { status, pixCode, expiresAt }: SharedCharge,
  now: Instant,
): SharedPixState | null {
  if (pixCode === null || expiresAt === null || now > expiresAt + AFTERLIFE_MS) return null;
  if (isRefundable(status)) return "paid";
  if (status === "refunded") return "returned";
  return isAwaitingPayment(status) && expiresAt > now ? "waiting" : "over";
}
