import { PDFDocument } from "@cantoo/pdf-lib";
import { beforeAll, describe, expect, test } from "vitest";
import { EXAMPLE_COMPANY } from "#app/configuration/company.ts";
import { buildReceipt, receiptDocument } from "#app/components/payments/receipt.ts";
import type { ReceiptSource } from "#app/components/payments/receipt.ts";
import { requestPaymentCoolingOffRefund } from "#app/domain/billing/refunds/commands/cooling-off.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { documentPdf } from "#app/http/files/document-pdf.server.ts";
import { toPrintable } from "#app/http/files/pdf-writer.server.ts";
import * as receipt from "#app/routes/settings/purchases/receipt.tsx";
import * as receiptFile from "#app/routes/settings/purchases/receipt-pdf.ts";
import * as refund from "#app/routes/settings/sales/transaction-refund.tsx";
import * as regret from "#app/routes/settings/sales/transaction-withdrawal.tsx";
import * as transaction from "#app/routes/settings/sales/transaction.tsx";
import * as sheet from "#app/routes/settings/sales/transactions-csv.ts";
import * as transactions from "#app/routes/settings/sales/transactions.tsx";
import { transactionTotals } from "#drizzle/schema/billing.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { insertSales } from "#tests/support/transactions.ts";

const routes = callRoutesAs([
  { path: "settings/transactions", module: transactions },
  { path: "settings/transactions/planilha.csv", module: sheet },
  { path: "settings/transactions/:id", module: transaction },
  { path: "settings/transactions/:id/refund", module: refund },
  { path: "settings/transactions/:id/regret", module: regret },
  { path: "settings/transactions/:id/recibo", module: receipt },
  { path: "settings/transactions/:id/recibo.pdf", module: receiptFile },
]);

let world: World;
let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
let charge: Charge;
let sessionCookie: string;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true, sessionCookie });
const asBruno = (): ActingCaller => ({ person: bruno });
const pathOf = (id: string, rest = "") => `/settings/transactions/${id}${rest}`;
const json = async (answer: Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;

beforeAll(async () => {
  world = await testContext();
  ctx = world.ctx;
  sessionCookie = await memberCookies(signUpFields());
  ana = await createSeller(ctx, { amountCents: 1_000 });
  bruno = await createPerson(ctx, "Bruno Ação");
  charge = await paidSubscription(world, bruno, ana);
});

describe("access to a payment", () => {
  const parts = ["", "/refund", "/regret", "/recibo", "/recibo.pdf"];
  test.each(parts)("others get 404 at %j", async (rest) => {
    const stranger = { person: await createPerson(ctx) };
    expect(await responseOutcome(routes.get(stranger, pathOf(charge.id, rest)))).toBe("404");
    expect(
      await responseOutcome(
        routes.get({ person: await createSeller(ctx), isCreator: true }, pathOf(charge.id, rest)),
      ),
    ).toBe("404");
    expect(await responseOutcome(routes.get(stranger, pathOf("0".repeat(32), rest)))).toBe("404");
    expect(await responseOutcome(routes.get(stranger, pathOf("' OR 1=1 --", rest)))).toBe("404");
  });
  test("others cannot refund it or request a cooling-off refund", async () => {
    const stranger = { person: await createPerson(ctx) };
    expect(
      await responseOutcome(
        routes.post(stranger, pathOf(charge.id, "/refund"), {
          refundId: "a".repeat(32),
          amountCents: "100",
        }),
      ),
    ).toBe("404");
    expect(await responseOutcome(routes.post(stranger, pathOf(charge.id, "/regret"), {}))).toBe(
      "404",
    );
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      refundedCents: 0,
      status: "succeeded",
    });
  });
  test("the payer, the seller, their team's billing roles and staff see it, each with their role", async () => {
    const made = await createTeamFor(ctx, ana);
    const admin = {
      person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    const basic = { person: await createTeammate(ctx, made, "basic_member"), teamId: made.teamId };
    const staff = { person: await createModerator(ctx), isModerator: true };
    const sides = await Promise.all(
      [asBruno(), asAna(), admin, staff].map(
        async (caller) => (await json(routes.get(caller, pathOf(charge.id)))).side,
      ),
    );
    expect(sides).toEqual(["payer", "seller", "seller", "moderation"]);
    expect(await responseOutcome(routes.get(basic, pathOf(charge.id)))).toBe("403");
    for (const rest of ["/refund", "/recibo", "/recibo.pdf"])
      expect(await responseOutcome(routes.get(basic, pathOf(charge.id, rest)))).toBe("403");
    expect(await responseOutcome(routes.get(admin, pathOf(charge.id, "/refund")))).toBe("200");
    expect(await responseOutcome(routes.get(staff, pathOf(charge.id, "/refund")))).toBe("200");
  });
  test("an unpaid charge is visible to its payer only, and has no receipt", async () => {
    const { chargeId } = await pixCheckout(world, await createPerson(ctx, "Caio"), ana);
    expect(await responseOutcome(routes.get(asAna(), pathOf(chargeId)))).toBe("404");
    const row = await chargeRow(ctx, { chargeId });
    const caio = { person: { ...bruno, id: row?.payerId ?? "" } };
    expect(await responseOutcome(routes.get(caio, pathOf(chargeId)))).toBe("200");
    expect(await responseOutcome(routes.get(caio, pathOf(chargeId, "/recibo")))).toBe("404");
    expect(await responseOutcome(routes.get(caio, pathOf(chargeId, "/recibo.pdf")))).toBe("404");
  });
});

