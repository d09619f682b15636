import { beforeAll, expect, test } from "vitest";
import { zonedDay } from "#app/domain/analytics/days/rules.ts";
import { refreshSnapshot } from "#app/domain/analytics/people/commands.server.ts";
import { rollUpDay } from "#app/domain/analytics/rollups/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import * as analytics from "#app/routes/studio/numbers/analytics.tsx";
import * as events from "#app/routes/studio/numbers/events.tsx";
import * as people from "#app/routes/studio/numbers/people.tsx";
import * as posts from "#app/routes/studio/numbers/posts.tsx";
import * as tablesCsv from "#app/routes/studio/numbers/tables-csv.ts";
import { viewPoint } from "#tests/contracts/view-store.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const PAGES = [
  { path: "analytics", module: analytics },
  { path: "analytics/people", module: people },
  { path: "analytics/posts", module: posts },
  { path: "analytics/events", module: events },
];
const routes = callRoutesAs([...PAGES, { path: "analytics/files/:file", module: tablesCsv }]);
const MONEY_FILES = ["receita", "apoio", "tipos", "formas", "planos", "links"];
const FILES = [
  "eventos",
  "mensagens",
  "visitas",
  "pessoas",
  "origens",
  "divulgacao",
  "permanencia",
  "motivos",
];

const EMPTY = ["eventos", "mensagens", "motivos"];

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  const { ctx } = world;
  ana = await createSeller(ctx, { amountCents: 3_000 });
  const bruno = await createPerson(ctx, "Bruno");
  await follow(ctx, { followerId: bruno.id, creatorId: ana.id });
  await paidSubscription(world, bruno, ana);
  const { postId } = await soldPost(ctx, ana, { title: "=HYPERLINK(1)" });
  for (const visitor of ["v1", "v2"])
    await ctx.views.record(
      viewPoint({ creatorId: ana.id, subject: postId, visitor, referrer: "t.co" }),
      ctx.now(),
    );
  const timeZone = "America/Sao_Paulo";
  await rollUpDay(ctx, { timeZone, day: zonedDay(timeZone, ctx.now()) });
  await refreshSnapshot(ctx, { creatorId: ana.id });
});

const pageOf = (creator: Seller, url: string) =>
  renderPagesAs(
    () => world.ctx,
    () => ({ ...creator, avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null }),
    PAGES,
  )(url);

test("the overview says what was received, how many came, and how each is calculated", async () => {
  const page = await pageOf(ana, "/analytics?range=7");
  expect(page).toMatch(/Líquido<\/dt>.*?R\$.{0,30}28,50/s);
  expect(page).toMatch(/Visitantes<\/dt><dd[^>]*><a[^>]*>2</);
  expect(page).toContain("O vendido, menos a taxa, os reembolsos e as contestações.");
  expect(page).toMatch(/<title[^>]*>Quanto você recebeu<\/title>/);
  expect(page).toMatch(/<desc[^>]*>/);
});

test("people shows the funnel, the sources, who stays and who supports most", async () => {
  const page = await pageOf(ana, "/analytics/people?range=7");
  expect(page).toMatch(/Visitaram.*?>2<.*?Começaram a seguir.*?>1<.*?50%/s);
  expect(page).toContain("t.co");
  expect(page).toContain("Celular");
  expect(page).toContain("Brasil");
  expect(page).toMatch(/guardamos os .{0,20}30.{0,20} mais vistos/s);
  expect(page).toMatch(/Quem continua.*?100%/s);
  expect(page).toMatch(/Quem mais apoia.*?Bruno.*?30,00/s);
});

test("posts shows what each brought", async () => {
  const page = await pageOf(ana, "/analytics/posts?range=7");
  expect(page).toMatch(/=HYPERLINK\(1\)<\/a>.*?>2<.*?>2<.*?>0</s);
});

test("a creator without anything sees pages that lead on", async () => {
  const bia = await createSeller(world.ctx);
  expect(await pageOf(bia, "/analytics?range=all")).toContain("Nenhuma venda nestes dias.");
  expect(await pageOf(bia, "/analytics/people")).toContain("Com a primeira assinatura paga");
  expect(await pageOf(bia, "/analytics/posts")).toContain("Nada publicado nem visto");
  expect(await pageOf(bia, "/analytics/events")).toContain("Nenhum evento começou");
});

test("days that are none get a message beside their field, and stay typed", async () => {
  const page = await pageOf(ana, "/analytics?range=own&from=2026-02-30&until=2026-03-01");
  expect(page).toContain("Escreva o dia assim: 20/12/2026.");
  expect(page).toContain('value="2026-02-30"');
});

test("every table is a spreadsheet, in which no text runs as a formula", async () => {
  for (const file of [...MONEY_FILES, ...FILES, "publicacoes"]) {
    const answer = await routes.get(
      { person: ana, isCreator: true },
      `/analytics/files/${file}.csv?range=7`,
    );
    expect([file, answer.status]).toEqual([file, 200]);
    const text = await answer.text();
    expect(text.trim().split("\r\n").length).toBeGreaterThan(EMPTY.includes(file) ? 0 : 1);
    expect(text).not.toMatch(/(^|;)=/m);
  }
  const own = { person: ana, isCreator: true };
  expect((await routes.get(own, "/analytics/files/nada.csv")).status).toBe(404);
  expect((await routes.get(own, "/analytics/files/visitas.csv?from=x&until=y")).status).toBe(400);
});

test("a teammate who sees no money sees no amount, on no page and in no spreadsheet", async () => {
  const team = await createTeamFor(world.ctx, ana);
  const person = await createTeammate(world.ctx, team, "basic_member");
  const as = { person, teamId: team.teamId };
  for (const path of ["/analytics", "/analytics/people", "/analytics/events"]) {
    const text = await (await routes.get(as, path)).text();
    expect(text).not.toMatch(/netCents":\s*[1-9]|paidCents":\s*[1-9]/);
  }
  for (const file of MONEY_FILES)
    expect((await routes.get(as, `/analytics/files/${file}.csv`)).status).toBe(403);
  const posts = await (await routes.get(as, "/analytics/files/publicacoes.csv")).text();
  expect(posts).not.toContain("Vendido");
  const events = await (await routes.get(as, "/analytics/files/eventos.csv")).text();
  expect(events).not.toContain("Líquido");
});
