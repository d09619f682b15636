import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";

/** A charge for the next period, or for the one that just started. */
export type RenewalAttempt = Pick<
  Charge,
  "status" | "method" | "failureCode" | "createdAt" | "recurringPixId" | "debitOn" | "periodsCents"
>;
