import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import {
  earningsFigureRows,
  creatorEarnings,
} from "#app/domain/ledger/statements/queries/earnings.server.ts";
import {
  balanceChange,
  earningsFigureNames,
  sumEarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import { chargeSucceeded, disputeWon } from "#app/domain/ledger/rules.ts";
import {
  payoutClaimed,
  payoutFailed,
  payoutPaid,
  payoutReturned,
} from "#app/domain/ledger/rules/payouts.ts";
import { instantOf } from "#app/domain/time.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { byBucket } from "#tests/support/earnings.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// The postings have no charge rows.
allowBrokenInvariants();

let ctx: Context;
const at = (iso: string, hour = 12): number =>
  Date.parse(`${iso}T${String(hour).padStart(2, "0")}:00:00-03:00`);
const on = (when: number): Context => ({ ...ctx, now: () => when });
const year = {
  creatorId: "ana",
  from: instantOf({ year: 2026, month: 1, day: 1 }),
  until: instantOf({ year: 2027, month: 1, day: 1 }),
};

async function payout(
  id: string,
  creatorId: string,
  amountCents: number,
  when: number,
  end: "paid" | "failed" | "returned",
): Promise<void> {
  const ref = { payoutId: id, creatorId, provider: "sandbox", amountCents };
  const last =
    end === "failed"
      ? [payoutFailed(ref)]
      : end === "paid"
        ? [payoutPaid(ref)]
        : [payoutPaid(ref), payoutReturned(ref)];
  await ctx.db.insert(payouts).values({
    id,
    creatorId,
    amountCents,
    pixKeyKind: "email",
    pixKey: "a@b.c",
    provider: "sandbox",
    status: "requested",
    requestedAt: when,
  });
  for (const posting of [payoutClaimed(ref), ...last])
    await commit(ctx.db, postingStatements(on(when), posting));
  // At most one payout can be open. Other tests cover the rest of its row.
  await ctx.db.update(payouts).set({ status: "canceled" }).where(eq(payouts.id, id));
}

/**
 * Two years of two creators with all kinds of postings, including the first and last moments of
 * months and years.
 */
beforeAll(async () => {
  ({ ctx } = await testContext());
  const sale = (
    when: number,
    amountCents: number,
    end?: { refundedCents: number } | "disputed" | "lost",
    creatorId = "ana",
  ) => ({ payerId: "bruno", creatorId, amountCents, at: when, ...(end ? { end } : {}) });
  await insertSales(ctx, [
    sale(at("2025-12-31", 23), 5_000),
    sale(at("2026-01-01", 0), 1_990),
    sale(at("2026-01-31", 23), 1_990, { refundedCents: 990 }),
    sale(at("2026-02-01", 0), 3_333, { refundedCents: 3_333 }),
    sale(at("2026-02-10"), 777, "lost"),
    // In an amount this small, the whole refund comes from the fee or from the net.
    sale(at("2026-02-11"), 500, { refundedCents: 1 }),
    sale(at("2026-03-05"), 2_500, "disputed"),
    sale(at("2026-03-05"), 9_900, undefined, "bia"),
    sale(at("2026-12-31", 23), 4_000),
    sale(at("2027-01-01", 0), 6_000),
  ]);
  await commit(
    ctx.db,
    postingStatements(on(at("2026-05-02")), {
      ...chargeSucceeded({
        chargeId: "free",
        creatorId: "ana",
        provider: "sandbox",
        grossCents: 30_000,
        feeCents: 0,
      }),
      chargeId: null,
    }),
  );
  // The available balance, moved by hand from the pending one.
  await commit(
    ctx.db,
    postingStatements(on(at("2026-05-03")), {
      sourceKey: "release:all",
      kind: "charge.released",
      chargeId: null,
      payoutId: null,
      legs: [
        { account: { kind: "creator_pending", ownerId: "ana" }, debitCents: 30_000 },
        { account: { kind: "creator_available", ownerId: "ana" }, debitCents: -30_000 },
      ],
    }),
  );
  await payout("p1", "ana", 10_000, at("2026-06-01"), "paid");
  await payout("p2", "ana", 4_000, at("2026-06-30", 23), "failed");
  await payout("p3", "ana", 3_000, at("2026-07-01", 0), "returned");
  const disputed = await testEnv.DB.prepare(
    "SELECT id, fee_cents, net_cents FROM charges WHERE status = 'disputed' AND creator_id = 'ana'",
  ).first<{ id: string; fee_cents: number }>();
  await commit(
    ctx.db,
    postingStatements(
      on(at("2026-08-08")),
      disputeWon({
        chargeId: disputed?.id ?? "",
        disputeId: disputed?.id ?? "",
        creatorId: "ana",
        provider: "sandbox",
        amountCents: 2_500,
        feeShareCents: disputed?.fee_cents ?? 0,
        waitingCents: 0,
        owedCents: 0,
      }),
    ),
  );
});

/** Sums the ledger entry by entry. Assigns months by the calendar rules in code, not in SQL. */
async function bookMonths(creatorId: string): Promise<Map<string, { held: number; fee: number }>> {
  const { results } = await testEnv.DB.prepare(
    "SELECT e.account_id, e.amount_cents, t.posted_at, t.charge_id, (SELECT creator_id FROM charges WHERE id = t.charge_id) AS creator FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id",
  ).all<{ account_id: string; amount_cents: number; posted_at: number; creator: string | null }>();
  const months = new Map<string, { held: number; fee: number }>();
  for (const entry of results) {
    const isOwn =
      [
        `creator_pending:${creatorId}`,
        `creator_available:${creatorId}`,
        `creator_owed:${creatorId}`,
      ].includes(entry.account_id) ||
      (entry.account_id.startsWith("payout_in_transit:") && creatorId === "ana");
    const isFee = entry.account_id === "platform_fees" && entry.creator === creatorId;
    if (!isOwn && !isFee) continue;
    const month = new Intl.DateTimeFormat("en-CA", {
      timeZone: "America/Sao_Paulo",
      year: "numeric",
      month: "2-digit",
    }).format(entry.posted_at);
    const sum = months.get(month) ?? { held: 0, fee: 0 };
    if (isOwn) sum.held -= entry.amount_cents;
    else sum.fee -= entry.amount_cents;
    months.set(month, sum);
  }
  return months;
}

describe("a creator's earnings of a year", () => {
  test("by month, equal a separate sum of the ledger entries", async () => {
    const { effects } = await creatorEarnings(ctx, { ...year, by: "month" });
    const book = await bookMonths("ana");
    const statement = new Map(
      byBucket(effects).map(({ bucket, figures }) => [
        bucket,
        { held: balanceChange(figures), fee: figures.fee },
      ]),
    );
    const expected = new Map(
      [...book]
        .filter(([month]) => month.startsWith("2026"))
        .toSorted(([a], [b]) => a.localeCompare(b)),
    );
    expect([...statement.keys()]).toEqual([...expected.keys()]);
    expect([...statement]).toEqual([...expected]);
  });

  test("start at the opening balance, end at the closing balance, and explain the difference", async () => {
    const { openingCents, closingCents, effects } = await creatorEarnings(ctx, {
      ...year,
      by: "month",
    });
    expect(openingCents).toBe(4_750);
    expect(closingCents).toBe(openingCents + balanceChange(sumEarningsFigures(effects)));
    const after = await creatorEarnings(ctx, {
      creatorId: "ana",
      from: year.until,
      until: at("2027-02-01"),
      by: "day",
    });
    expect(after.openingCents).toBe(closingCents);
    expect(sumEarningsFigures(after.effects)).toMatchObject({ gross: 6_000, fee: 300, net: 5_700 });
  });

  test("count refunds in the month of the refund, and only payouts that the bank confirmed", async () => {
    const months = Object.fromEntries(
      byBucket((await creatorEarnings(ctx, { ...year, by: "month" })).effects).map(
        ({ bucket, figures }) => [bucket, figures],
      ),
    );
    expect(months["2026-01"]).toMatchObject({ gross: 3_980, returned: 990, paid: 0 });
    expect(months["2026-03"]).toMatchObject({
      gross: 2_500,
      returned: 0,
      disputed: 2_500,
      fee: 0,
      net: 0,
    });
    expect(months["2026-08"]).toMatchObject({ gross: 0, disputed: -2_500, net: 2_375 });
    expect([months["2026-06"]?.paid, months["2026-07"]?.paid]).toEqual([10_000, 0]);
  });

  test("by day sum to the same as by month, and exclude other creators", async () => {
    const [days, months, bia] = await Promise.all([
      creatorEarnings(ctx, { ...year, by: "day" }),
      creatorEarnings(ctx, { ...year, by: "month" }),
      creatorEarnings(ctx, { ...year, creatorId: "bia", by: "month" }),
    ]);
    expect(sumEarningsFigures(days.effects)).toEqual(sumEarningsFigures(months.effects));
    expect(sumEarningsFigures(bia.effects)).toMatchObject({
      gross: 9_900,
      fee: 495,
      net: 9_405,
      paid: 0,
    });
    expect(await creatorEarnings(ctx, { ...year, creatorId: "nobody", by: "month" })).toEqual({
      openingCents: 0,
      closingCents: 0,
      effects: [],
    });
  });
});

test.each(earningsFigureNames)("the rows behind %s sum to it, at any page size", async (figure) => {
  const { effects } = await creatorEarnings(ctx, { ...year, by: "month" });
  let cursor: string | null = null;
  const seen: string[] = [];
  let sumCents = 0;
  do {
    const page: Awaited<ReturnType<typeof earningsFigureRows>> = await earningsFigureRows(ctx, {
      ...year,
      figure,
      cursor,
      limit: 3,
    });
    seen.push(...page.items.map(({ id }) => id));
    sumCents += page.items.reduce((sum, { cents }) => sum + cents, 0);
    expect(page.items.every(({ cents }) => cents !== 0)).toBe(true);
    cursor = page.next;
  } while (cursor !== null);
  expect(sumCents).toBe(sumEarningsFigures(effects)[figure]);
  expect(new Set(seen).size).toBe(seen.length);
});
