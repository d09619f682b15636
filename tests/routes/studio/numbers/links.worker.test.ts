import { beforeAll, expect, test } from "vitest";
import { createLink } from "#app/domain/analytics/links/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import * as link from "#app/routes/studio/numbers/link.tsx";
import * as linkArchive from "#app/routes/studio/numbers/link-archive.tsx";
import * as links from "#app/routes/studio/numbers/links.tsx";
import * as tablesCsv from "#app/routes/studio/numbers/tables-csv.ts";
import { SPACE_FIELD } from "#app/http/space-field.ts";
import { creatorLinks } from "#drizzle/schema/analytics.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const PAGES = [
  { path: "analytics/links", module: links },
  { path: "analytics/links/:slug", module: link },
  { path: "analytics/links/:slug/archive", module: linkArchive },
];
const routes = callRoutesAs([...PAGES, { path: "analytics/files/:file", module: tablesCsv }]);

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await createLink(world.ctx, { creatorId: ana.id, name: "Bio", slug: "bio" });
  const bia = await createPerson(world.ctx, "Bia");
  await follow(world.ctx, { followerId: bia.id, creatorId: ana.id, link: "bio" });
});

const pageOf = (url: string) =>
  renderPagesAs(
    () => world.ctx,
    () => ({ ...ana, avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null }),
    PAGES,
  )(url);

test("the page lists each link with its address and what it brought", async () => {
  const page = await pageOf("/analytics/links");
  expect(page).toMatch(/Convite.*Bio.*?@\w+.*?\?l=bio.*?>0<.*?>1<.*?>0</s);
  const one = await pageOf("/analytics/links/bio");
  expect(one).toMatch(/Seguidores<\/dt><dd[^>]*>1</);
  expect(one).toContain("<svg");
});

const own = () => ({ person: ana, isCreator: true });
const create = (as: Parameters<typeof routes.post>[0], fields: Record<string, string>) =>
  routes.post(as, "/analytics/links", fields);

test("a link is made by its name alone, and what is wrong is said beside its field", async () => {
  const made = await create(own(), { name: "Cartaz da feira", slug: "" });
  expect(made.headers.get("Location")).toBe("/analytics/links/cartaz-da-feira");
  const taken = await create(own(), { name: "Outra bio", slug: "bio" });
  expect(taken.status).toBe(409);
  expect(await taken.json()).toMatchObject({
    errors: { slug: expect.stringContaining("já tem um link") },
    values: { name: "Outra bio", slug: "bio" },
  });
});

test("archiving is undone on the same page", async () => {
  const at = async () =>
    (await world.ctx.db.select().from(creatorLinks)).find(({ slug }) => slug === "bio")?.archivedAt;
  await routes.post(own(), "/analytics/links/bio/archive", { archived: "true" });
  expect(await at()).toBeGreaterThan(0);
  expect(await pageOf("/analytics/links/bio/archive")).toContain("Contar Bio de novo?");
  // "Desfazer" sends no fields, and neither does the way back from it.
  const undo = "/analytics/links/bio/archive?archived=";
  await routes.post(own(), `${undo}false`, {});
  expect(await at()).toBeNull();
  await routes.post(own(), `${undo}true`, {});
  expect(await at()).toBeGreaterThan(0);
  await routes.post(own(), "/analytics/links/bio/archive", { archived: "false" });
  expect(await at()).toBeNull();
});

test("a teammate without money sees no amount; a guest makes no link", async () => {
  const team = await createTeamFor(world.ctx, ana);
  const person = await createTeammate(world.ctx, team, "guest_member");
  const as = { person, teamId: team.teamId };
  const text = await (await routes.get(as, "/analytics/links")).text();
  expect(text).not.toMatch(/netCents":\s*[1-9]/);
  expect((await create(as, { name: "Alheio", [SPACE_FIELD]: ana.id })).status).toBe(403);
  const file = await (await routes.get(as, "/analytics/files/divulgacao.csv")).text();
  expect(file).not.toContain("Líquido");
});
