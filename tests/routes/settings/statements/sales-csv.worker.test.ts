import { beforeAll, describe, expect, test } from "vitest";
import { saveBillingDetails } from "#app/domain/billing/details/commands.server.ts";
import { salesToInvoice } from "#app/domain/billing/statements/queries/sales.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS, instantOfIsoDay } from "#app/domain/time.ts";
import * as details from "#app/routes/settings/billing/billing-details.tsx";
import * as salesFile from "#app/routes/settings/statements/sales-csv.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { eq } from "drizzle-orm";

// These sales are inserted directly, without purchases behind them, so some invariants do not
// hold.
allowBrokenInvariants();

const HERE = "/settings/transactions/vendas.csv";
const routes = callRoutesAs([
  { path: "settings/transactions/vendas.csv", module: salesFile },
  { path: "settings/billing/details", module: details },
]);
const address = {
  cep: "50050000",
  street: "Rua da Aurora",
  number: "1",
  complement: "",
  district: "Boa Vista",
  city: "Recife",
  state: "PE",
} as const;

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
let clara: TestPerson;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });
const noon = (day: string) => instantOfIsoDay(day) + 43_200_000;
const linesAt = async (query = "") =>
  (await (await routes.get(asAna(), HERE + query)).text()).trim().split("\r\n").slice(1);

beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  [bruno, clara] = [await createPerson(ctx, "=Bruno"), await createPerson(ctx, "Clara")];
  await saveBillingDetails(
    { ...ctx, now: () => noon("2026-03-01") },
    {
      personId: bruno.id,
      details: { taxKind: "cnpj", taxId: "12ABC34501DE35", name: "+Bruno; Reis ME", ...address },
      wantsInvoice: true,
    },
  );
  await saveBillingDetails(ctx, {
    personId: clara.id,
    details: { taxKind: "cpf", taxId: "52998224725", name: "Clara Prado", ...address },
    wantsInvoice: false,
  });
  await insertSales(ctx, [
    { payerId: bruno.id, creatorId: ana.id, amountCents: 10_000, at: noon("2026-03-02") },
    {
      payerId: clara.id,
      creatorId: ana.id,
      amountCents: 2_000,
      at: noon("2026-03-03"),
      end: { refundedCents: 500 },
    },
    {
      payerId: bruno.id,
      creatorId: ana.id,
      amountCents: 1_000,
      at: noon("2026-04-03"),
      end: "lost",
    },
    {
      payerId: bruno.id,
      creatorId: ana.id,
      amountCents: 1_000,
      at: noon("2026-04-03"),
      end: "failed",
    },
    { payerId: bruno.id, creatorId: clara.id, amountCents: 7_777, at: noon("2026-03-03") },
  ]);
});

