import { beforeEach, describe, expect, test } from "vitest";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import {
  balancesBefore,
  balancesNow,
  loadSealingSnapshot,
  allSeals,
} from "#app/domain/ledger/months/queries/journal.server.ts";
import { verifySeal, verifySeals } from "#app/domain/ledger/months/queries/seals.server.ts";
import { chargeSucceeded } from "#app/domain/ledger/rules.ts";
import { isPayoutBlocking } from "#app/domain/audit/rules.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { withoutTriggers } from "#tests/support/without-triggers.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// The postings have no charge rows.
allowBrokenInvariants();

let world: World;
beforeEach(async () => {
  world = await testContext();
});

/** The same context on another day, by every clock. */
const on = (day: string): Context => ({
  ...world.ctx,
  now: () => instantOfIsoDay(day),
  realNow: () => instantOfIsoDay(day),
});

const sale = (ctx: Context, grossCents = 1_000) => {
  const chargeId = ctx.newId();
  return commit(
    ctx.db,
    postingStatements(
      ctx,
      chargeSucceeded({
        chargeId,
        creatorId: "ana",
        provider: "sandbox",
        grossCents,
        feeCents: 50,
      }),
    ),
  );
};

const seal = (ctx: Context) => sealNextMonth(ctx, { digest: sha256Hex });
const months = async (ctx: Context) =>
  (await allSeals(ctx)).map(({ month, entriesCount }) => `${month} ${entriesCount}`);
/** Verifies all seals. `linkEntries` is part of a seal: verification needs the same number. */
const verdicts = async (linkEntries?: number) => {
  const found: string[] = [];
  for await (const { month, holds } of verifySeals(world.ctx, { digest: sha256Hex, linkEntries }))
    found.push(`${month} ${holds ? "holds" : "broken"}`);
  return found;
};
const run = (query: string, ...values: unknown[]) =>
  testEnv.DB.prepare(query)
    .bind(...values)
    .run();

// The tests run in order: they share storage, and a sealed month stays sealed.
describe.sequential("sealing months in order", () => {
  test("seals nothing before the first posting or before the second day of the next month", async () => {
    expect(await seal(on("2026-03-31"))).toBeNull();
    await sale(on("2026-01-10"));
    await sale(on("2026-01-31"), 2_000);
    await sale(on("2026-03-05"));
    expect(await seal(on("2026-02-01"))).toBeNull();
    expect(await seal(on("2026-02-02"))).toBe("2026-01");
    expect(await seal(on("2026-02-02"))).toBeNull();
  });

  test("seals a month without entries too, and concurrent runs create one seal for each month", async () => {
    const ctx = on("2026-04-02");
    await Promise.all([seal(ctx), seal(ctx)]);
    await Promise.all([seal(ctx), seal(ctx), seal(ctx)]);
    expect(await seal(ctx)).toBeNull();
    expect(await months(ctx)).toEqual(["2026-03 3", "2026-02 0", "2026-01 6"]);
    expect(await verdicts()).toEqual(["2026-01 holds", "2026-02 holds", "2026-03 holds"]);
  });

  test("refuses a posting into a sealed month, and accepts one in the next month", async () => {
    await expect(sale(on("2026-03-31"))).rejects.toThrow("ledger_sealed");
    await sale(on("2026-04-01"), 4_000);
  });

  test("a past balance is the last seal plus the entries after it", async () => {
    const before = (day: string) => balancesBefore(world.ctx, { until: instantOfIsoDay(day) });
    expect(await before("2026-01-11")).toEqual({
      provider_clearing: 1_000,
      creator_pending: -950,
      platform_fees: -50,
    });
    expect(await before("2026-02-15")).toEqual({
      provider_clearing: 3_000,
      creator_pending: -2_900,
      platform_fees: -100,
    });
    expect(await before("2026-04-02")).toEqual({
      provider_clearing: 8_000,
      creator_pending: -7_800,
      platform_fees: -200,
    });
    expect(await before("2025-12-31")).toEqual({});
    expect(await balancesNow(world.ctx)).toEqual(await before("2026-04-02"));
  });

  test.each([
    ["changed", "UPDATE ledger_seals SET hash = 'x'"],
    ["deleted", "DELETE FROM ledger_seals"],
    [
      "replaced by another month",
      "INSERT OR REPLACE INTO ledger_seals (rowid, month, ends_at, entries_count, previous_hash, hash, balances, sealed_at) SELECT rowid, '2026-04', ends_at + 2592000000, 0, hash, 'x', '{}', sealed_at + 9000000000 FROM ledger_seals WHERE month = '2026-03'",
    ],
    [
      "made again",
      "INSERT OR REPLACE INTO ledger_seals SELECT month, ends_at, 0, previous_hash, 'x', '{}', sealed_at FROM ledger_seals WHERE month = '2026-03'",
    ],
  ])("the database refuses that a seal is %s", async (_, query) => {
    await expect(run(query)).rejects.toThrow("ledger_append_only");
  });

  test("refuses a seal that does not continue the previous one, or of a month that is not over", async () => {
    const insert = (month: string, previousHash: string, endsAt: number) =>
      run(
        "INSERT INTO ledger_seals VALUES (?, ?, 0, ?, 'x', '{}', ?)",
        month,
        endsAt,
        previousHash,
        instantOfIsoDay("2026-05-02"),
      );
    await expect(insert("2026-04", "another", instantOfIsoDay("2026-05-01"))).rejects.toThrow(
      "ledger_seal_order",
    );
    const [last] = await allSeals(world.ctx);
    await expect(
      insert("2026-05", last?.hash ?? "", instantOfIsoDay("2026-06-01")),
    ).rejects.toThrow("ledger_seal_early");
  });

  test.each([
    [
      "an amount",
      "UPDATE ledger_entries SET amount_cents = amount_cents + CASE WHEN amount_cents > 0 THEN 1 ELSE 0 END WHERE posted_at = ?",
      "UPDATE ledger_entries SET amount_cents = amount_cents - CASE WHEN amount_cents > 0 THEN 1 ELSE 0 END WHERE posted_at = ?",
    ],
    [
      "an account",
      "UPDATE ledger_entries SET account_id = 'creator_pending:bruno' WHERE posted_at = ? AND account_id = 'creator_pending:ana'",
      "UPDATE ledger_entries SET account_id = 'creator_pending:ana' WHERE posted_at = ? AND account_id = 'creator_pending:bruno'",
    ],
    [
      "the sale that a transaction is of",
      "UPDATE ledger_transactions SET charge_id = 'x' || charge_id WHERE posted_at = ?",
      "UPDATE ledger_transactions SET charge_id = substr(charge_id, 2) WHERE posted_at = ?",
    ],
    [
      "the payout that a transaction is of",
      "UPDATE ledger_transactions SET payout_id = 'x' WHERE posted_at = ?",
      "UPDATE ledger_transactions SET payout_id = NULL WHERE posted_at = ?",
    ],
    [
      "the source of a transaction",
      "UPDATE ledger_transactions SET source_key = 'x' || source_key WHERE posted_at = ?",
      "UPDATE ledger_transactions SET source_key = substr(source_key, 2) WHERE posted_at = ?",
    ],
  ])(
    "after the removal of triggers, a change of %s is detected by the seal of its month only",
    async (_, change, undo) => {
      const at = instantOfIsoDay("2026-01-31");
      await run(
        "INSERT OR IGNORE INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) VALUES ('creator_pending:bruno', 'creator_pending', 'bruno', -1, 1)",
      );
      await withoutTriggers(change, at);
      expect(await verdicts()).toContain("2026-01 broken");
      await withoutTriggers(undo, at);
      expect(await verdicts()).toEqual(["2026-01 holds", "2026-02 holds", "2026-03 holds"]);
    },
  );

  test("verifies one month by itself and names it", async () => {
    expect(await verifySeal(world.ctx, { month: "2026-03", digest: sha256Hex })).toEqual({
      month: "2026-03",
      holds: true,
      entriesCount: 3,
    });
    expect(await verifySeal(world.ctx, { month: "2026-04", digest: sha256Hex })).toBeNull();
  });

  test("a seal forged to fit a changed month breaks the next seal", async () => {
    await withoutTriggers("UPDATE ledger_seals SET hash = 'forged' WHERE month = '2026-02'");
    expect(await verdicts()).toEqual(["2026-01 holds", "2026-02 broken", "2026-03 broken"]);
  });
});

