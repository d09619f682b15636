import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import {
  ledgerStatement,
  statementExtent,
  streamLedgerStatement,
} from "#app/domain/ledger/statements/queries/statement.server.ts";
import type { StatementRow } from "#app/domain/ledger/statements/queries/statement.server.ts";
import { chargeReleased, chargeSucceeded } from "#app/domain/ledger/rules.ts";
import {
  parseAccountId,
  parseBalanceName,
  balanceStatementSubject,
} from "#app/domain/ledger/statements/rules/statement.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// The postings have no charge rows.
allowBrokenInvariants();

let ctx: Context;
const day = instantOfIsoDay;
let made = 0;
/** Ids in the order of the postings. They order postings of the same moment. */
const nextId = (): string => (made += 1).toString(16).padStart(32, "0");
const on = (iso: string): Context => ({ ...ctx, now: () => day(iso), newId: nextId });
const pending = balanceStatementSubject("pending", "ana");
const whole = { from: null, until: null };
const shown = ({ amountCents, balanceCents }: StatementRow) => `${amountCents} → ${balanceCents}`;

/** Five sales of R$ 10,00 net on five days. Two share a moment, and one is released. */
beforeAll(async () => {
  ({ ctx } = await testContext());
  for (const [index, iso] of [
    "2026-01-01",
    "2026-01-02",
    "2026-01-02",
    "2026-01-03",
    "2026-01-05",
  ].entries()) {
    await commit(
      ctx.db,
      postingStatements(
        on(iso),
        chargeSucceeded({
          chargeId: `c${index}`,
          creatorId: "ana",
          provider: "sandbox",
          grossCents: 1_050 + index,
          feeCents: 50,
        }),
      ),
    );
  }
  await commit(
    ctx.db,
    postingStatements(
      on("2026-01-04"),
      chargeReleased({
        chargeId: "c0",
        creatorId: "ana",
        provider: "sandbox",
        position: 0,
        netCents: 1_000,
        owedCents: 0,
      }),
    ),
  );
  await commit(
    ctx.db,
    postingStatements(
      on("2026-01-04"),
      chargeSucceeded({
        chargeId: "x",
        creatorId: "bia",
        provider: "sandbox",
        grossCents: 9_999,
        feeCents: 0,
      }),
    ),
  );
});

describe("a statement", () => {
  test("lists every entry of its account, newest first, each with the balance after it", async () => {
    const { items, openingCents, closingCents, next } = await ledgerStatement(ctx, {
      of: pending,
      ...whole,
      cursor: null,
      limit: 20,
    });
    expect(items.map(shown)).toEqual([
      "1004 → 4010",
      "-1000 → 3006",
      "1003 → 4006",
      "1002 → 3003",
      "1001 → 2001",
      "1000 → 1000",
    ]);
    expect({ openingCents, closingCents, next }).toEqual({
      openingCents: 0,
      closingCents: 4_010,
      next: null,
    });
  });

  test("of a date range starts with the opening balance and ends with the closing balance", async () => {
    const { items, openingCents, closingCents } = await ledgerStatement(ctx, {
      of: pending,
      from: day("2026-01-02"),
      until: day("2026-01-05"),
      cursor: null,
      limit: 20,
    });
    expect(items.map(shown)).toEqual(["-1000 → 3006", "1003 → 4006", "1002 → 3003", "1001 → 2001"]);
    expect({ openingCents, closingCents }).toEqual({ openingCents: 1_000, closingCents: 3_006 });
  });

  test.each([1, 2, 3, 5])("has the same rows in pages of %i", async (limit) => {
    for (const range of [whole, { from: day("2026-01-02"), until: day("2026-01-05") }]) {
      const once = await ledgerStatement(ctx, { of: pending, ...range, cursor: null, limit: 20 });
      const rows: StatementRow[] = [];
      for await (const page of streamLedgerStatement(ctx, {
        of: pending,
        ...range,
        pageRows: limit,
        most: 100,
      })) {
        rows.push(...page.items);
        expect(page).toMatchObject({
          openingCents: once.openingCents,
          closingCents: once.closingCents,
        });
      }
      expect(rows).toEqual(once.items);
      expect(await statementExtent(ctx, { of: pending, ...range })).toEqual({
        count: rows.length,
        firstAt: rows.at(-1)?.at,
      });
    }
  });

  test("of an asset account grows with debits", async () => {
    const { closingCents, items } = await ledgerStatement(ctx, {
      of: { account: { kind: "provider_clearing", ownerId: "sandbox" } },
      ...whole,
      cursor: null,
      limit: 1,
    });
    expect(closingCents).toBe(15_259);
    expect(items.map(shown)).toEqual(["1054 → 15259"]);
  });

  test("of an unused account is empty", async () => {
    expect(
      await ledgerStatement(ctx, {
        of: balanceStatementSubject("in_transit", "ana"),
        ...whole,
        cursor: null,
        limit: 5,
      }),
    ).toEqual({ items: [], next: null, openingCents: 0, closingCents: 0 });
  });

  test("stops at the row limit of one file", async () => {
    const pages: number[] = [];
    for await (const { items } of streamLedgerStatement(ctx, {
      of: pending,
      ...whole,
      pageRows: 2,
      most: 4,
    }))
      pages.push(items.length);
    expect(pages).toEqual([2, 2]);
  });
});

test("reads only the rows of its page, however many entries other accounts have", async () => {
  const { results } = await testEnv.DB.prepare(
    "EXPLAIN QUERY PLAN SELECT id FROM ledger_entries WHERE account_id = ? AND posted_at >= ? ORDER BY posted_at DESC, id DESC LIMIT 30",
  )
    .bind("platform_fees", 0)
    .all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join()).toMatch(/SEARCH .*ledger_entries_statement/);
  expect(results.map(({ detail }) => detail).join()).not.toContain("TEMP B-TREE");
});

test.each([
  ["creator_pending:ana", { kind: "creator_pending", ownerId: "ana" }],
  ["platform_fees", { kind: "platform_fees", ownerId: null }],
  ["payout_in_transit:a:b", { kind: "payout_in_transit", ownerId: "a:b" }],
  ["toString", null],
  ["creator_rich:ana", null],
  ["", null],
])("%j is parsed as %j", (text, account) => {
  expect(parseAccountId(text)).toEqual(account);
});

test("an unknown balance name in the URL shows the available balance", () => {
  expect(["pending", "toString", "", null].map(parseBalanceName)).toEqual([
    "pending",
    "available",
    "available",
    "available",
  ]);
});
