import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFinding, invariants } from "#app/domain/audit/queries/invariants.server.ts";
import type { InvariantFinding } from "#app/domain/audit/queries/invariants.server.ts";
import type { Invariant } from "#app/domain/audit/queries/invariants/moved.server.ts";
import { fullAuditScope } from "#app/domain/audit/queries/invariants/moved.server.ts";
import { isPayoutBlocking } from "#app/domain/audit/rules.ts";

/** Invariants checked in one call, which is limited to a hundred bound values. */
const ASKED_TOGETHER = 30;

/**
 * The violations of `asked`, with their rows. Checks first whether each invariant has any
 * violation, many in one call, and loads rows only for those.
 */
async function broken(
  ctx: Context,
  asked: readonly Invariant[],
  given = sql`1`,
): Promise<InvariantFinding[]> {
  const answers: Record<string, number>[] = [];
  for (let from = 0; from < asked.length; from += ASKED_TOGETHER) {
    const together = asked
      .slice(from, from + ASKED_TOGETHER)
      .map(
        (invariant) =>
          sql`EXISTS (${invariant.sql(ctx, fullAuditScope)}) AS ${sql.identifier(invariant.name)}`,
      );
    answers.push(
      ...(await ctx.db.all<Record<string, number>>(
        sql`SELECT ${sql.join(together, sql`, `)} WHERE ${given}`,
      )),
    );
  }
  const found = asked.filter(({ name }) => answers.some((answer) => answer[name]));
  return await Promise.all(
    found.map((invariant) => invariantFinding(ctx, invariant, { kind: "whole" })),
  );
}

/** Expects every ledger invariant to hold. */
export async function expectInvariantsToHold(ctx: Context): Promise<void> {
  expect(await broken(ctx, invariants)).toEqual([]);
}

let isBrokenOnPurpose = false;

/** Stops the checks after each test, for a file whose tests break invariants on purpose. */
export function allowBrokenInvariants(): void {
  isBrokenOnPurpose = true;
}

/** Turns the checks on again, in the setup of the next file. */
export function expectInvariantsAgain(): void {
  isBrokenOnPurpose = false;
}

const ofMoney = invariants.filter(({ name }) => isPayoutBlocking(name));

/**
 * Expects the invariants that block payouts to hold in `database`, unless the file broke them on
 * purpose. None of them depends on the time.
 */
export async function expectMoneyInvariants(database: D1Database): Promise<void> {
  if (isBrokenOnPurpose) return;
  const ctx = { db: openDatabase(database), now: () => 0, realNow: () => 0 } as unknown as Context;
  expect(await broken(ctx, ofMoney, sql`EXISTS (SELECT 1 FROM ledger_transactions)`)).toEqual([]);
}