describe.sequential("sealing a month with more pages than one run reads", () => {
  const [PAGE, SALES] = [4, 7];
  const ctx = () => on("2026-05-02");
  /** Runs the job for `pages` pages of `PAGE` entries. */
  const part = (pages: number, at: Context = ctx()) => {
    let left = pages + 1;
    return sealNextMonth(at, {
      digest: sha256Hex,
      linkEntries: PAGE,
      hasRoom: () => (left -= 1) >= 0,
    });
  };
  const unsealed = async () =>
    (await invariantFindings(on("2026-05-05"))).find(({ name }) => name === "months_sealed")?.rows;
  const progress = async () => (await loadSealingSnapshot(world.ctx)).progress;

  test("closes the month from the first step on: postings into it are refused before it is read", async () => {
    for (let sold = 0; sold < SALES; sold += 1)
      await sale(on(`2026-04-${10 + sold}`), 1_000 + sold);
    expect(await part(0)).toBeNull();
    expect(await progress()).toMatchObject({ month: "2026-04", entriesCount: 0, after: null });
    await expect(sale(on("2026-04-30"))).rejects.toThrow("ledger_sealed");
    await expect(sale(on("2026-04-02"))).rejects.toThrow("ledger_sealed");
    await sale(on("2026-05-01"), 5_000);
  });

  test("continues where the last run stopped, in one of two concurrent runs", async () => {
    expect(await part(1)).toBeNull();
    expect(await progress()).toMatchObject({ entriesCount: PAGE });
    expect(await Promise.all([part(1), part(1)])).toEqual([null, null]);
    expect((await progress())?.entriesCount).toBeLessThanOrEqual(3 * PAGE);
    expect((await progress())?.entriesCount).toBeGreaterThan(PAGE);
  });

  test("notifies staff when the month has had no seal for more than three days", async () => {
    expect(await unsealed()).toEqual([{ last_sealed: "2026-03", under_way: "2026-04" }]);
    expect(isPayoutBlocking("months_sealed")).toBe(false);
  });

  test("survives crashes before and after commits, with the same seal as one run", async () => {
    const points = crashPoints();
    const mortal = { ...ctx(), db: openDatabase(points.database(testEnv.DB)) };
    const atWork = new Set<number>();
    for (let deaths = 0; (await progress()) !== null && deaths < 30; deaths += 1) {
      points.arm((deaths % 3) + 1);
      expect(await survives(points, () => part(100, mortal))).toBe("crashed");
      atWork.add((await progress())?.entriesCount ?? 0);
    }
    expect(atWork.size).toBeGreaterThan(3);
    expect((await months(world.ctx))[0]).toBe("2026-04 24");
    expect(await progress()).toBeNull();
    expect((await verdicts(PAGE)).at(-1)).toBe("2026-04 holds");
    expect(await unsealed()).toEqual([]);
  });
});
