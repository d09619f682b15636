import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { shareRoundedHalfUp } from "#app/domain/money.ts";
import type { ChargeRow, SandboxDisputeRow, TransferRow } from "./tables.ts";

/**
 * What this provider takes, as /docs says: of the order of what Brazilian ones took in 2026, and
 * within the 5% that the platform keeps of a usual price, so that what is owed to people stays
 * covered.
 */
export const prices = {
  pixBasisPoints: 99,
  cardBasisPoints: 249,
  cardCents: 19,
  transferCents: 20,
  cardDisputeCents: 1_500,
} as const;

/** Null until it is paid; a refund gives none of it back. */
export function chargeCost({
  method,
  status,
  amountCents,
}: Pick<ChargeRow, "method" | "status" | "amountCents">): number | null {
  if (status !== "succeeded") return null;
  return method === "pix"
    ? shareRoundedHalfUp(amountCents, prices.pixBasisPoints)
    : shareRoundedHalfUp(amountCents, prices.cardBasisPoints) + prices.cardCents;
}

/** One that arrived costs, also where it came back; one that failed costs nothing. */
export function transferCost({ status }: Pick<TransferRow, "status">): number | null {
  return status === "processing" ? null : status === "failed" ? 0 : prices.transferCents;
}

/** A chargeback costs when it opens, however it ends; a MED nothing. */
export const disputeCost = ({ kind }: Pick<SandboxDisputeRow, "kind">): number =>
  kind === "card" ? prices.cardDisputeCents : 0;

/** `chargeCost` of a row of a paid charge, in the words of the database. */
export const chargeCostSql: SQL = sql.raw(
  `(CASE method WHEN 'pix' THEN (amount_cents * ${prices.pixBasisPoints} + 5000) / 10000 ELSE (amount_cents * ${prices.cardBasisPoints} + 5000) / 10000 + ${prices.cardCents} END)`,
);
