import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { CheckScope } from "#app/domain/audit/rules.ts";
import { bookInvariants } from "#app/domain/audit/queries/invariants/books.server.ts";
import { chargeInvariants } from "#app/domain/audit/queries/invariants/charges.server.ts";
import { costInvariants } from "#app/domain/audit/queries/invariants/costs.server.ts";
import { debtInvariants } from "#app/domain/audit/queries/invariants/debts.server.ts";
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
 * `isWhole`: all of what it is about was looked at. `countGenerated`: how many rows break it, of
 * which `rows` has at most `ROWS_READ`.
 */
export type InvariantFinding = {
  name: string;
  title: string;
  isWhole: boolean;
  count: number;
  rows: Record<string, unknown>[];
};

/**
 * Each is a query that returns no row while the books are right, over what `moveInOrder` lets
 * through. In the order in which the staff see them. Source: domain rules, "Ledger".
 */
export const invariants: readonly Invariant[] = [
  ...bookInvariants,
  ...chargeInvariants,
  ...reserveInvariants,
  ...purchaseInvariants,
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

/** Enough to tell new ones from those that were told. */
const ROWS_READ = 200;

/** What each invariant says, in the words of the staff, in the order in which they are shown. */
export const invariantTitles: readonly { name: string; title: string }[] = invariants.map(
  ({ name, title }) => ({ name, title }),
);

/**
 * Every invariant with the rows that break it (at most 200 of each); all `rows` are empty while the
 * books are right.
 */
export async function invariantFindings(ctx: Context): Promise<InvariantFinding[]> {
  return await Promise.all(
    invariants.map((invariant) => invariantFinding(ctx, invariant, { kind: "whole" })),
  );
}

/**
 * What breaks one invariant. Of one that is asked since a moment, what moved before it is not
 * looked at.
 */
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

/** How many there are beyond what was read. What is too much to be counted is broken all the same. */
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
