import { expect } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/ledger/queries.server.ts";

/** Every invariant of the books holds. */
export async function expectBooksToHold(ctx: Context): Promise<void> {
  const broken = (await invariantFindings(ctx)).filter((finding) => finding.rows.length > 0);
  expect(broken).toEqual([]);
}
