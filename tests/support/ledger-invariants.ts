import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFinding, invariants } from "#app/domain/audit/queries/invariants.server.ts";
import type { InvariantFinding } from "#app/domain/audit/queries/invariants.server.ts";
import type { Invariant } from "#app/domain/audit/queries/invariants/moved.server.ts";
import { fullAuditScope } from "#app/domain/audit/queries/invariants/moved.server.ts";
import { isPayoutBlocking } from "#app/domain/audit/rules.ts";

/** So many are asked about in one call, which may carry a hundred values. */
const ASKED_TOGETHER = 30;

/**
 * Those of `asked` that do not hold, with the rows that break them. While all hold, what is asked
 * is whether there is any such row, of many in one call.
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

/** Every invariant of the books holds. */
export async function expectInvariantsToHold(ctx: Context): Promise<void> {
  expect(await broken(ctx, invariants)).toEqual([]);
}

let isBrokenOnPurpose = false;

/**
 * Asked by a file whose tests break the books by hand: they are not looked at after its tests, from
 * this moment on.
 */
export function allowBrokenInvariants(): void {
  isBrokenOnPurpose = true;
}

/** For the setup of a file, which begins with whole books. */
export function expectInvariantsAgain(): void {
  isBrokenOnPurpose = false;
}

const ofMoney = invariants.filter(({ name }) => isPayoutBlocking(name));

/**
 * The invariants that say where money is hold over what `database` kept of a test, unless it broke
 * them on purpose. Those ask nothing of the time.
 */
export async function expectMoneyInvariants(database: D1Database): Promise<void> {
  if (isBrokenOnPurpose) return;
  const ctx = { db: openDatabase(database), now: () => 0, realNow: () => 0 } as unknown as Context;
  expect(await broken(ctx, ofMoney, sql`EXISTS (SELECT 1 FROM ledger_transactions)`)).toEqual([]);
}
