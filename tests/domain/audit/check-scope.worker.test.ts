import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { invariantTitles } from "#app/domain/audit/queries/invariants.server.ts";
import {
  ledgerStatement,
  streamLedgerStatement,
} from "#app/domain/ledger/statements/queries/statement.server.ts";
import { latestChecks } from "#app/domain/audit/queries/checks.server.ts";
import {
  isPayoutBlocking,
  isCheckedByDay,
  checkScope,
  missedChecks,
} from "#app/domain/audit/rules.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { withoutTriggers } from "#tests/support/without-triggers.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import {
  generatedCreatorId,
  generatedCreatorStatements,
  saleStatements,
} from "#tests/support/many-creators.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const HISTORY = 1_500;
const SALES_ADDED = 5;

let ctx: Context;
const run = (query: string, ...values: unknown[]) =>
  testEnv.DB.prepare(query)
    .bind(...values)
    .run();
/** The same context at another moment. */
const at = (ms: number): Context => ({ ...ctx, now: () => ms, realNow: () => ms });
const look = (ms: number) => checkBooks(at(ms), { moderatorIds: [] });
const broken = async () =>
  [...(await latestChecks(ctx)).values()]
    .filter(({ brokenCount }) => brokenCount > 0)
    .map(({ name }) => name)
    .toSorted();

/** Noon of a day on which every check read everything. */
const NOON = Date.parse("2026-11-24T15:00:00Z");
const LONG_BEFORE = NOON - 30 * DAY_MS;

async function rowsReadBy(work: (ctx: Context) => Promise<unknown>, ms: number): Promise<number> {
  const tap = recordDatabase(testEnv.DB);
  await work({ ...at(ms), db: openDatabase(tap.database) });
  return tap.trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
}

async function sold(round: number, now: number, to: number): Promise<void> {
  for (const statement of saleStatements({ from: 0, to, round, now, provider: "sandbox" }))
    await run(statement);
}

beforeAll(async () => {
  ({ ctx } = await testContext());
  for (const statement of generatedCreatorStatements(
    { from: 0, to: HISTORY },
    { now: LONG_BEFORE },
  ))
    await run(statement);
  await sold(1, LONG_BEFORE, HISTORY);
  await sealNextMonth(at(NOON), { digest: sha256Hex });
  await look(NOON);
});

test("the first run checks everything and finds no violation", async () => {
  expect(await broken()).toEqual([]);
  expect([...(await latestChecks(ctx)).values()].every(({ wholeAt }) => wholeAt === NOON)).toBe(
    true,
  );
});

test("a daytime run reads in proportion to what changed; a nightly run reads everything", async () => {
  const wholeLook = (one: Context) => checkBooks(one, { moderatorIds: [], isWhole: true });
  const byNightlyRun = await rowsReadBy(wholeLook, NOON);
  expect(byNightlyRun).toBeGreaterThan(HISTORY * 20);
  expect(byNightlyRun).toBeLessThan(HISTORY * 110);
  const still = await rowsReadBy((one) => checkBooks(one, { moderatorIds: [] }), NOON + MINUTE_MS);
  await sold(2, NOON + 2 * MINUTE_MS, SALES_ADDED);
  const moved = await rowsReadBy(
    (one) => checkBooks(one, { moderatorIds: [] }),
    NOON + 3 * MINUTE_MS,
  );
  // The cost of a run without changes: the statuses and the accounts that each check names.
  expect(still).toBeLessThan(746);
  expect(moved - still).toBeLessThan(SALES_ADDED * 250);
});

