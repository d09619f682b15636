import * as fc from "fast-check";
import { and, eq, inArray, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  billingStatement,
  billingStatementTotals,
  streamBillingStatement,
} from "#app/domain/billing/statements/queries/statement.server.ts";
import type { TransactionRow } from "#app/domain/billing/statements/queries/statement.server.ts";
import {
  remainingFeeAndNet,
  transactionStateOf,
} from "#app/domain/billing/statements/rules/statement.ts";
import type { StatementTotals } from "#app/domain/billing/statements/rules/statement.ts";
import {
  NO_PART,
  unfilteredStatement,
  transactionKinds,
  transactionStates,
} from "#app/domain/billing/schema.ts";
import type { StatementSide, TransactionFilter } from "#app/domain/billing/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { DAY_MS, dayNumberOf, HOUR_MS } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { insertSales } from "#tests/support/transactions.ts";
import type { Sale } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// Charges in every status, inserted by hand.
allowBrokenInvariants();

const NOON = Date.UTC(2026, 9, 15, 15);
let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await testContext());
});

async function all(
  asked: { personId: string; face: StatementSide; filter: TransactionFilter },
  pageRows = 3,
): Promise<TransactionRow[]> {
  const rows: TransactionRow[] = [];
  for await (const page of streamBillingStatement(ctx, { ...asked, pageRows, most: 1_000 }))
    rows.push(...page);
  return rows;
}

/** The totals of the rows themselves. Unpaid charges count nowhere. */
function added(rows: TransactionRow[]): StatementTotals {
  const paid = rows.filter(
    (row) => !["waiting", "unpaid"].includes(transactionStateOf(row.status)),
  );
  const sum = (of: (row: TransactionRow) => number) =>
    paid.reduce((total, row) => total + of(row), 0);
  return {
    count: paid.length,
    amountCents: sum((row) => row.amountCents),
    refundedCents: sum((row) => row.refundedCents),
    disputedCents: sum((row) => row.disputedCents),
    feeCents: sum((row) => remainingFeeAndNet(row).feeCents),
    netCents: sum((row) => remainingFeeAndNet(row).netCents),
  };
}

