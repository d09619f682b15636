import { formatDay } from "#app/domain/time.ts";
import { PDFDocument } from "@cantoo/pdf-lib";
import { beforeAll, describe, expect, test } from "vitest";
import type { PrintableDocument } from "#app/lib/paper.ts";
import type { Context } from "#app/domain/context.ts";
import { monthBounds, monthOf } from "#app/domain/ledger/months/rules/months.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import * as figures from "#app/routes/settings/statements/figures.tsx";
import * as month from "#app/routes/settings/statements/month.tsx";
import * as monthPdf from "#app/routes/settings/statements/month-pdf.ts";
import * as year from "#app/routes/settings/statements/year.tsx";
import * as yearPdf from "#app/routes/settings/statements/year-pdf.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const HERE = "/settings/transfers";
const routes = callRoutesAs([
  { path: "settings/transfers/figures", module: figures },
  { path: "settings/transfers/resumo", module: year },
  { path: "settings/transfers/resumo.pdf", module: yearPdf },
  { path: "settings/transfers/extrato", module: month },
  { path: "settings/transfers/extrato.pdf", module: monthPdf },
]);

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
let charge: Charge;
let present: string;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });
const json = async <Body = Record<string, unknown>>(answer: Promise<Response>) =>
  (await answer).json() as Promise<Body>;
const paperAt = async (path: string): Promise<PrintableDocument> =>
  (await json<{ paper: PrintableDocument }>(routes.get(asAna(), path))).paper;
const tableOf = (paper: PrintableDocument) => paper.sections.find(({ table }) => table)?.table;
const factsOf = (paper: PrintableDocument, title: string) =>
  Object.fromEntries(
    (paper.sections.find((section) => section.title === title)?.details ?? []).map(
      ({ label, value }) => [label, value.replaceAll("\u{a0}", " ")],
    ),
  );

beforeAll(async () => {
  const world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_990 });
  bruno = await createPerson(ctx, "Bruno");
  charge = await paidSubscription(world, bruno, ana);
  present = monthOf(ctx.now());
});

test("the owner reads their whole CPF on month and year, a billing admin of their team a masked one", async () => {
  const bia = await createSeller(ctx);
  const made = await createTeamFor(ctx, bia);
  const admin = {
    person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
    teamId: made.teamId,
  };
  for (const path of [`${HERE}/resumo`, `${HERE}/extrato`]) {
    const cpfFor = async (caller: ActingCaller) =>
      factsOf(
        (await json<{ paper: PrintableDocument }>(routes.get(caller, path))).paper,
        "Quem recebe",
      )["CPF"];
    expect(await cpfFor({ person: bia, isCreator: true })).toMatch(/^\d{3}\.\d{3}\.\d{3}-\d{2}$/);
    expect(await cpfFor(admin)).toMatch(/^\*{3}\.\d{3}\.\d{3}-\*{2}$/);
  }
});

test("the figures without dates are of the present month, never of 1969", async () => {
  const { days, totalCents } = await json<{ days: string[]; totalCents: number }>(
    routes.get(asAna(), `${HERE}/figures?figure=gross`),
  );
  expect(days[0]).toBe(formatDay(monthBounds(present).from));
  expect(totalCents).toBe(1_990);
});

