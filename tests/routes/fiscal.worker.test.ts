import type { MiddlewareFunction } from "react-router";
import { beforeAll, expect, test } from "vitest";
import type { PrintableDocument } from "#app/lib/paper.ts";
import type { Context } from "#app/domain/context.ts";
import { invoiceFees } from "#app/domain/fiscal/commands.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as file from "#app/routes/admin/fiscal/file.ts";
import * as oneMonth from "#app/routes/admin/fiscal/month.tsx";
import * as months from "#app/routes/admin/fiscal/months.tsx";
import * as paper from "#app/routes/settings/statements/month.tsx";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { insertSales } from "#tests/support/transactions.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const staff = [requireModerator as MiddlewareFunction];
const routes = callRoutesAs([
  { path: "admin/fiscal", module: months, middleware: staff },
  { path: "admin/fiscal/:month", module: oneMonth, middleware: staff },
  {
    path: "admin/fiscal/files/:file",
    module: file,
    middleware: file.middleware as unknown as MiddlewareFunction[],
  },
  { path: "settings/transfers/extrato", module: paper },
]);

let ctx: Context;
let ana: Seller;
let maria: ActingCaller;
const json = async <Body = Record<string, unknown>>(answer: Promise<Response>) =>
  (await answer).json() as Promise<Body>;

beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  maria = { person: await createModerator(ctx), isModerator: true };
  await insertSales(ctx, [
    {
      payerId: (await createPerson(ctx, "Bruno")).id,
      creatorId: ana.id,
      amountCents: 10_000,
      at: instantOfIsoDay("2026-03-10"),
    },
  ]);
  const later: Context = {
    ...ctx,
    now: () => instantOfIsoDay("2026-04-02"),
    realNow: () => instantOfIsoDay("2026-04-02"),
  };
  await sealNextMonth(later, { digest: sha256Hex });
  await invoiceFees(later);
});

test("staff sees invoiced months beside the ledger, the creators of a month, and downloads the file", async () => {
  expect(await json(routes.get(maria, "/admin/fiscal"))).toMatchObject({
    batches: [
      {
        month: "2026-03",
        feesCents: 500,
        bookCents: 500,
        invoicedCents: 500,
        invoicesCount: 1,
        numbers: "1 a 1",
        files: ["2026-03-1.txt"],
        isHandedIn: true,
        deadline: "12/04/2026",
      },
    ],
  });
  expect(await json(routes.get(maria, "/admin/fiscal/2026-03"))).toMatchObject({
    fees: [
      {
        creatorId: ana.id,
        name: "Ana Maria Lira",
        username: ana.username,
        number: 1,
        invoicedCents: 500,
      },
    ],
    next: null,
  });
  const taken = await routes.get(maria, "/admin/fiscal/files/2026-03-1.txt");
  expect([taken.headers.get("Content-Disposition"), taken.headers.get("Cache-Control")]).toEqual([
    'attachment; filename="coreto-rps-2026-03-1.txt"',
    "private, no-store",
  ]);
  expect((await taken.text()).split("\r\n")).toHaveLength(4);
});

test("staff records once that the file was taken to the city hall", async () => {
  const take = (who: ActingCaller, month: string) => routes.post(who, `/admin/fiscal/${month}`, {});
  expect(await json(routes.get(maria, "/admin/fiscal/2026-03"))).toMatchObject({
    handing: { mayTake: true, words: "Leve os lotes à prefeitura até 12/04/2026." },
  });
  expect(await responseOutcome(take({ person: ana, isCreator: true }, "2026-03"))).toBe("404");
  expect((await take(maria, "2026-02")).status).toBe(302);
  expect(await json(routes.get(maria, "/admin/fiscal"))).toMatchObject({
    batches: [{ month: "2026-03", takenOn: null }],
  });
  expect((await take(maria, "2026-03")).status).toBe(302);
  expect(
    (await take({ person: await createModerator(ctx), isModerator: true }, "2026-03")).status,
  ).toBe(302);
  expect(await json(routes.get(maria, "/admin/fiscal/2026-03"))).toMatchObject({
    handing: {
      mayTake: false,
      words: expect.stringMatching(/^Levado à prefeitura em \d\d\/\d\d\/\d{4}, por /),
    },
  });
  const { results } = await testEnv.DB.prepare("SELECT taken_by FROM fiscal_batches").all();
  expect(results).toEqual([{ taken_by: maria.person.id }]);
  await expect(
    testEnv.DB.prepare("UPDATE fiscal_batches SET taken_by = 'other'").run(),
  ).rejects.toThrow("immutable_invoice");
});

test("others get 404, and so does staff for unknown files and months", async () => {
  for (const path of [
    "/admin/fiscal",
    "/admin/fiscal/2026-03",
    "/admin/fiscal/files/2026-03-1.txt",
  ])
    expect(await responseOutcome(routes.get({ person: ana, isCreator: true }, path))).toBe("404");
  expect(await responseOutcome(routes.get(maria, "/admin/fiscal/files/2026-03-2.txt"))).toBe("404");
  for (const path of ["files/tudo.txt", "abc", "2026-13"])
    expect(await responseOutcome(routes.get(maria, `/admin/fiscal/${path}`))).toBe("404");
});

test("the creator's monthly statement shows the invoice of the platform fee once it exists", async () => {
  const at = (month: string) =>
    json<{ paper: PrintableDocument }>(
      routes.get({ person: ana, isCreator: true }, `/settings/transfers/extrato?month=${month}`),
    );
  const section = (await at("2026-03")).paper.sections.find(
    ({ title }) => title === "Nota da taxa da plataforma",
  );
  expect(section?.details).toEqual([
    {
      label: "Taxa do mês",
      value: "R$\u{a0}5,00",
      to: "/settings/transfers/figures?figure=fee&from=2026-03-01&until=2026-03-31",
    },
    { label: "RPS nº 1, série CORET, de 02/04/2026", value: "R$\u{a0}5,00" },
  ]);
  expect(
    (await at("2026-04")).paper.sections.some(
      ({ title }) => title === "Nota da taxa da plataforma",
    ),
  ).toBe(false);
});
