import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  eraseExpiredTakers,
  invoiceFees,
  invoiceNextMonth,
  markMonthDelivered,
  notifyLateMonths,
} from "#app/domain/fiscal/commands.server.ts";
import {
  invoiceBatches,
  creatorMonthFee,
  monthFeeRows,
  monthToErase,
  pendingMonths,
} from "#app/domain/fiscal/queries.server.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { invoiceAmounts, lateMessageId, monthDeadline } from "#app/domain/fiscal/rules.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { unreadCount } from "#app/domain/notifications/queries.server.ts";
import { notificationsFor } from "#tests/support/notifications.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { createModerator } from "#tests/support/people.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { crashAtEveryPoint } from "#tests/support/crash-world.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// The postings have no charge rows.
allowBrokenInvariants();

const DAY = 86_400_000;
const run = (query: string) => testEnv.DB.prepare(query).run();

/**
 * A month later than all earlier months of this file. Storage is shared, and a sealed month stays
 * sealed.
 */
let year = 2010;
const freshYear = (): string => String((year += 1));

const on = (ctx: Context, day: string): Context => ({
  ...ctx,
  now: () => instantOfIsoDay(day),
  realNow: () => instantOfIsoDay(day),
});

async function sealUntil(ctx: Context, day: string): Promise<void> {
  while ((await sealNextMonth(on(ctx, day), { digest: sha256Hex })) !== null);
}

async function known(
  ctx: Context,
  creatorId: string,
  taxId: string,
  status: "approved" | "submitted" | "rejected" = "approved",
): Promise<string> {
  const invoiceFile =
    taxId.length === 11
      ? { cpf: taxId }
      : { cpf: "52998224725", cnpj: taxId, companyName: "Lira & Filhos Ltda" };
  await ctx.db.insert(documents).values({
    personId: creatorId,
    status,
    fullName: "Ana Maria Lira",
    birthDate: "1990-01-31",
    submittedAt: 1,
    ...invoiceFile,
  });
  return creatorId;
}

const sale = (
  creatorId: string,
  day: string,
  amountCents: number,
  end?: { refundedCents: number } | "lost",
) => ({
  payerId: "bruno",
  creatorId,
  amountCents,
  at: instantOfIsoDay(day) + DAY / 2,
  ...(end ? { end } : {}),
});
const textOf = async (ctx: Context, month: string, part = 0) => {
  const file = await ctx.fiscal.file({ month, part });
  return file
    ? new TextDecoder("iso-8859-1").decode(await new Response(file.body).arrayBuffer())
    : null;
};
const invoiceAll = async (ctx: Context) => {
  while ((await invoiceNextMonth(ctx)) !== null);
};