/** What the ledger has of these charges on accounts of some kinds. Credits are positive. */
async function booked(ids: string[], kinds: string[]): Promise<number> {
  const [row] = await ctx.db
    .select({ cents: sql<number>`COALESCE(-SUM(${ledgerEntries.amountCents}), 0)` })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(
      and(
        sql`${ledgerTransactions.chargeId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        inArray(ledgerAccounts.kind, kinds),
      ),
    );
  return row?.cents ?? 0;
}

const ends = fc.oneof(
  fc.constant(undefined),
  fc.record({ refundedCents: fc.integer({ min: 1, max: 9_000 }) }),
  fc.constantFrom("disputed" as const, "lost" as const, "failed" as const),
);
const saleOf = (seller: TestPerson, payers: TestPerson[]): fc.Arbitrary<Sale> =>
  fc
    .record({
      payer: fc.constantFrom(...payers),
      amountCents: fc.integer({ min: 1, max: 9_000 }),
      // Times around midnight in São Paulo are included.
      at: fc
        .integer({ min: 0, max: 8 })
        .chain((day) =>
          fc
            .constantFrom(0, 14 * HOUR_MS + 59 * 60_000, 15 * HOUR_MS)
            .map((ms) => NOON - day * DAY_MS - ms),
        ),
      method: fc.constantFrom("pix" as const, "card" as const),
      kind: fc.constantFrom(...transactionKinds),
      end: ends,
    })
    .map(({ payer, end, ...sale }) => ({
      ...sale,
      payerId: payer.id,
      creatorId: seller.id,
      ...(end === undefined ? {} : { end }),
    }));

const nothingOr = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: null });
const filterOf = (usernames: string[]): fc.Arbitrary<TransactionFilter> =>
  fc.record({
    from: nothingOr(fc.integer({ min: dayNumberOf(NOON) - 9, max: dayNumberOf(NOON) })),
    until: nothingOr(fc.integer({ min: dayNumberOf(NOON) - 9, max: dayNumberOf(NOON) })),
    state: nothingOr(fc.constantFrom(...transactionStates)),
    method: nothingOr(fc.constantFrom("pix" as const, "card" as const)),
    kind: nothingOr(fc.constantFrom(...transactionKinds)),
    person: nothingOr(fc.constantFrom(...usernames)),
    subscription: fc.constant(null),
    plan: fc.constantFrom(null, "-"),
    link: fc.constantFrom(null, "-"),
    item: fc.constant(null),
    refunds: fc.constantFrom(null, "any" as const),
  });

function isAsked(
  row: TransactionRow,
  { from, until, state, method, kind, person: username, refunds }: TransactionFilter,
): boolean {
  const day = dayNumberOf(row.at);
  return (
    (from === null || day >= from) &&
    (until === null || day <= until) &&
    (state === null || transactionStateOf(row.status) === state) &&
    (method === null || row.method === method) &&
    (kind === null || row.kind === kind) &&
    (username === null || row.counterpartUsername === username) &&
    (refunds === null || row.refundedCents + row.disputedCents > 0)
  );
}

test("for any filter, the totals equal the sum of all pages, the pages match a plain filter, and the ledger agrees", async () => {
  const [ana, bia, caio] = [
    await createPerson(ctx, "Ana"),
    await createPerson(ctx, "Bia"),
    await createPerson(ctx, "Caio"),
  ];
  const made = fc.sample(saleOf(ana, [bia, caio]), { numRuns: 60, seed: 7 });
  await insertSales(ctx, made);
  const faces = [
    {
      personId: ana.id,
      face: "received" as const,
      others: [bia.username, caio.username, "ninguem"],
    },
    { personId: bia.id, face: "paid" as const, others: [ana.username, caio.username] },
  ];
  for (const { others, ...side } of faces) {
    const whole = await all({ ...side, filter: unfilteredStatement }, 7);
    await fc.assert(
      fc.asyncProperty(filterOf(others), async (any) => {
        const filter = side.face === "paid" ? { ...any, refunds: null } : any;
        const rows = await all({ ...side, filter });
        expect(rows.map((row) => row.id)).toEqual(
          whole.filter((row) => isAsked(row, filter)).map((row) => row.id),
        );
        const totals = await billingStatementTotals(ctx, { ...side, filter });
        expect(totals).toEqual(added(rows));
        const ids = rows.map((row) => row.id);
        expect(await booked(ids, ["creator_pending", "creator_available", "creator_owed"])).toBe(
          totals.netCents,
        );
        expect(await booked(ids, ["platform_fees"])).toBe(totals.feeCents);
        expect(totals.amountCents - totals.refundedCents - totals.disputedCents).toBe(
          totals.feeCents + totals.netCents,
        );
      }),
      { numRuns: 40, seed: 11 },
    );
  }
  expect((await invariantFindings(ctx)).find((one) => one.name === "totals_kept")?.rows).toEqual(
    [],
  );
});

test("pages list every row once, newest first, even with many rows at the same instant", async () => {
  const [ana, bia] = [await createPerson(ctx, "Ana"), await createPerson(ctx, "Bia")];
  await insertSales(
    ctx,
    Array.from({ length: 11 }, (_, index) => ({
      payerId: bia.id,
      creatorId: ana.id,
      amountCents: 1_000,
      at: NOON - (index < 8 ? 0 : index),
    })),
  );
  const rows = await all({ personId: ana.id, face: "received", filter: unfilteredStatement }, 2);
  expect(rows).toHaveLength(11);
  expect(new Set(rows.map((row) => row.id)).size).toBe(11);
  expect(rows.map((row) => row.at)).toEqual(
    rows.map((row) => row.at).toSorted((one, other) => other - one),
  );
});

test("the seller sees only paid charges, and the payer sees their failed attempts too", async () => {
  const [ana, bia] = [await createPerson(ctx, "Ana"), await createPerson(ctx, "Bia")];
  await insertSales(ctx, [
    { payerId: bia.id, creatorId: ana.id, amountCents: 1_000, at: NOON },
    { payerId: bia.id, creatorId: ana.id, amountCents: 1_000, at: NOON, end: "failed" },
  ]);
  expect(
    await all({ personId: ana.id, face: "received", filter: unfilteredStatement }),
  ).toHaveLength(1);
  expect(await all({ personId: bia.id, face: "paid", filter: unfilteredStatement })).toHaveLength(
    2,
  );
  expect(await all({ personId: ana.id, face: "paid", filter: unfilteredStatement })).toEqual([]);
});

describe("the rows that D1 reads for a page", () => {
  const filters: [string, Partial<TransactionFilter>][] = [
    ["of everything", {}],
    ["of a period", { from: dayNumberOf(NOON) - 3, until: dayNumberOf(NOON) }],
    ["of refunds", { state: "returned" }],
    ["with something returned", { refunds: "any" }],
    ["of one item", { item: "one" }],
    ["by card", { method: "card" }],
    ["of posts", { kind: "post" }],
    ["of no plan", { plan: NO_PART }],
    ["by no link", { link: NO_PART }],
    ["from one person", { person: "?" }],
    ["of subscriptions paid by Pix", { state: "paid", method: "pix", kind: "subscription" }],
  ];
  let ana: TestPerson;
  let rare: TestPerson;
  let bia: TestPerson;
  let few: Map<string, number>;
  let many: Map<string, number>;
  const tap = recordDatabase(testEnv.DB);

  async function readOf(
    filter: Partial<TransactionFilter>,
    cursor: string | null = null,
  ): Promise<number> {
    const tapped = await testContext({ database: () => tap.database });
    tap.trips.length = 0;
    const asked = {
      ...unfilteredStatement,
      ...filter,
      ...(filter.person ? { person: rare.username } : {}),
    };
    await billingStatement(tapped.ctx, {
      personId: ana.id,
      face: "received",
      filter: asked,
      cursor,
      limit: 20,
    });
    expect(tap.trips).toHaveLength(1);
    return tap.trips.flat().reduce((sum, statement) => sum + statement.rowsRead, 0);
  }

  async function sell(count: number): Promise<void> {
    const ordinary = Array.from({ length: count }, (_, index) => ({
      id: ctx.newId(),
      at: NOON - (index % 5) * DAY_MS - index,
    }));
    await ctx.db
      .run(sql`INSERT INTO charges (id, payer_id, creator_id, purchase_kind, purchase_id, description, amount_cents, fee_basis_points, fee_cents, net_cents, method, provider, provider_charge_id, status, succeeded_at, asked_at, created_at)
      SELECT value ->> 'id', ${bia.id}, ${ana.id}, 'subscription', value ->> 'id', 'Assinatura', 1000, 500, 50, 950, 'pix', 'outside', value ->> 'id', 'succeeded', value ->> 'at', value ->> 'at', value ->> 'at' FROM json_each(${JSON.stringify(ordinary)})`);
  }

  beforeAll(async () => {
    [ana, bia, rare] = [
      await createPerson(ctx, "Ana"),
      await createPerson(ctx, "Bia"),
      await createPerson(ctx, "Rara"),
    ];
    const rarities = Array.from({ length: 30 }, (_, index) => ({
      payerId: rare.id,
      creatorId: ana.id,
      amountCents: 2_000,
      at: NOON - 4 * DAY_MS - index,
      method: "card" as const,
      kind: "post" as const,
      end: { refundedCents: 500 },
    }));
    await insertSales(ctx, rarities);
    await sell(300);
    few = new Map();
    for (const [name, filter] of filters) few.set(name, await readOf(filter));
    await sell(6_000);
    many = new Map();
    for (const [name, filter] of filters) many.set(name, await readOf(filter));
  });

  test.each(filters)("%s do not grow with the number of received payments", (name) => {
    expect(many.get(name)).toBeGreaterThan(0);
    expect(many.get(name)).toBeLessThanOrEqual((few.get(name) ?? 0) * 1.1);
    expect(many.get(name)).toBeLessThan(200);
  });

  test("do not grow with the depth of the page", async () => {
    const rows: TransactionRow[] = [];
    for await (const page of streamBillingStatement(ctx, {
      personId: ana.id,
      face: "received",
      filter: unfilteredStatement,
      pageRows: 500,
      most: 5_000,
    }))
      rows.push(...page);
    const last = rows.at(-1);
    expect(await readOf({}, `${last?.at}_${last?.id}`)).toBeLessThanOrEqual(
      (few.get("of everything") ?? 0) * 1.1,
    );
  });
});