describe("sales spreadsheet for invoicing", () => {
  test("has one line for each sale, oldest first, with refunds, fee and net", async () => {
    const cells = (await linesAt()).map(
      (line) =>
        line.match(/("(?:[^"]|"")*"|[^;]*)(;|$)/g)?.map((cell) => cell.replace(/;$/, "")) ?? [],
    );
    expect(cells.map((line) => [line[0], ...line.slice(6, 12)])).toEqual([
      ["02/03/2026 12:00", expect.any(String), "100,00", "0,00", "0,00", "5,00", "95,00"],
      ["03/03/2026 12:00", expect.any(String), "20,00", "5,00", "0,00", "0,75", "14,25"],
      ["03/04/2026 12:00", expect.any(String), "10,00", "0,00", "10,00", "0,00", "0,00"],
    ]);
  });

  test("names payers who asked for invoices only, and escapes formulas", async () => {
    const [first = "", second = ""] = await linesAt();
    expect(first).toContain(`;'=Bruno;"'+Bruno; Reis ME";12.ABC.345/01DE-35;`);
    expect(second).toContain(";Clara;;;");
    expect(second).not.toMatch(/Prado|529/);
  });

  test("shows a payer's whole CPF to the seller and a masked one to their team", async () => {
    const eva = await createPerson(ctx, "Eva");
    await saveBillingDetails(
      { ...ctx, now: () => noon("2026-02-01") },
      {
        personId: eva.id,
        details: { taxKind: "cpf", taxId: "39053344705", name: "Eva Lima", ...address },
        wantsInvoice: true,
      },
    );
    const seller = await createSeller(ctx);
    await insertSales(ctx, [
      { payerId: eva.id, creatorId: seller.id, amountCents: 1_000, at: noon("2026-02-03") },
      { payerId: bruno.id, creatorId: seller.id, amountCents: 1_000, at: noon("2026-03-03") },
    ]);
    const made = await createTeamFor(ctx, seller);
    const admin = await createTeammate(ctx, made, "admin", { mayManageBilling: true });
    const fileOf = async (caller: ActingCaller) => await (await routes.get(caller, HERE)).text();
    expect(await fileOf({ person: seller, isCreator: true })).toContain("Eva Lima;390.533.447-05");
    const theirs = await fileOf({ person: admin, teamId: made.teamId });
    expect(theirs).toContain("Eva Lima;***.533.447-**");
    expect(theirs).not.toContain("390.533.447-05");
    // A company's tax id is public.
    expect(theirs).toContain("12.ABC.345/01DE-35");
  });

  test("leaves out a creator's payment of their own debt", async () => {
    const before = await linesAt();
    const [id = ""] = await insertSales(ctx, [
      { payerId: bruno.id, creatorId: ana.id, amountCents: 3_333, at: noon("2026-03-04") },
    ]);
    expect(await linesAt()).toHaveLength(before.length + 1);
    await ctx.db.update(charges).set({ purchaseKind: "debt" }).where(eq(charges.id, id));
    expect(await linesAt()).toEqual(before);
  });

  test("holds only the days of the filter", async () => {
    expect(await linesAt("?from=2026-03-03&until=2026-03-31")).toHaveLength(1);
    expect(await linesAt("?from=2027-01-01")).toHaveLength(0);
  });

  test.each([1, 2, 3, 10])("is the same read in pages of %i", async (pageRows) => {
    const ids: string[] = [];
    for await (const page of salesToInvoice(ctx, {
      creatorId: ana.id,
      from: null,
      until: null,
      pageRows,
      most: 100,
    }))
      ids.push(...page.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  });

  test("is refused to team roles without billing, and empty for members without sales", async () => {
    const made = await createTeamFor(ctx, ana);
    expect(
      await responseOutcome(
        routes.get({ person: await createTeammate(ctx, made), teamId: made.teamId }, HERE),
      ),
    ).toBe("403");
    expect(
      (await (await routes.get({ person: bruno }, HERE)).text()).trim().split("\r\n"),
    ).toHaveLength(1);
  });
});

test("the payer asks for invoices in the billing details, and can withdraw the request", async () => {
  const dora = await createPerson(ctx, "Dora");
  const before = noon("2026-05-02");
  const [today, tomorrow] = [ctx.now() - 60_000, ctx.now() + DAY_MS];
  await insertSales(
    ctx,
    [before, today, tomorrow].map((at) => ({
      payerId: dora.id,
      creatorId: ana.id,
      amountCents: 1_500,
      at,
    })),
  );
  const dorasLines = async () =>
    (await linesAt("?from=2026-05-01")).filter((line) => line.includes(";Dora;"));
  const fields = { taxId: "390.533.447-05", name: "Dora Lima", ...address };
  const save = (more: Record<string, string>) =>
    routes.post({ person: dora }, "/settings/billing/details", { ...fields, ...more });
  expect(await responseOutcome(save({ wantsInvoice: "yes" }))).toBe("302");
  // The data appears only on sales after the request.
  expect((await dorasLines()).map((line) => line.includes("Dora Lima;390.533.447-05"))).toEqual([
    false,
    false,
    true,
  ]);
  expect(await routes.read({ person: dora }, "/settings/billing/details")).toMatchObject({
    wantsInvoice: true,
  });
  expect(await responseOutcome(save({}))).toBe("302");
  expect((await dorasLines()).map((line) => line.includes("390"))).toEqual([false, false, false]);
});
