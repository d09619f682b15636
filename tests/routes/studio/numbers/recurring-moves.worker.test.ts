import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { DAY_MS, dayNumberOf } from "#app/domain/time.ts";
import { recurringMoves } from "#drizzle/schema/analytics.ts";
import * as movesCsv from "#app/routes/studio/numbers/recurring-moves-csv.ts";
import * as moves from "#app/routes/studio/numbers/recurring-moves.tsx";
import * as recurring from "#app/routes/studio/numbers/recurring.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const PAGES = [
  { path: "analytics/recurring", module: recurring },
  { path: "analytics/recurring/:kind", module: moves },
];
const routes = callRoutesAs([
  ...PAGES,
  { path: "analytics/recurring/:kind/planilha.csv", module: movesCsv },
]);

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
beforeAll(async () => {
  const world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ({ ctx } = world);
  // Annual plans, so that more than thirty days pass without a renewal.
  ana = await createSeller(ctx, { amountCents: 36_000, interval: "annual" });
  bruno = await createPerson(ctx, "Bruno");
  const { purchaseId } = await paidSubscription(world, bruno, ana);
  await paidSubscription(world, await createPerson(ctx, "=Cida"), ana);
  await world.advance(31 * DAY_MS);
  await pauseSubscription(ctx, { fanId: bruno.id, subscriptionId: purchaseId });
});

const pageAt = (path: string, creator: Seller = ana) =>
  renderPagesAs(
    () => ctx,
    () => ({ ...creator, avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null }),
    PAGES,
  )(path);

test("each figure of the recurring revenue opens the changes that it sums", async () => {
  const page = await pageAt("/analytics/recurring");
  expect(page).toMatch(/Por assinatura \(ARPU\)<\/dt><dd[^>]*><a[^>]* href="\/me\/subscribers"/);
  for (const name of ["Saídas em 30 dias", "Até sair \\(LTV\\)"])
    expect(page).toMatch(
      new RegExp(`${name}</dt><dd[^>]*><a[^>]* href="/analytics/recurring/churn"`),
    );
  expect(page).toMatch(
    /href="\/analytics\/recurring\/new\?month=2026-11"[^>]*><span[^>]*>R\$\s60,00/,
  );
  expect(page).toMatch(
    /href="\/analytics\/recurring\/churn\?month=2026-12"[^>]*><span[^>]*>[−-]\s?R\$\s30,00/,
  );
  // Nobody went up: nothing to open.
  expect(page).not.toContain("/analytics/recurring/expansion");
});

test("a list names who moved, by how much, and leads to their payments", async () => {
  const page = await pageAt("/analytics/recurring/new?month=2026-11");
  expect(page).toContain("Novas em 11/2026");
  expect(page).toMatch(/2 mudanças, que somam <span[^>]*>R\$\s60,00/);
  expect(page).toContain(`href="/space/${bruno.username}"`);
  expect(page).toContain(
    `href="/settings/transactions?face=received&amp;person=${bruno.username}"`,
  );

  expect(page).toContain('href="/analytics/recurring/new/planilha.csv?month=2026-11"');

  const left = await pageAt("/analytics/recurring/churn");
  expect(left).toContain("Saíram nos últimos 30 dias");
  expect(left).toMatch(/1 mudança, que soma <span[^>]*>[−-]\s?R\$\s30,00/);
});

test("a month without changes says so, and an unknown kind is not found", async () => {
  expect(await pageAt("/analytics/recurring/churn?month=2026-10")).toContain(
    "Nenhuma mudança nestes dias",
  );
  const answer = await routes.get(
    { person: ana, isCreator: true },
    "/analytics/recurring/toString",
  );
  expect(answer.status).toBe(404);
});

test("sums that are older than the rows are named", async () => {
  const lia = await createSeller(ctx, { amountCents: 2_000 });
  await ctx.db.run(
    `INSERT INTO recurring_days (creator_id, day, kind, count, monthly_cents) SELECT '${lia.id}', MIN(day) - 2, 'new', 1, 2000 FROM recurring_moves`,
  );
  await ctx.db.run(
    `INSERT INTO recurring_moves (creator_id, day, kind, subscription_id, monthly_cents, moved_at) SELECT '${lia.id}', day, 'new', 'gone', 2000, moved_at FROM recurring_moves LIMIT 1`,
  );
  const page = await pageAt("/analytics/recurring/new?month=2026-11", lia);
  expect(page).toMatch(/2 mudanças, que somam <span[^>]*>R\$\s40,00/);
  expect(page).toContain("A soma inclui mudanças de antes de 11/11/2026");
  expect(page).toContain("Conta apagada");
});

test("the list goes on in pages, without a row twice", async () => {
  const caio = await createSeller(ctx, { amountCents: 2_000 });
  const insertFrom = (from: number, count: number) =>
    ctx.db.insert(recurringMoves).values(
      Array.from({ length: count }, (_, index) => ({
        creatorId: caio.id,
        day: dayNumberOf(ctx.now()) - (index % 3),
        kind: "new" as const,
        subscriptionId: "gone",
        monthlyCents: from + index,
        movedAt: ctx.now(),
      })),
    );
  // More than a page, in pieces because D1 takes at most a hundred values.
  for (const from of [100, 110, 120]) await insertFrom(from, from === 120 ? 11 : 10);
  const first = await pageAt("/analytics/recurring/new?month=2026-12", caio);
  const amounts = (page: string) => [...page.matchAll(/R\$\s(1,\d\d)/g)].map(([, one]) => one);
  const next = /href="[^"]*\?(month=2026-12&amp;cursor=[^"]+)"/.exec(first)?.[1];
  const second = await pageAt(
    `/analytics/recurring/new?${(next ?? "").replaceAll("&amp;", "&")}`,
    caio,
  );
  const all = [...amounts(first), ...amounts(second)];
  expect(all).toHaveLength(31);
  expect(new Set(all).size).toBe(31);
});

test("the spreadsheet has the rows of the list, and no formula", async () => {
  const answer = await routes.get(
    { person: ana, isCreator: true },
    "/analytics/recurring/new/planilha.csv?month=2026-11",
  );
  expect(answer.headers.get("Content-Disposition")).toContain("coreto-novas-2026-11-2026-11-1");
  const lines = (await answer.text()).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("Quem;Nome de usuário;Plano de agora;Quando;Por mês");
  expect(lines.some((line) => line.startsWith("Bruno;") && line.endsWith(";30,00"))).toBe(true);
  expect(lines.some((line) => line.startsWith("="))).toBe(false);
});

test("only who may see money and subscribers opens them", async () => {
  const team = await createTeamFor(ctx, ana);
  const [basic, billing] = [
    await createTeammate(ctx, team, "basic_member"),
    await createTeammate(ctx, team, "admin", { mayManageBilling: true }),
  ];
  for (const path of ["/analytics/recurring/new", "/analytics/recurring/new/planilha.csv"]) {
    const statusFor = async (person: typeof basic) =>
      (await routes.get({ person, teamId: team.teamId }, path)).status;
    expect([path, await statusFor(basic), await statusFor(billing)]).toEqual([path, 403, 200]);
  }
});