describe("a daytime run finds", () => {
  const moments = { at: NOON + HOUR_MS };
  /**
   * Breaks a recent sale, returns the invariants that a run finds broken, and repairs it. Asserts
   * that the next run finds nothing.
   */
  async function foundBy(sql: string, mend: string): Promise<string[]> {
    moments.at += HOUR_MS;
    const round = moments.at / MINUTE_MS;
    await sold(round, moments.at, 1);
    await withoutTriggers(sql.replaceAll("SALE", `sale-${round}-0`));
    await look(moments.at + MINUTE_MS);
    const found = await broken();
    await withoutTriggers(mend.replaceAll("SALE", `sale-${round}-0`));
    await look(moments.at + 2 * MINUTE_MS);
    expect(await broken()).toEqual([]);
    return found;
  }

  test.each([
    [
      "a balance that its entries do not explain",
      `UPDATE ledger_accounts SET balance_cents = balance_cents - 1 WHERE id = 'creator_available:${generatedCreatorId(0)}'`,
      `UPDATE ledger_accounts SET balance_cents = balance_cents + 1 WHERE id = 'creator_available:${generatedCreatorId(0)}'`,
      ["balances_cached"],
    ],
    [
      "a charge with a refunded amount but no refund",
      "UPDATE charges SET refunded_cents = 1 WHERE id = 'SALE'",
      "UPDATE charges SET refunded_cents = 0 WHERE id = 'SALE'",
      ["refunds_within_charge"],
    ],
    [
      "a charge that has more to release than its parts",
      "UPDATE charges SET pending_cents = 1 WHERE id = 'SALE'",
      "UPDATE charges SET pending_cents = 0 WHERE id = 'SALE'",
      ["pending_by_charge", "releases_whole"],
    ],
    [
      "money at another provider than its charge",
      "UPDATE charges SET provider = 'other' WHERE id = 'SALE'",
      "UPDATE charges SET provider = 'sandbox' WHERE id = 'SALE'",
      ["charges_posted", "providers_apart"],
    ],
    [
      "a payout without a posting of its claim",
      "INSERT INTO payouts (id, creator_id, amount_cents, status, pix_key_kind, pix_key, provider, requested_at, claimed_at) VALUES ('of-SALE', 'nobody', 5, 'sent', 'email', 'x', 'sandbox', 1, 1)",
      "DELETE FROM payouts WHERE id = 'of-SALE'",
      ["payouts_claimed"],
    ],
    [
      "a cost without a posting",
      "INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at, settled_at, decided_by, cost_cents) VALUES ('of-SALE', 'SALE', 5, 0, 'x', 'failed', 1, 1, 'somebody', 5)",
      "DELETE FROM refunds WHERE id = 'of-SALE'",
      ["costs_posted"],
    ],
    [
      "a payment of a debt that was booked as a sale",
      "UPDATE charges SET purchase_kind = 'debt' WHERE id = 'SALE'",
      "UPDATE charges SET purchase_kind = 'subscription' WHERE id = 'SALE'",
      ["debts_paid"],
    ],
    [
      "a write-off without a posting",
      "INSERT INTO write_offs (id, creator_id, amount_cents, reason, decided_by, created_at) VALUES ('of-SALE', 'nobody', 5, 'x', 'nobody', 1)",
      "DELETE FROM write_offs WHERE id = 'of-SALE'",
      ["write_offs_posted"],
    ],
  ])("%s", async (_, sql, mend, names) => {
    expect(await foundBy(sql, mend)).toEqual(expect.arrayContaining(names));
  });
});

test("a violation in old rows is found by the first nightly run, and checked whole until it is repaired", async () => {
  const day = NOON + 3 * DAY_MS;
  await look(day);
  await run("UPDATE charges SET refunded_cents = 1 WHERE id = 'sale-1-7'");
  await look(day + HOUR_MS);
  expect(await broken()).toEqual([]);
  await look(day + 15 * HOUR_MS + 30 * MINUTE_MS);
  expect(await broken()).toEqual([]);
  await look(day + 16 * HOUR_MS + MINUTE_MS);
  expect(await broken()).toContain("refunds_within_charge");
  await look(day + 16 * HOUR_MS + 6 * MINUTE_MS);
  expect(await broken()).toContain("refunds_within_charge");
  await run("UPDATE charges SET refunded_cents = 0 WHERE id = 'sale-1-7'");
  await look(day + 16 * HOUR_MS + 11 * MINUTE_MS);
  expect(await broken()).toEqual([]);
});

test("a run over recent changes does not clear a violation that a concurrent whole run found", async () => {
  const day = NOON + 6 * DAY_MS;
  await look(day);
  await run("UPDATE charges SET refunded_cents = 1 WHERE id = 'sale-1-9'");
  let isFirst = true;
  const between: Pick<D1Database, "prepare" | "batch"> = {
    prepare: (query) => testEnv.DB.prepare(query),
    async batch<Row>(statements: D1PreparedStatement[]) {
      if (isFirst) {
        isFirst = false;
        await checkBooks(at(day + 61 * MINUTE_MS), { moderatorIds: [], isWhole: true });
      }
      return await testEnv.DB.batch<Row>(statements);
    },
  };
  await checkBooks({ ...at(day + HOUR_MS), db: openDatabase(between) }, { moderatorIds: [] });
  expect(isFirst).toBe(false);
  expect(await broken()).toContain("refunds_within_charge");
  await run("UPDATE charges SET refunded_cents = 0 WHERE id = 'sale-1-9'");
  await look(day + 2 * HOUR_MS);
  expect(await broken()).toEqual([]);
});

test("a check too large for D1 stops no other; its daytime scope runs instead, and staff are notified when that lasts", async () => {
  const day = NOON + 9 * DAY_MS;
  await look(day);
  const tooLarge: Pick<D1Database, "prepare" | "batch"> = {
    // A whole run counts the entries of every transaction.
    prepare: (query) =>
      testEnv.DB.prepare(
        query.includes("refunded_cents") && !query.includes("posted_at >=")
          ? "SELECT json('too large')"
          : query,
      ),
    batch: (statements) => testEnv.DB.batch(statements),
  };
  const hindered = (ms: number) =>
    checkBooks({ ...at(ms), db: openDatabase(tooLarge) }, { moderatorIds: [] });
  const nightlyRunAt = day + 16 * HOUR_MS + MINUTE_MS;
  await hindered(nightlyRunAt);
  const checks = await latestChecks(ctx);
  expect(checks.get("balances_cached")?.wholeAt).toBe(nightlyRunAt);
  expect(checks.get("refunds_within_charge")).toMatchObject({ wholeAt: day });
  await sealNextMonth(at(day + 26 * HOUR_MS), { digest: sha256Hex });
  await hindered(day + 26 * HOUR_MS);
  await hindered(day + 26 * HOUR_MS + MINUTE_MS);
  expect(await broken()).toEqual(["looked_at_whole"]);
  await look(day + 26 * HOUR_MS + 2 * MINUTE_MS);
  await look(day + 26 * HOUR_MS + 3 * MINUTE_MS);
  expect(await broken()).toEqual([]);
});

