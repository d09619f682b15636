import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { shareRoundedHalfUp } from "#app/domain/money.ts";
import type { ChargeRow, SandboxDisputeRow, TransferRow } from "./tables.ts";

/**
 * The provider's fees, as in /docs. They are similar to Brazilian providers in 2026. They stay
 * within the platform's 5% of a usual price, so that balances owed to people stay covered.
 */
export const prices = {
  pixBasisPoints: 99,
  cardBasisPoints: 249,
  cardCents: 19,
  transferCents: 20,
  cardDisputeCents: 1_500,
} as const;

/** The provider's cost of a charge. Null until it is paid; a refund returns none of it. */
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

/**
 * The provider's cost of a transfer. A completed one costs, also if it is returned; a failed one
 * costs nothing.
 */
export function transferCost({ status }: Pick<TransferRow, "status">): number | null {
  return status === "processing" ? null : status === "failed" ? 0 : prices.transferCents;
}

/**
 * The provider's cost of a dispute. A chargeback costs when it opens, whatever its result; a MED
 * costs nothing.
 */
export const disputeCost = ({ kind }: Pick<SandboxDisputeRow, "kind">): number =>
  kind === "card" ? prices.cardDisputeCents : 0;

/** `chargeCost` of a paid charge's row, as SQL. */
export const chargeCostSql: SQL = sql.raw(
  `(CASE method WHEN 'pix' THEN (amount_cents * ${prices.pixBasisPoints} + 5000) / 10000 ELSE (amount_cents * ${prices.cardBasisPoints} + 5000) / 10000 + ${prices.cardCents} END)`,
);
