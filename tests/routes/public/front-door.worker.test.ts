import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { visitorsToPublicPage } from "#app/http/public-pages/public-address.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as publicExplore from "#app/routes/public/explore.tsx";
import * as publicHome from "#app/routes/public/home.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { creator, postRow } from "#tests/support/discovery.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const middleware = [visitorsToPublicPage, requireMember] as MiddlewareFunction[];
const memberPage = { loader: () => Response.json({ isMember: true }) };
const routes = [
  { path: "public", module: publicHome },
  { path: "explore/public/:page?", module: publicExplore },
  { path: "explore", module: memberPage, middleware },
];
const ask = createRouteCaller(routes);
const get = async (path: string) => await ask(new Request(TEST_ORIGIN + path));

type Found = { id: string; title: string; name: string; username: string };
type Explored = {
  asked: { sort: string; cursor: string | null };
  people: { items: Found[] };
  posts: { items: Found[] };
  next: string | null;
};
const explored = async (query: string): Promise<Explored> =>
  await (await get(`/explore/public?${query}`)).json();

let world: World;

beforeAll(async () => {
  world = await testContext();
});

describe("/explore for a visitor", () => {
  test("shows what everyone may see: nothing of who was banned or is for adults, no closed post", async () => {
    const [open, banned, adult] = [
      await creator(world.ctx, "Zazá Aberta"),
      await creator(world.ctx, "Zazá Banida"),
      await creator(world.ctx, "Zazá Adulta"),
    ];
    for (const author of [open, banned, adult])
      await postRow(world.ctx, { authorId: author.id, title: `Zabumba de ${author.name}` });
    const closed = await postRow(world.ctx, {
      authorId: open.id,
      title: "Zabumba fechada",
      content: "Segredo de quem assina",
      teaser: "Só a chamada",
      rule: "subscribers",
    });
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, banned.id));
    await world.ctx.db
      .update(profiles)
      .set({ isAdult: true })
      .where(eq(profiles.personId, adult.id));
    await refreshDiscovery(world.ctx);
    const { people: found } = await explored("q=Zaz%C3%A1");
    expect(found.items.map(({ name }) => name)).toEqual(["Zazá Aberta"]);
    const answer = await get("/explore/public?q=zabumba");
    const text = await answer.text();
    expect(text).toContain("Zabumba de Zazá Aberta");
    expect(text).not.toContain("Zazá Banida");
    expect(text).not.toContain("Zazá Adulta");
    expect(text).not.toContain("Segredo");
    const { posts } = await explored("sort=new");
    expect(posts.items.map(({ id }) => id)).not.toContain(closed);
  });

  test("shows the newest posts where nothing is trending, and further pages by signed links alone", async () => {
    const author = await creator(world.ctx, "Quem Publica Muito");
    for (let index = 0; index < 12; index += 1)
      await postRow(world.ctx, { authorId: author.id, title: `Nova ${index}` });
    await refreshDiscovery(world.ctx);
    const first = await explored("");
    expect([first.asked.sort, first.posts.items.length]).toEqual(["new", 10]);
    const further = await explored(`sort=new&cursor=${encodeURIComponent(first.next ?? "")}`);
    const ids = first.posts.items.map(({ id }) => id);
    expect(further.posts.items.length).toBeGreaterThan(0);
    expect(further.posts.items.filter(({ id }) => ids.includes(id))).toEqual([]);
    expect((await explored("sort=new&cursor=1_a")).asked.cursor).toBeNull();
  });

  test("has an address for each kind of post and for people, and leads former ones there", async () => {
    const pageOf = async (path: string) => {
      const answer = await get(`/explore/public${path}`);
      return answer.status === 200
        ? ((await answer.json()) as { asked: object }).asked
        : [answer.status, answer.headers.get("Location")];
    };
    expect(await pageOf("/imagens?category=music")).toMatchObject({ kind: "image", show: "all" });
    expect(await pageOf("/pessoas")).toMatchObject({ kind: null, show: "people" });
    expect(await pageOf("?kind=video&category=music")).toEqual([
      301,
      "/explore/videos?category=music",
    ]);
    expect(await pageOf("?show=people")).toEqual([301, "/explore/pessoas"]);
    expect(await pageOf("/nada")).toEqual([404, null]);
  });

  test("limits the searches of a network, and nothing else", async () => {
    const counted: string[] = [];
    const SEARCH_LIMITER = {
      limit: async ({ key = "" }: { key?: string }) => ({ success: counted.push(key) <= 1 }),
    };
    const limited = createRouteCaller(routes, { ...testEnv, SEARCH_LIMITER });
    const from = async (network: string, path: string) =>
      (await limited(new Request(TEST_ORIGIN + path, { headers: { "CF-Connecting-IP": network } })))
        .status;
    expect(await from("203.0.113.7", "/explore/public")).toBe(200);
    expect(await from("203.0.113.7", "/explore/public?q=rabeca")).toBe(200);
    expect(await from("203.0.113.7", "/explore/public?q=rabeca")).toBe(429);
    expect(counted).toEqual(["visitor:203.0.113.7", "visitor:203.0.113.7"]);
  });

  test("is led to by the member's page without a session, and a member stays there", async () => {
    const visitor = await get("/explore?category=music");
    expect(visitor.headers.get("Location")).toBe("/explore/public?category=music");
    const Cookie = await memberCookies(signUpFields());
    const member = await ask(new Request(`${TEST_ORIGIN}/explore`, { headers: { Cookie } }));
    expect(await member.json()).toEqual({ isMember: true });
    // Within the open product a session that ended leads to sign-in, and back.
    const inside = await ask(new Request(`${TEST_ORIGIN}/explore`, { method: "POST" }));
    expect(inside.headers.get("Location")).not.toBe("/explore/public");
  });
});

describe("/ for a visitor", () => {
  type Home = { creators: Found[]; feeBasisPoints: number; creatorPercent: string };

  test("shows creators who publish, and the configured fee", async () => {
    const silent = await creator(world.ctx, "Sem Publicação");
    const home: Home = await (await get("/public")).json();
    expect(home.creators.length).toBeGreaterThan(0);
    expect(home.creators.length).toBeLessThanOrEqual(6);
    expect(home.creators.map(({ username }) => username)).not.toContain(silent.username);
    expect([home.feeBasisPoints, home.creatorPercent]).toEqual([
      world.ctx.settings.feeBasisPoints,
      "95%",
    ]);
  });

  test("answers the calculator's form", async () => {
    const answer = await (await get("/public?assinantes=250&preco=30%2C00")).json();
    expect(answer).toMatchObject({ form: { subscribers: 250, priceCents: 3_000, errors: {} } });
  });
});