describe("the rows that a run reads", () => {
  const seen = { wholeAt: NOON, seenUntil: NOON, brokenCount: 0 };
  test.each([
    ["of the first run", "charges_posted", undefined, NOON, { kind: "whole" }],
    [
      "an hour later",
      "charges_posted",
      seen,
      NOON + HOUR_MS,
      { kind: "since", since: NOON - 10 * MINUTE_MS },
    ],
    [
      "before four in the morning",
      "charges_posted",
      seen,
      NOON + 15 * HOUR_MS,
      { kind: "since", since: NOON - 10 * MINUTE_MS },
    ],
    ["after four in the morning", "charges_posted", seen, NOON + 16 * HOUR_MS, { kind: "whole" }],
    [
      "while it is broken",
      "charges_posted",
      { ...seen, brokenCount: 1 },
      NOON + 1,
      { kind: "whole" },
    ],
    ["after the clock was set back", "charges_posted", seen, NOON - 1, { kind: "whole" }],
    ["of nightly checks", "access_explained", seen, NOON + HOUR_MS, { kind: "none" }],
    ["of small tables", "nothing_waits", seen, NOON + HOUR_MS, { kind: "whole" }],
  ] as const)("%s", (_, name, before, now, look) => {
    expect(checkScope(name, before, { now, realNow: now })).toEqual(look);
  });

  test("names the checks that the last run requesting them could not make", () => {
    const names = [
      "nothing_waits",
      "charges_posted",
      "access_explained",
      "totals_kept",
      "fees_invoiced",
    ];
    const checked = (more: Record<string, { checkedAt: number; wholeAt: number }>) =>
      new Map(
        Object.entries({
          ...Object.fromEntries(
            names.map((name) => [
              name,
              { checkedAt: isCheckedByDay(name) ? NOON + HOUR_MS : NOON, wholeAt: NOON },
            ]),
          ),
          ...more,
        }),
      );
    expect([...missedChecks(names, checked({}))]).toEqual([]);
    expect([...missedChecks(names, new Map())]).toEqual(names);
    expect([
      ...missedChecks(names, checked({ charges_posted: { checkedAt: NOON, wholeAt: NOON } })),
    ]).toEqual(["charges_posted"]);
    expect([
      ...missedChecks(names, checked({ totals_kept: { checkedAt: NOON - 1, wholeAt: NOON - 1 } })),
    ]).toEqual(["totals_kept"]);
    // A later run made the missed check. The others were not missed.
    expect([
      ...missedChecks(
        names,
        checked({ totals_kept: { checkedAt: NOON + HOUR_MS, wholeAt: NOON + HOUR_MS } }),
      ),
    ]).toEqual([]);
    const nightlyRunAt = NOON + 17 * HOUR_MS;
    const byNightlyRun = Object.fromEntries(
      names
        .filter((name) => name !== "totals_kept")
        .map((name) => [name, { checkedAt: nightlyRunAt, wholeAt: nightlyRunAt }]),
    );
    expect([...missedChecks(names, checked(byNightlyRun))]).toEqual(["totals_kept"]);
  });

  test("every payout-blocking invariant is checked by day except the total, which follows from two others", () => {
    const nightly = invariantTitles
      .filter(({ name }) => isPayoutBlocking(name) && !isCheckedByDay(name))
      .map(({ name }) => name);
    expect(nightly).toEqual(["books_balance"]);
  });
});

describe("the statement of an account with many entries", () => {
  const fees = {
    of: { account: { kind: "platform_fees", ownerId: null } },
    from: null,
    until: null,
  } as const;

  test("reads the rows that its page shows", async () => {
    const page = (limit: number) =>
      rowsReadBy(
        async (one) =>
          expect((await ledgerStatement(one, { ...fees, cursor: null, limit })).items).toHaveLength(
            limit,
          ),
        NOON,
      );
    expect(await page(20)).toBeLessThan(20 * 8);
    expect(await page(200)).toBeLessThan(200 * 8);
  });

  test("read whole, reads each entry once and ends at the last balance", async () => {
    let [count, last] = [0, Number.NaN];
    const read = await rowsReadBy(async (one) => {
      for await (const { items } of streamLedgerStatement(one, {
        ...fees,
        pageRows: 100,
        most: 10_000,
      })) {
        count += items.length;
        last = (items.at(-1)?.balanceCents ?? 0) - (items.at(-1)?.amountCents ?? 0);
      }
    }, NOON);
    expect(count).toBeGreaterThan(HISTORY);
    expect(last).toBe(0);
    expect(read).toBeLessThan(count * 8);
  });
});
