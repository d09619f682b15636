import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import type { PostingLeg, Posting } from "#app/domain/ledger/schema.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";

// The postings have no charge rows.
allowBrokenInvariants();

/** Twelve legs with different amounts that sum to zero. */
const legs = Array.from({ length: 12 }, (_, n): PostingLeg => ({
  account: { kind: "provider_clearing", ownerId: `provider${n}` },
  debitCents: n < 11 ? n + 1 : -66,
}));
const posting: Posting = {
  sourceKey: "many-legs",
  kind: "provider.moved",
  chargeId: null,
  payoutId: null,
  legs,
};

test("a posting of more than ten legs is recognised when posted again, and refused with two legs swapped", async () => {
  const { ctx } = await testContext();
  const posted = (one: Posting) => commit(ctx.db, postingStatements(ctx, one));
  await posted(posting);
  await expect(posted(posting)).rejects.toThrow(new RuleViolation("ledger_source_exists"));
  const changed = legs.map((leg, n) => ({
    ...leg,
    debitCents: legs[n === 2 ? 10 : n === 10 ? 2 : n]?.debitCents ?? 0,
  }));
  await expect(posted({ ...posting, legs: changed })).rejects.toThrow(
    new RuleViolation("ledger_key_reused"),
  );
});