describe("tax id of the seller", () => {
  test("is masked on the page, and whole on the payer's receipt", async () => {
    const page = JSON.stringify(await json(routes.get(asBruno(), pathOf(charge.id))));
    const paper = JSON.stringify(await json(routes.get(asBruno(), pathOf(charge.id, "/recibo"))));
    expect(page).toMatch(/"name":"Ana Maria Lira","taxIdShown":"CPF \*\*\*\.\d{3}\.\d{3}-\*\*/);
    expect(page).not.toMatch(/\d{3}\.\d{3}\.\d{3}-\d{2}|\b\d{11}\b/);
    expect(paper).toMatch(/\d{3}\.\d{3}\.\d{3}-\d{2}/);
  });
  test("masked for the seller's team, on the receipt too; whole for the seller", async () => {
    const bia = await createSeller(ctx);
    const sale = await paidSubscription(world, await createPerson(ctx), bia);
    const made = await createTeamFor(ctx, bia);
    const admin = {
      person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    const readBy = async (caller: ActingCaller) =>
      JSON.stringify(await json(routes.get(caller, pathOf(sale.id, "/recibo"))));
    expect(await readBy({ person: bia, isCreator: true })).toMatch(/\d{3}\.\d{3}\.\d{3}-\d{2}/);
    const masked = await readBy(admin);
    expect(masked).toMatch(/\*\*\*\.\d{3}\.\d{3}-\*\*/);
    expect(masked).not.toMatch(/\d{3}\.\d{3}\.\d{3}-\d{2}|\b\d{11}\b/);
  });
});

describe("refund form", () => {
  test("asks for the amount, previews the refund, and names an invalid amount", async () => {
    const asked = async (amount: string) =>
      json(routes.get(asAna(), pathOf(charge.id, `/refund?amount=${encodeURIComponent(amount)}`)));
    expect(await json(routes.get(asAna(), pathOf(charge.id, "/refund")))).toMatchObject({
      leftCents: 1_000,
      preview: null,
      amountProblem: null,
      problem: null,
    });
    expect(await asked("4,00")).toMatchObject({
      preview: {
        amountCents: 400,
        feeCents: 20,
        pendingCents: 380,
        availableCents: 0,
        owedCents: 0,
        isWhole: false,
      },
    });
    expect(await asked("10,01")).toMatchObject({
      preview: null,
      amountProblem: "É mais do que resta desta cobrança.",
      typed: "10,01",
    });
    expect(await asked("muito")).toMatchObject({
      preview: null,
      amountProblem: "Escreva o valor assim: 19,90.",
    });
  });
  test("redirects the payer to the payment page", async () => {
    expect(await responseOutcome(routes.get(asBruno(), pathOf(charge.id, "/refund")))).toBe("302");
  });
  test("refuses more than the rest and a tampered form, and refunds nothing", async () => {
    const answer = await routes.post(asAna(), pathOf(charge.id, "/refund"), {
      refundId: ctx.newId(),
      amountCents: "1001",
      reason: "Oi",
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: { amountCents: "É mais do que resta desta cobrança." },
      values: { reason: "Oi" },
    });
    expect(
      await responseOutcome(
        routes.post(asAna(), pathOf(charge.id, "/refund"), { refundId: "x", amountCents: "-5" }),
      ),
    ).toBe("400");
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({ refundedCents: 0 });
  });
});

describe("payment statement", () => {
  test("opens on received payments for a creator and on paid ones for others, who can switch", async () => {
    expect(await json(routes.get(asAna(), "/settings/transactions"))).toMatchObject({
      face: "received",
      hasBothFaces: true,
      totals: { amountCents: 1_000, netCents: 950 },
    });
    expect(await json(routes.get(asAna(), "/settings/transactions?face=paid"))).toMatchObject({
      face: "paid",
      items: [],
    });
    expect(await json(routes.get(asBruno(), "/settings/transactions"))).toMatchObject({
      face: "paid",
      hasBothFaces: false,
      totals: { amountCents: 1_000 },
    });
  });
  test("shows a team member what the page received only", async () => {
    const made = await createTeamFor(ctx, await createSeller(ctx));
    const admin = {
      person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    expect(await json(routes.get(admin, "/settings/transactions?face=paid"))).toMatchObject({
      face: "received",
      hasBothFaces: false,
    });
  });
  test("names an unknown username beside its field", async () => {
    expect(
      await json(routes.get(asAna(), "/settings/transactions?person=@nao.existe")),
    ).toMatchObject({ items: [], errors: { person: "Ninguém tem esse nome de usuário." } });
    expect(
      await json(routes.get(asAna(), `/settings/transactions?person=${bruno.username}`)),
    ).toMatchObject({ items: [{ id: charge.id }], errors: {} });
  });
});

describe("statement spreadsheet", () => {
  test("holds every filtered payment, page by page, in the Brazilian format, with formulas escaped", async () => {
    const caro = await createSeller(ctx);
    const evil = await createPerson(ctx, '=HYPERLINK("http://x";"clique")');
    await insertSales(
      ctx,
      Array.from({ length: 601 }, (_, index) => ({
        payerId: evil.id,
        creatorId: caro.id,
        amountCents: 1_000 + index,
        at: Date.UTC(2026, 9, 1) + index,
      })),
    );
    const answer = await routes.get(
      { person: caro, isCreator: true },
      "/settings/transactions/planilha.csv?method=pix",
    );
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="coreto-extrato-recebimentos-\d{4}-\d{2}-\d{2}\.csv"$/,
    );
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).split("\r\n");
    expect(lines).toHaveLength(603);
    expect(lines[1]).toContain(`;"'=HYPERLINK(""http://x"";""clique"")";`);
    expect(lines[1]).toContain(";16,00;0,00;0,00;0,80;15,20;");
    expect(lines.at(-1)).toBe("");
  });
  test("is refused above 100,000 payments, with a hint to choose a shorter period", async () => {
    const rich = await createPerson(ctx);
    const zero = { amountCents: 0, refundedCents: 0, disputedCents: 0, feeCents: 0, netCents: 0 };
    await ctx.db.insert(transactionTotals).values({
      personId: rich.id,
      face: "paid",
      day: 20_000,
      state: "paid",
      method: "pix",
      kind: "post",
      count: 100_001,
      ...zero,
    });
    const answer = await routes.get({ person: rich }, "/settings/transactions/planilha.csv");
    expect([answer.status, await answer.text()]).toEqual([
      413,
      "São mais de 100.000 pagamentos. Volte ao extrato e escolha um período menor.",
    ]);
    expect(
      (await routes.get({ person: rich }, "/settings/transactions/planilha.csv?until=2020-01-01"))
        .status,
    ).toBe(200);
  });
  test("of a member without payments has only its header", async () => {
    const text = await (
      await routes.get({ person: await createPerson(ctx) }, "/settings/transactions/planilha.csv")
    ).text();
    expect(text.split("\r\n")).toHaveLength(2);
  });
});

describe("payment receipt", () => {
  const facts = (answer: Record<string, unknown>) => JSON.stringify(answer);
  test("names seller and platform with tax ids, and says that it is no invoice", async () => {
    const shown = facts(await json(routes.get(asBruno(), pathOf(charge.id, "/recibo"))));
    for (const words of [
      "Não é nota fiscal",
      "Ana Maria Lira",
      "Coreto Pagamentos e Publicações Ltda.",
      "12.ABC.345/01DE-35",
      "Rua da Aurora, 295",
      "R$\u{a0}10,00",
      charge.id,
    ])
      expect(shown).toContain(words);
    expect(shown).not.toContain("Taxa do Coreto");
    expect(facts(await json(routes.get(asAna(), pathOf(charge.id, "/recibo"))))).toContain(
      "Líquido de quem vendeu",
    );
  });
  test("is a PDF with a title, in Portuguese", async () => {
    const answer = await routes.get(asBruno(), pathOf(charge.id, "/recibo.pdf"));
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toBe(
      `attachment; filename="recibo-coreto-${charge.id}.pdf"`,
    );
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(new TextDecoder().decode(bytes.slice(0, 5))).toBe("%PDF-");
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect([document.getPageCount(), document.getTitle(), document.getLanguage()]).toEqual([
      1,
      `Recibo ${charge.id}`,
      "pt-BR",
    ]);
  });
  test("prints accents, drops characters outside the font, and fits any number of refunds", async () => {
    const source: ReceiptSource = {
      side: "payer",
      charge: {
        ...charge,
        description: `Publicação “${"Ação e coração ".repeat(20)}”`,
        refundedCents: 20,
      },
      succeededAt: 1,
      payer: {
        name: "Bruno",
        details: {
          taxKind: "cpf",
          taxId: "52998224725",
          name: "Ação 🎻 Łukasz",
          cep: "50050000",
          street: "R".repeat(120),
          number: "1",
          complement: "",
          district: "Ã",
          city: "São Paulo",
          state: "SP",
        },
      },
      seller: { name: "Ana", username: "ana", document: null },
      refunds: Array.from({ length: 80 }, () => ({ amountCents: 1, settledAt: 1 })),
      now: 1,
      company: EXAMPLE_COMPANY,
    };
    const pdf = await PDFDocument.load(await documentPdf(receiptDocument(buildReceipt(source)), 1));
    expect(pdf.getPageCount()).toBeGreaterThan(1);
    const latin = {
      getCharacterSet: () =>
        Array.from("ação é “ç” ABCŁukaszn R$ ", (letter) => letter.codePointAt(0) ?? 0).filter(
          (code) => code !== 0x141,
        ),
    };
    expect(toPrintable(latin, "ação\u{a0}🎻 é n\u{303} “ç”")).toBe("ação é n “ç”");
  });
});

test("a cooling-off refund within seven days returns everything from the payment page, once", async () => {
  const carla = await createPerson(ctx, "Carla");
  const hers = await paidSubscription(world, carla, ana);
  const caller = { person: carla };
  expect(await json(routes.get(caller, pathOf(hers.id)))).toMatchObject({
    isInCoolingOff: true,
    mayRefund: false,
  });
  expect(await json(routes.get(asAna(), pathOf(hers.id)))).toMatchObject({
    isInCoolingOff: false,
    mayRefund: true,
  });
  expect(await responseOutcome(routes.get(caller, pathOf(hers.id, "/regret")))).toBe("200");
  // Runs the command, whose provider answers in process. tests/e2e/transactions presses the
  // button.
  await requestPaymentCoolingOffRefund(ctx, { payerId: carla.id, chargeId: hers.id });
  expect(await chargeRow(ctx, { chargeId: hers.id })).toMatchObject({ status: "refunded" });
  expect(await responseOutcome(routes.get(caller, pathOf(hers.id, "/regret")))).toBe("302");
  expect(await responseOutcome(routes.post(caller, pathOf(hers.id, "/regret"), {}))).toBe("409");
});
