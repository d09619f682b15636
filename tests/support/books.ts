import { expect } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFinding, invariantFindings, invariants } from "#app/domain/ledger/queries.server.ts";
import { holdsPayouts } from "#app/domain/ledger/rules/checks.ts";

/** Every invariant of the books holds. */
export async function expectBooksToHold(ctx: Context): Promise<void> {
  const broken = (await invariantFindings(ctx)).filter((finding) => finding.rows.length > 0);
  expect(broken).toEqual([]);
}

let isBrokenOnPurpose = false;

/** Asked by a file whose tests break the books by hand: they are not looked at after its tests, from this moment on. */
export function booksAreBroken(): void {
  isBrokenOnPurpose = true;
}

/** For the setup of a file, which begins with whole books. */
export function booksAreWhole(): void {
  isBrokenOnPurpose = false;
}

/** The invariants that say where money is hold over what `database` kept of a test, unless it broke them on purpose. Those ask nothing of the time. */
export async function expectMoneyToHold(database: D1Database): Promise<void> {
  if (isBrokenOnPurpose || !(await database.prepare("SELECT 1 FROM ledger_transactions LIMIT 1").first())) return;
  const ctx = { db: openDatabase(database), now: () => 0, realNow: () => 0 } as unknown as Context;
  const found = await Promise.all(invariants.filter(({ name }) => holdsPayouts(name)).map((invariant) => invariantFinding(ctx, invariant, { kind: "whole" })));
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}
