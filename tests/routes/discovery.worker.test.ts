import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { composeContext } from "#app/compose.server.ts";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { spellingProbes } from "#app/domain/discovery/rules/spelling.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as explore from "#app/routes/home/explore.tsx";
import * as explorePage from "#app/routes/resources/explore.ts";
import * as feedPage from "#app/routes/resources/feed.ts";
import * as feedNews from "#app/routes/resources/feed-news.ts";
import * as spacePage from "#app/routes/resources/space-posts.ts";
import * as me from "#app/routes/space/me.tsx";
import { testClock } from "#tests/support/clock.ts";
import {
  POPULAR_AUTHOR,
  peopleStatements,
  postStatements,
  readerStatements,
} from "#tests/support/large-dataset.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import type { RecordedStatement } from "#tests/support/d1-recorder.ts";
import {
  cookiesOf,
  createRouteCaller,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// Measures the database work of discovery with its real middlewares and loaders while the data
// grows tenfold.

const CROWD = { people: 600, followers: 600 };
const FEW = 800;
const MANY = 8_000;
const now = testClock.now() - 60_000;

const tap = recordDatabase(testEnv.DB);
const members = [requireMember as MiddlewareFunction];
const ask = createRouteCaller(
  [
    { path: "explore/:page?", module: explore, middleware: members },
    { path: "me", module: me, middleware: members },
    { path: "resources/explore", module: explorePage },
    { path: "resources/feed", module: feedPage },
    { path: "resources/feed-news", module: feedNews },
    { path: "resources/space/:id/posts", module: spacePage },
  ],
  { ...testEnv, DB: tap.database },
);

const later = `${now - MANY * 15_000 + 400 * 15_000}_z`;
const pages = [
  { name: "rising posts", path: "/explore" },
  { name: "new posts", path: "/explore?sort=new" },
  {
    name: "new posts of a kind and a category",
    path: "/explore/imagens?sort=new&category=music",
  },
  { name: "a later page of new posts", path: `/resources/explore?sort=new&cursor=${later}` },
  { name: "a search for a word that almost every post has", path: "/explore?q=rabeca&show=posts" },
  { name: "a search for people by a word", path: "/explore/pessoas?q=forr%C3%B3" },
  { name: "a further page of the feed", path: `/resources/feed?cursor=${later}` },
  { name: "the number of new posts", path: `/resources/feed-news?since=${now}_0` },
  { name: "the member's own page", path: "/me" },
];
const misspelled = { name: "a misspelled search", path: "/explore?q=rabecca" };
const watchedPages = [...pages, misspelled];
let reader: string;
const seen = new Map<string, { few: RecordedStatement[][]; many: RecordedStatement[][] }>();

beforeAll(async () => {
  const { userId, personId } = await insertMember(signUpFields("Quem Procura"));
  const session = await sessionCookies(userId);
  reader = session;
  await run([
    ...peopleStatements(CROWD, now),
    "UPDATE profiles SET category = 'music' WHERE is_creator = 1",
    ...readerStatements("everyday", `'${personId}'`, now),
  ]);
  await run(postStatements(CROWD, { from: 0, to: FEW, mostPosts: MANY, now }));
  await refreshed();
  for (const { name, path } of watchedPages)
    seen.set(name, { few: await watched(session, path), many: [] });
  await run(postStatements(CROWD, { from: FEW, to: MANY, mostPosts: MANY, now }));
  await refreshed();
  for (const { name, path } of watchedPages) tripsOf(name).many = await watched(session, path);
}, 240_000);

async function run(statements: string[]): Promise<void> {
  for (const statement of statements) await testEnv.DB.prepare(statement).run();
}

async function refreshed(): Promise<void> {
  const { ctx } = await composeContext(testEnv);
  for (let round = 0; round < 4; round += 1) await refreshDiscovery(ctx);
}

async function watched(session: string, path: string): Promise<RecordedStatement[][]> {
  const before = await ask(new Request(TEST_ORIGIN + path, { headers: { Cookie: session } }));
  tap.trips.length = 0;
  const answer = await ask(
    new Request(TEST_ORIGIN + path, { headers: { Cookie: `${session}; ${cookiesOf(before)}` } }),
  );
  expect([path, before.status, answer.status]).toEqual([path, 200, 200]);
  return [...tap.trips];
}

function tripsOf(name: string) {
  const trips = seen.get(name);
  if (!trips) throw new Error(`${name} was not asked for`);
  return trips;
}

const rowsRead = (trips: RecordedStatement[][]): number =>
  trips.flat().reduce((sum, asked) => sum + asked.rowsRead, 0);
const MOST_ROWS = 600;

test("a misspelled search reads as many rows with ten times as many posts, and suggests a word", async () => {
  const { few, many } = tripsOf(misspelled.name);
  expect(rowsRead(many)).toBeLessThanOrEqual(Math.max(rowsRead(few) * 1.1, rowsRead(few) + 12));
  // Each spelling of the word is looked up in both vocabularies.
  expect(rowsRead(many)).toBeLessThanOrEqual(2 * spellingProbes(["rabecca"]).length + 50);
  expect(many.length).toBeLessThanOrEqual(4);
  const page = await ask(
    new Request(`${TEST_ORIGIN}/explore?q=rabecca`, { headers: { Cookie: reader } }),
  );
  expect(await page.json()).toMatchObject({ suggestion: "rabeca" });
  for (const asked of many.flat())
    expect([asked.query, await wholeTableReads(testEnv.DB, asked)]).toEqual([asked.query, []]);
});

describe.each(pages)("$name", ({ name }) => {
  test("reads as many rows with ten times as many posts", () => {
    const { few, many } = tripsOf(name);
    expect(rowsRead(many)).toBeLessThanOrEqual(Math.max(rowsRead(few) * 1.1, rowsRead(few) + 12));
    expect(rowsRead(many)).toBeLessThanOrEqual(MOST_ROWS);
  });

  test("takes one database trip and scans no whole table", async () => {
    const { many } = tripsOf(name);
    expect(many.length).toBeLessThanOrEqual(1);
    for (const asked of many.flat())
      expect([asked.query, await wholeTableReads(testEnv.DB, asked)]).toEqual([asked.query, []]);
  });
});

describe("list resources fetched by scripts", () => {
  const asNobody = (path: string) => ask(new Request(TEST_ORIGIN + path));

  test.each([
    "/resources/feed",
    "/resources/feed-news?since=1_0",
    "/resources/explore",
    `/resources/space/${POPULAR_AUTHOR}/posts`,
  ])("%s answers 401 to a visitor and is not cached", async (path) => {
    const answer = await asNobody(path);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await answer.json()).toEqual({
      error: "Sua sessão acabou. Entre de novo para continuar.",
    });
  });

  test("return a page of cards, and the number of new posts or the posts themselves", async () => {
    const session = await sessionCookies((await insertMember(signUpFields("Quem Lê"))).userId);
    const json = async <Answer>(path: string): Promise<Answer> =>
      (await ask(new Request(TEST_ORIGIN + path, { headers: { Cookie: session } }))).json();
    expect(await json("/resources/feed")).toEqual({ items: [], next: null });
    expect(await json("/resources/feed-news?since=nothing")).toEqual({ count: 0, isMore: false });
    expect(await json("/resources/feed-news?since=1_0&posts=true")).toEqual({ items: [] });
    const page = await json<{ items: { id: string }[]; next: string | null }>(
      `/resources/space/${POPULAR_AUTHOR}/posts`,
    );
    expect(page.items).toHaveLength(10);
    const further = await json<typeof page>(
      `/resources/space/${POPULAR_AUTHOR}/posts?cursor=${page.next}`,
    );
    expect(further.items.map(({ id }) => id)).not.toContain(page.items[0]?.id);
    expect((await json<typeof page>("/resources/explore?sort=new&kind=image")).items).toHaveLength(
      10,
    );
  });
});

test("repeated searches answer 429, and listings without a search do not count", async () => {
  const asked: string[] = [];
  const SEARCH_LIMITER = {
    limit: async ({ key = "" }: { key?: string }) => ({ success: asked.push(key) < 1 }),
  };
  const limited = createRouteCaller(
    [
      { path: "explore/:page?", module: explore, middleware: members },
      { path: "resources/explore", module: explorePage },
    ],
    { ...testEnv, SEARCH_LIMITER },
  );
  const Cookie = await sessionCookies((await insertMember(signUpFields("Quem Busca"))).userId);
  const get = (path: string) => limited(new Request(TEST_ORIGIN + path, { headers: { Cookie } }));
  expect([
    (await get("/explore")).status,
    (await get("/resources/explore?sort=new")).status,
    asked.length,
  ]).toEqual([200, 200, 0]);
  expect((await get("/explore?q=rabeca")).status).toBe(429);
  const further = await get("/resources/explore?q=rabeca");
  expect([further.status, await further.json(), new Set(asked).size]).toEqual([
    429,
    { error: "Muitas buscas seguidas. Espere um minuto e tente de novo." },
    1,
  ]);
});