describe("the year of who sells", () => {
  test("has a line for each month that came, their sum, who received and who runs the platform", async () => {
    const paper = await paperAt(`${HERE}/resumo`);
    const table = tableOf(paper);
    expect(table?.rows).toHaveLength(Number(present.slice(5)));
    expect(table?.head).toEqual([
      "Mês",
      "Vendas",
      "Devolvido",
      "Taxa",
      "Líquido",
      "Sacado",
      "Saldo",
    ]);
    expect(table?.last?.map(({ text }) => text)).toEqual([
      "Soma",
      "19,90",
      "0,00",
      "1,00",
      "18,90",
      "0,00",
      "18,90",
    ]);
    expect(factsOf(paper, "Quem recebe")).toMatchObject({
      Nome: "Ana Maria Lira",
      CPF: expect.stringMatching(/^\d{3}\.\d{3}\.\d{3}-\d{2}$/),
    });
    expect(factsOf(paper, "Plataforma")).toMatchObject({ CNPJ: "12.ABC.345/01DE-35" });
    expect(paper.notice).toBe("Não é documento fiscal");
    expect(paper.foot.join(" ")).toContain("carnê-leão");
  });

  test("of a company shows its CNPJ, and omits the carnê-leão note for individuals", async () => {
    const company = await createSeller(ctx, {
      company: { name: "Lira & Filhos Ltda", cnpj: "12ABC34501DE35" },
    });
    const { paper } = await json<{ paper: PrintableDocument }>(
      routes.get({ person: company, isCreator: true }, `${HERE}/resumo`),
    );
    expect(factsOf(paper, "Quem recebe")).toMatchObject({
      Nome: "Lira & Filhos Ltda",
      CNPJ: "12.ABC.345/01DE-35",
    });
    expect(paper.foot.join(" ")).not.toContain("carnê-leão");
  });

  test("exists for a year without sales, and a future year shows the current one", async () => {
    const before = await json<{ year: number; paper: PrintableDocument }>(
      routes.get(asAna(), `${HERE}/resumo?year=2025`),
    );
    expect([
      before.year,
      tableOf(before.paper)?.rows.length,
      tableOf(before.paper)?.last?.at(-1)?.text,
    ]).toEqual([2025, 12, "0,00"]);
    expect(await json(routes.get(asAna(), `${HERE}/resumo?year=2099`))).toMatchObject({
      year: Number(present.slice(0, 4)),
      after: null,
    });
  });

  test("downloads as a PDF with its title", async () => {
    const file = await routes.get(asAna(), `${HERE}/resumo.pdf`);
    expect(file.headers.get("Content-Disposition")).toBe(
      `attachment; filename="coreto-resumo-${present.slice(0, 4)}.pdf"`,
    );
    const document = await PDFDocument.load(new Uint8Array(await file.arrayBuffer()), {
      updateMetadata: false,
    });
    expect([document.getTitle(), document.getLanguage()]).toEqual([
      `Resumo anual de recebimentos de ${present.slice(0, 4)}`,
      "pt-BR",
    ]);
  });
});

describe("monthly earnings statement", () => {
  test("goes from the opening to the closing balance, day by day", async () => {
    const paper = await paperAt(`${HERE}/extrato`);
    expect(Object.values(factsOf(paper, "Saldo"))).toEqual([
      "R$ 0,00",
      "R$ 18,90",
      "R$ 0,00",
      "R$ 18,90",
    ]);
    expect(tableOf(paper)?.rows.map((cells) => cells.slice(1).map(({ text }) => text))).toEqual([
      ["19,90", "0,00", "1,00", "18,90", "0,00", "18,90"],
    ]);
  });

  test("downloads as a PDF, also for a month without sales", async () => {
    for (const query of ["", "?month=2025-02"]) {
      const file = await routes.get(asAna(), `${HERE}/extrato.pdf${query}`);
      expect(file.headers.get("Cache-Control")).toBe("private, no-store");
      await PDFDocument.load(new Uint8Array(await file.arrayBuffer()));
    }
  });
});

test("every figure of a statement links to the payments that add up to it", async () => {
  const cells = [await paperAt(`${HERE}/resumo`), await paperAt(`${HERE}/extrato`)]
    .flatMap((paper) => [...(tableOf(paper)?.rows ?? []), tableOf(paper)?.last ?? []].flat())
    .filter(({ to }) => to !== undefined);
  expect(cells.length).toBeGreaterThan(6);
  for (const { text, to } of cells) {
    const { totalCents, lines } = await json<{
      totalCents: number;
      lines: { cents: number; chargeId: string }[];
    }>(routes.get(asAna(), to ?? ""));
    expect([
      lines.map(({ chargeId }) => chargeId),
      lines.reduce((sum, { cents }) => sum + cents, 0),
      (totalCents / 100).toFixed(2).replace(".", ","),
    ]).toEqual([[charge.id], totalCents, text]);
  }
});

test("billing roles of a team read the statements, other roles get 403, and other members see no figures", async () => {
  const made = await createTeamFor(ctx, ana);
  const admin = {
    person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
    teamId: made.teamId,
  };
  const basic = { person: await createTeammate(ctx, made), teamId: made.teamId };
  for (const path of ["/resumo", "/resumo.pdf", "/extrato", "/extrato.pdf", "/figures"]) {
    expect(await responseOutcome(routes.get(admin, HERE + path))).toBe("200");
    expect(await responseOutcome(routes.get(basic, HERE + path))).toBe("403");
  }
  expect(await json(routes.get({ person: bruno }, `${HERE}/figures?figure=gross`))).toMatchObject({
    lines: [],
    totalCents: 0,
  });
});