// The tests run in order: months are invoiced in order.
describe.sequential("the platform fee", () => {
  test("of a sealed month is invoiced to each creator, equal to the ledger, numbered in order, and submitted", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    const ana = await known(ctx, `ana-${y}`, "11144477735");
    const company = await known(ctx, `bia-${y}`, "12ABC34501DE35");
    await insertSales(ctx, [
      sale(ana, `${y}-01-05`, 10_000),
      sale(ana, `${y}-01-06`, 10_000, { refundedCents: 5_000 }),
      sale(company, `${y}-01-31`, 2_000),
      sale(`unknown-${y}`, `${y}-01-10`, 1_000),
      sale(`lost-${y}`, `${y}-01-10`, 9_000, "lost"),
      sale(ana, `${y}-02-01`, 4_000),
    ]);
    await invoiceFees(on(ctx, `${y}-01-31`));
    expect(await invoiceBatches(ctx)).toEqual([]);
    await sealUntil(ctx, `${y}-02-02`);
    await invoiceFees(on(ctx, `${y}-02-02`));
    const [batch] = await invoiceBatches(ctx);
    expect(batch).toMatchObject({
      month: `${y}-01`,
      feesCents: 500 + 250 + 100 + 50,
      bookCents: 900,
      invoicedCents: 850,
      leftCents: 50,
      invoicesCount: 2,
      firstNumber: 1,
      lastNumber: 2,
      filesHandedIn: 1,
      issuedOn: `${y}-02-02`,
    });
    expect(
      (await monthFeeRows(ctx, { month: `${y}-01`, after: "", limit: 10 })).map(
        ({ creatorId, invoicedCents, leftCents, number }) => [
          creatorId,
          invoicedCents,
          leftCents,
          number,
        ],
      ),
    ).toEqual([
      [ana, 750, 0, 1],
      [company, 100, 0, 2],
      [`unknown-${y}`, 0, 50, null],
    ]);
    const lines = (await textOf(ctx, `${y}-01`))?.split("\r\n") ?? [];
    expect(lines).toHaveLength(5);
    expect(lines[2]).toContain("12ABC34501DE35");
    expect(lines[3]).toBe(`90000002${"850".padStart(15, "0")}${"0".repeat(15)}`);
    expect(
      (await invariantFindings(ctx)).find(({ name }) => name === "fees_invoiced")?.rows,
    ).toEqual([]);
  });

  test("refunded in a later month reduces that month's invoice, and a negative rest is carried over", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    const ana = await known(ctx, `ana-${y}`, "39053344705");
    await insertSales(ctx, [sale(ana, `${y}-01-05`, 10_000)]);
    // A refund in February of a January sale, and a small sale after it.
    const [charge] = await ctx.db
      .select({ id: charges.id })
      .from(charges)
      .where(eq(charges.creatorId, ana));
    const legs = [
      { account: { kind: "platform_fees", ownerId: null }, debitCents: 400 } as const,
      { account: { kind: "provider_clearing", ownerId: "sandbox" }, debitCents: -400 } as const,
    ];
    await commit(
      ctx.db,
      postingStatements(on(ctx, `${y}-02-10`), {
        sourceKey: `back-${y}`,
        kind: "charge.refunded",
        chargeId: charge?.id ?? "",
        payoutId: null,
        legs,
      }),
    );
    await insertSales(ctx, [sale(ana, `${y}-02-11`, 2_000), sale(ana, `${y}-03-11`, 10_000)]);
    await sealUntil(ctx, `${y}-04-02`);
    await invoiceAll(on(ctx, `${y}-04-02`));
    const notifications = await Promise.all(
      ["01", "02", "03"].map((month) =>
        creatorMonthFee(ctx, { month: `${y}-${month}`, creatorId: ana }),
      ),
    );
    expect(
      notifications.map(
        (fee) => fee && [fee.feeCents, fee.carriedCents, fee.invoicedCents, fee.leftCents],
      ),
    ).toEqual([
      [500, 0, 500, 0],
      [-300, 0, 0, -300],
      [500, -300, 200, 0],
    ]);
    const { results } = await testEnv.DB.prepare(
      "SELECT number FROM fiscal_fees WHERE number IS NOT NULL ORDER BY number",
    ).all<{ number: number }>();
    expect(results.map(({ number }) => number)).toEqual(results.map((_, index) => index + 1));
    expect(
      (await invoiceBatches(ctx)).every(({ feesCents, bookCents }) => feesCents === bookCents),
    ).toBe(true);
  });

  test("is not invoiced until the documents are approved: a rejected tax id is on no invoice", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    const [refused, unread] = [
      await known(ctx, `refused-${y}`, "15350946056", "rejected"),
      await known(ctx, `unread-${y}`, "12345678909", "submitted"),
    ];
    await insertSales(ctx, [
      sale(refused, `${y}-01-05`, 10_000),
      sale(unread, `${y}-01-06`, 2_000),
    ]);
    await sealUntil(ctx, `${y}-02-02`);
    await invoiceAll(on(ctx, `${y}-02-02`));
    const fee = (creatorId: string, month: string) =>
      creatorMonthFee(ctx, { month: `${y}-${month}`, creatorId });
    expect([await fee(refused, "01"), await fee(unread, "01")]).toMatchObject([
      { invoicedCents: 0, leftCents: 500, number: null },
      { invoicedCents: 0, leftCents: 100, number: null },
    ]);
    expect(
      (await monthFeeRows(ctx, { month: `${y}-01`, after: "", limit: 100 })).map(
        ({ name }) => name,
      ),
    ).not.toContain("Ana Maria Lira");
    await ctx.db.delete(documents).where(eq(documents.personId, refused));
    await known(ctx, refused, "15350946056");
    await sealUntil(ctx, `${y}-03-02`);
    await invoiceAll(on(ctx, `${y}-03-02`));
    expect([await fee(refused, "02"), await fee(unread, "02")]).toMatchObject([
      { carriedCents: 500, invoicedCents: 500, leftCents: 0 },
      { carriedCents: 100, invoicedCents: 0, leftCents: 100 },
    ]);
  });

  test("is split equally by SQL and by the rule", async () => {
    const { results } = await testEnv.DB.prepare(
      "SELECT fee_cents, carried_cents, invoiced_cents, left_cents, tax_id FROM fiscal_fees",
    ).all<Record<string, number | null>>();
    expect(results.length).toBeGreaterThan(5);
    for (const row of results) {
      expect(
        invoiceAmounts({
          feeCents: row.fee_cents ?? 0,
          carriedCents: row.carried_cents ?? 0,
          hasTaxId: row.tax_id !== null,
        }),
      ).toEqual({ invoicedCents: row.invoiced_cents, leftCents: row.left_cents });
    }
  });

  test("is invoiced once by concurrent runs", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    const later = on(ctx, `${y}-02-02`);
    await insertSales(ctx, [
      sale(await known(ctx, `ana-${y}`, "98765432100"), `${y}-01-05`, 10_000),
    ]);
    await sealUntil(ctx, `${y}-01-02`);
    await invoiceAll(later);
    await sealUntil(ctx, `${y}-02-02`);
    for (let round = 0; round < 2; round += 1)
      await Promise.all([invoiceFees(later), invoiceFees(later), invoiceFees(later)]);
    const { results } = await testEnv.DB.prepare(
      `SELECT COUNT(*) AS n FROM fiscal_fees WHERE creator_id = 'ana-${y}' AND number IS NOT NULL`,
    ).all<{ n: number }>();
    expect(results[0]?.n).toBe(1);
    expect((await invoiceBatches(ctx)).filter(({ handedInAt }) => handedInAt === null)).toEqual([]);
  });

  test("is invoiced once and submitted completely after a crash at any point", async () => {
    const died = await crashAtEveryPoint(async (at) => {
      const points = crashPoints(undefined, { both: true });
      const { ctx } = await testContext({ database: points.database });
      (ctx as { fiscal: Context["fiscal"] }).fiscal = points.port(ctx.fiscal);
      const y = freshYear();
      const later = on(ctx, `${y}-02-02`);
      const creator = await known(ctx, `mortal-${y}`, String(20_000_000_000 + at));
      await insertSales(ctx, [sale(creator, `${y}-01-05`, 10_000)]);
      await sealUntil(ctx, `${y}-01-02`);
      await invoiceAll(later);
      await sealUntil(ctx, `${y}-02-02`);
      points.arm(at);
      const end = await survives(points, () => invoiceFees(later));
      points.disarm();
      // The next run of the cron, and one more.
      await invoiceFees(on(ctx, `${y}-02-03`));
      await invoiceFees(on(ctx, `${y}-02-03`));
      const fee = await creatorMonthFee(ctx, { month: `${y}-01`, creatorId: creator });
      expect(fee).toMatchObject({ feeCents: 500, invoicedCents: 500, leftCents: 0 });
      const [batch] = await invoiceBatches(ctx);
      expect(batch).toMatchObject({
        month: `${y}-01`,
        invoicesCount: 1,
        firstNumber: fee?.number,
        filesHandedIn: 1,
        handedInAt: expect.any(Number),
      });
      expect((await textOf(ctx, `${y}-01`))?.split("\r\n")[1]).toContain(
        `RPS  CORET${String(fee?.number).padStart(12, "0")}${fee?.issuedOn.replaceAll("-", "")}`,
      );
      return end;
    });
    expect(died).toBeGreaterThan(4);
    const { results } = await testEnv.DB.prepare(
      "SELECT number FROM fiscal_fees WHERE number IS NOT NULL ORDER BY number",
    ).all<{ number: number }>();
    expect(results.map(({ number }) => number)).toEqual(results.map((_, index) => index + 1));
  });

  test("not submitted to the city hall is notified to staff once, seven days after the deadline", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    await insertSales(ctx, [
      sale(await known(ctx, `late-${y}`, "19000000001"), `${y}-01-05`, 10_000),
    ]);
    await sealUntil(ctx, `${y}-02-02`);
    await invoiceAll(on(ctx, `${y}-02-02`));
    await invoiceFees(on(ctx, `${y}-02-02`));
    const staff = (await createModerator(ctx)).id;
    const notifications = async () =>
      (await ctx.db.select().from(outbox).where(eq(outbox.type, "fiscal.late"))).filter(
        ({ payload }) => payload["month"] === `${y}-01`,
      );
    const notify = async (day: string) =>
      await notifyLateMonths(on(ctx, day), { moderatorIds: async () => [staff] });
    await notify(`${y}-02-18`);
    expect(await notifications()).toEqual([]);
    await notify(`${y}-02-19`);
    await notify(`${y}-02-20`);
    const [message, ...more] = await notifications();
    expect([message?.payload["why"], message?.payload["dueOn"], more]).toEqual([
      "not_taken",
      `${y}-02-12`,
      [],
    ]);
    expect(notificationsFor(message?.payload as OutboxMessage)).toMatchObject([
      {
        personId: staff,
        path: `/admin/fiscal/${y}-01`,
        mail: { subject: "As notas da taxa estão atrasadas" },
      },
    ]);
    await deliverOutboxMessage(ctx, { outboxId: message?.id ?? "" });
    const unread = async () => await unreadCount(ctx, { personId: staff });
    expect([await unread(), monthDeadline({ month: `${y}-01`, issuedOn: `${y}-02-02` })]).toEqual([
      1,
      message?.payload["dueOn"],
    ]);
    await markMonthDelivered(ctx, { month: `${y}-01`, moderatorId: staff });
    expect(await unread(), "it asks for nothing any more").toBe(0);
    expect((await pendingMonths(ctx)).batches.map(({ month }) => month)).not.toContain(`${y}-01`);
  });

  test("not written yet names the day that the page names, and clears once its files are written", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    await sealUntil(ctx, `${y}-01-02`);
    await invoiceAll(on(ctx, `${y}-01-02`));
    await insertSales(ctx, [
      sale(await known(ctx, `unwritten-${y}`, "19000000003"), `${y}-01-05`, 10_000),
    ]);
    await sealUntil(ctx, `${y}-02-02`);
    const staff = (await createModerator(ctx)).id;
    await notifyLateMonths(on(ctx, `${y}-02-20`), { moderatorIds: async () => [staff] });
    const late = (await ctx.db.select().from(outbox).where(eq(outbox.type, "fiscal.late"))).filter(
      ({ payload }) => (payload["moderatorIds"] as string[]).includes(staff),
    );
    expect(late.map(({ payload }) => payload["dueOn"])).toContain(
      monthDeadline({ month: `${y}-01`, issuedOn: null }),
    );
    for (const { id } of late) await deliverOutboxMessage(ctx, { outboxId: id });
    expect(await unreadCount(ctx, { personId: staff })).toBe(late.length);
    await invoiceAll(on(ctx, `${y}-02-20`));
    await invoiceFees(on(ctx, `${y}-02-20`));
    expect(await unreadCount(ctx, { personId: staff })).toBe(0);
  });

  test("not written yet is told to nobody when its files are written before the delivery", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    await sealUntil(ctx, `${y}-01-02`);
    await invoiceAll(on(ctx, `${y}-01-02`));
    await insertSales(ctx, [
      sale(await known(ctx, `in-time-${y}`, "19000000009"), `${y}-01-05`, 10_000),
    ]);
    await sealUntil(ctx, `${y}-02-02`);
    const staff = (await createModerator(ctx)).id;
    await notifyLateMonths(on(ctx, `${y}-02-20`), { moderatorIds: async () => [staff] });
    const outboxId = lateMessageId(`${y}-01`, "not_written");
    expect(await ctx.db.$count(outbox, eq(outbox.id, outboxId))).toBe(1);
    await invoiceAll(on(ctx, `${y}-02-20`));
    await invoiceFees(on(ctx, `${y}-02-20`));
    await deliverOutboxMessage(ctx, { outboxId });
    expect(await unreadCount(ctx, { personId: staff })).toBe(0);
  });

  test("names its recipient for five years: then files, names and tax ids are erased, and totals and invoices stay", async () => {
    const { ctx } = await testContext();
    const y = freshYear();
    year += 5;
    const later = freshYear();
    const creator = await known(ctx, `kept-${y}`, "19000000002");
    await insertSales(ctx, [
      sale(creator, `${y}-12-05`, 10_000),
      sale(creator, `${later}-01-05`, 10_000),
    ]);
    await sealUntil(ctx, `${y}-12-31`);
    await invoiceAll(on(ctx, `${y}-12-31`));
    await sealUntil(ctx, `${Number(y) + 1}-01-02`);
    await invoiceFees(on(ctx, `${Number(y) + 1}-01-02`));
    const forgetAll = async () => {
      for (let runs = 0; runs < 100 && (await monthToErase(ctx)) !== null; runs += 1)
        await eraseExpiredTakers(ctx);
    };
    const takers = async () =>
      (await testEnv.DB.prepare(
        "SELECT taker_name AS name, tax_id AS taxId, number, invoiced_cents AS cents FROM fiscal_fees WHERE month = ?",
      )
        .bind(`${y}-12`)
        .first<{ name: string | null; taxId: string | null; number: number; cents: number }>()) ??
      null;
    await sealUntil(ctx, `${Number(later) - 1}-12-31`);
    await invoiceAll(on(ctx, `${Number(later) - 1}-12-31`));
    await forgetAll();
    const before = await takers();
    expect([before, await textOf(ctx, `${y}-12`)]).toEqual([
      { name: "Ana Maria Lira", taxId: "19000000002", number: expect.any(Number), cents: 500 },
      expect.stringContaining("19000000002"),
    ]);
    await expect(
      run(
        `UPDATE fiscal_fees SET taker_name = NULL, tax_kind = NULL, tax_id = NULL WHERE month = '${y}-12'`,
      ),
    ).rejects.toThrow("immutable_invoice");
    await sealUntil(ctx, `${later}-02-02`);
    await invoiceAll(on(ctx, `${later}-02-02`));
    await forgetAll();
    expect([await takers(), await textOf(ctx, `${y}-12`)]).toEqual([
      { ...before, name: null, taxId: null },
      null,
    ]);
    expect(
      (await monthFeeRows(ctx, { month: `${y}-12`, after: "", limit: 10 }))
        .filter(({ creatorId }) => creatorId === creator)
        .map(({ name, invoicedCents }) => [name, invoicedCents]),
    ).toEqual([[null, 500]]);
    await expect(
      run(`UPDATE fiscal_fees SET taker_name = 'x' WHERE month = '${y}-12'`),
    ).rejects.toThrow("immutable_invoice");
  });

  test.each([
    ["an invoice changed", "UPDATE fiscal_fees SET invoiced_cents = 1, left_cents = 1"],
    ["an invoice deleted", "DELETE FROM fiscal_fees"],
    [
      "an invoice replaced",
      "INSERT OR REPLACE INTO fiscal_fees SELECT month, creator_id, 1, 0, 1, 0, number, taker_name, tax_kind, tax_id FROM fiscal_fees WHERE number = 1",
    ],
    ["a month changed", "UPDATE fiscal_batches SET fees_cents = 0"],
    ["a month deleted", "DELETE FROM fiscal_batches"],
    [
      "a month that is not sealed",
      "INSERT INTO fiscal_batches SELECT '2099-01', starts_at, ends_at, fees_cents, invoiced_cents, left_cents, 0, NULL, NULL, issued_on, 0, 1, NULL, NULL, NULL FROM fiscal_batches LIMIT 1",
    ],
    ["a month handed in by nobody", "UPDATE fiscal_batches SET taken_at = 1"],
    [
      "a file written after the last",
      "UPDATE fiscal_batches SET files_handed_in = files_handed_in + 1",
    ],
    [
      "a number left out",
      "INSERT INTO fiscal_fees VALUES ('2099-01', 'x', 1, 0, 1, 0, 999999, 'x', 'cpf', '1')",
    ],
    [
      "money lost between months",
      "INSERT INTO fiscal_fees VALUES ('2099-01', 'x', 5, 0, 0, 4, NULL, NULL, NULL, NULL)",
    ],
  ])("the database refuses %s", async (_, query) => {
    await expect(run(query)).rejects.toThrow("immutable_invoice");
  });
});
