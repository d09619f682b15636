import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { CheckScope } from "#app/domain/audit/rules.ts";
import { bookInvariants } from "#app/domain/audit/queries/invariants/books.server.ts";
import { chargeInvariants } from "#app/domain/audit/queries/invariants/charges.server.ts";
import { costInvariants } from "#app/domain/audit/queries/invariants/costs.server.ts";
import { debtInvariants } from "#app/domain/audit/queries/invariants/debts.server.ts";
import { eventInvariants } from "#app/domain/audit/queries/invariants/events.server.ts";
import { fiscalInvariants } from "#app/domain/audit/queries/invariants/fiscal.server.ts";
import { fundingInvariants } from "#app/domain/audit/queries/invariants/funding.server.ts";
import { checkInvariants } from "#app/domain/audit/queries/invariants/looks.server.ts";
import { fullAuditScope, changedSince } from "#app/domain/audit/queries/invariants/moved.server.ts";
import type { Invariant } from "#app/domain/audit/queries/invariants/moved.server.ts";
import { payoutInvariants } from "#app/domain/audit/queries/invariants/payouts.server.ts";
import { planChangeInvariants } from "#app/domain/audit/queries/invariants/plan-changes.server.ts";
import { platformInvariants } from "#app/domain/audit/queries/invariants/platform-money.server.ts";
import { providerInvariants } from "#app/domain/audit/queries/invariants/providers.server.ts";
import { purchaseInvariants } from "#app/domain/audit/queries/invariants/purchases.server.ts";
import { reconciliationInvariants } from "#app/domain/audit/queries/invariants/reconciliation.server.ts";
import { refundTransferInvariants } from "#app/domain/audit/queries/invariants/refund-transfers.server.ts";
import { reserveInvariants } from "#app/domain/audit/queries/invariants/reserves.server.ts";
import { sealInvariants } from "#app/domain/audit/queries/invariants/seals.server.ts";
import { subscriptionInvariants } from "#app/domain/audit/queries/invariants/subscriptions.server.ts";
import { vacationInvariants } from "#app/domain/audit/queries/invariants/vacations.server.ts";
import { stuckWorkInvariants } from "#app/domain/audit/queries/invariants/waiting.server.ts";

/**
 * `isWhole`: everything in the invariant's subject was checked. `count`: how many rows break it.
 * `rows` has at most `ROWS_READ` of them.
 */
export type InvariantFinding = {
  name: string;
  title: string;
  isWhole: boolean;
  count: number;
  rows: Record<string, unknown>[];
};

/**
 * All invariants, in the order in which staff see them. Each is a query within an `AuditScope` that
 * returns no row while the books are right. Source: domain rules, "Ledger".
 */
export const invariants: readonly Invariant[] = [
  ...bookInvariants,
  ...chargeInvariants,
  ...reserveInvariants,
  ...purchaseInvariants,
  ...eventInvariants,
  ...payoutInvariants,
  ...fundingInvariants,
  ...subscriptionInvariants,
  ...planChangeInvariants,
  ...vacationInvariants,
  ...providerInvariants,
  ...platformInvariants,
  ...costInvariants,
  ...debtInvariants,
  ...refundTransferInvariants,
  ...reconciliationInvariants,
  ...fiscalInvariants,
  ...stuckWorkInvariants,
  ...sealInvariants,
  ...checkInvariants,
];

/** Enough rows to tell new violations from those already notified. */
const ROWS_READ = 200;

/** The Portuguese title of each invariant, in the order in which staff see them. */
export const invariantTitles: readonly { name: string; title: string }[] = invariants.map(
  ({ name, title }) => ({ name, title }),
);

/**
 * Checks every invariant whole, and returns the rows that break it (at most 200 of each). All
 * `rows` are empty while the books are right.
 */
export async function invariantFindings(ctx: Context): Promise<InvariantFinding[]> {
  return await Promise.all(
    invariants.map((invariant) => invariantFinding(ctx, invariant, { kind: "whole" })),
  );
}

/** Checks one invariant. A check since an instant ignores what changed before it. */
export async function invariantFinding(
  ctx: Context,
  { name, title, sql: query }: Invariant,
  look: Exclude<CheckScope, { kind: "none" }>,
): Promise<InvariantFinding> {
  const asked = query(ctx, look.kind === "since" ? changedSince(look.since) : fullAuditScope);
  const rows = await ctx.db.all<Record<string, unknown>>(sql`${asked} LIMIT ${ROWS_READ}`);
  return {
    name,
    title,
    isWhole: look.kind === "whole",
    count: rows.length < ROWS_READ ? rows.length : await countOf(ctx, name, asked),
    rows,
  };
}

/**
 * Counts the violations beyond the rows that were read. An invariant with too many to count is
 * still broken.
 */
async function countOf(ctx: Context, name: string, asked: SQL): Promise<number> {
  try {
    const [row] = await ctx.db.all<{ count: number }>(
      sql`SELECT COUNT(*) AS count FROM (${asked})`,
    );
    return row?.count ?? ROWS_READ;
  } catch (error) {
    ctx.log("ledger.count_failed", {
      invariant: name,
      error: error instanceof Error ? error.message : "unknown",
    });
    return ROWS_READ;
  }
}
