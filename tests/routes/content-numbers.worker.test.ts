import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { requireMember } from "#app/http/require-member.ts";
import { signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import { productSigner } from "#app/integrations/signer.server.ts";
import * as feed from "#app/routes/home/feed.tsx";
import * as memberLayout from "#app/routes/member-layout.tsx";
import * as mediaRoute from "#app/routes/resources/media.ts";
import * as publicPost from "#app/routes/public/post.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as postPage from "#app/routes/space/post.tsx";
import * as space from "#app/routes/space/space.tsx";
import { testClock } from "#tests/support/clock.ts";
import {
  crowdMediaId,
  POPULAR_AUTHOR,
  measuredPostId,
  peopleStatements,
  postStatements,
  readerStatements,
  baseDataStatements,
} from "#tests/support/large-dataset.ts";
import type { DatasetSize, Reader } from "#tests/support/large-dataset.ts";
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

// Measures the most visited pages with their real middlewares and loaders while the data grows
// tenfold. Records what each asks of the database.

const CROWD: DatasetSize = { people: 2_000, followers: 2_000 };
const FEW = 800;
const MANY = 8_000;
const now = testClock.now() - 60_000;

const tap = recordDatabase(testEnv.DB);
const members = [requireMember as MiddlewareFunction];
const ask = createRouteCaller(
  [
    { path: "feed", module: feed, middleware: members },
    { path: "around", module: memberLayout, middleware: members },
    { path: "space/:id", module: space, middleware: members },
    { path: "post/:id", module: postPage, middleware: members },
    { path: "media/:id/:variant", module: mediaRoute },
    { path: "space/:username/public", module: publicSpace },
    { path: "space/:username/public/:postId", module: publicPost },
  ],
  { ...testEnv, DB: tap.database },
);

/** `rows` is the most rows that the page may read. The layout around it is measured separately. */
type Page = {
  name: string;
  viewer: Reader | null;
  path: () => string | Promise<string>;
  rows: number;
};

const laterCursor = () => `${now - MANY * 15_000 + 400 * 15_000}_z`;
const pages: Page[] = [
  {
    name: "the feed of a member who follows many",
    viewer: "everyday",
    path: () => "/feed",
    rows: 480,
  },
  {
    name: "a later page of that feed",
    viewer: "everyday",
    path: () => `/feed?cursor=${laterCursor()}`,
    rows: 460,
  },
  {
    name: "the feed of a member whose creators seldom publish",
    viewer: "quiet",
    path: () => "/feed",
    rows: 340,
  },
  { name: "the feed of a newcomer", viewer: "newcomer", path: () => "/feed", rows: 40 },
  { name: "the member layout", viewer: "everyday", path: () => "/around", rows: 40 },
  {
    name: "a creator's page for members",
    viewer: "everyday",
    path: () => `/space/${POPULAR_AUTHOR}`,
    rows: 500,
  },
  {
    name: "a later page of it",
    viewer: "everyday",
    path: () => `/space/${POPULAR_AUTHOR}?cursor=${laterCursor()}`,
    rows: 500,
  },
  {
    name: "a creator's public page",
    viewer: null,
    path: () => `/space/${POPULAR_AUTHOR}/public`,
    rows: 460,
  },
  {
    name: "a later public page",
    viewer: null,
    path: async () => {
      const path = `/space/${POPULAR_AUTHOR}/public`;
      const signer = productSigner(testEnv.AUTH_SECRET ?? "");
      return `${path}?cursor=${await signCursor(signer, path, laterCursor())}`;
    },
    rows: 460,
  },
  {
    name: "a post for a subscriber",
    viewer: "everyday",
    path: () => `/post/${measuredPostId()}`,
    rows: 420,
  },
  {
    name: "a post for a member who does not follow",
    viewer: "quiet",
    path: () => `/post/${measuredPostId()}`,
    rows: 420,
  },
  {
    name: "a public post",
    viewer: null,
    path: () => `/space/${POPULAR_AUTHOR}/public/${measuredPostId()}`,
    rows: 340,
  },
];

const GROWS_AT_MOST = 1.1;
const TRIPS_PER_PAGE = 2;

const cookies = new Map<Reader, string>();
const seen = new Map<string, { few: RecordedStatement[][]; many: RecordedStatement[][] }>();

beforeAll(async () => {
  await run([
    ...peopleStatements(CROWD, now),
    ...postStatements(CROWD, { from: 0, to: FEW, mostPosts: MANY, now }),
    ...baseDataStatements(CROWD, { mostPosts: MANY, now }),
  ]);
  for (const reader of ["everyday", "quiet", "newcomer"] as const) {
    const { userId, personId } = await insertMember(signUpFields("Quem Lê"));
    await run(readerStatements(reader, `'${personId}'`, now));
    cookies.set(reader, await sessionCookies(userId));
  }
  for (const page of pages) seen.set(page.name, { few: await watched(page), many: [] });
  await run(postStatements(CROWD, { from: FEW, to: MANY, mostPosts: MANY, now }));
  for (const page of pages) tripsOf(page).many = await watched(page);
}, 120_000);

async function run(statements: string[]): Promise<void> {
  for (const statement of statements) await testEnv.DB.prepare(statement).run();
}

/**
 * Records every database trip of one request. A request before it sets the cookie that caches the
 * signed-in person.
 */
async function watched({ viewer, path }: Page): Promise<RecordedStatement[][]> {
  const session = viewer === null ? "" : (cookies.get(viewer) ?? "");
  const here = await path();
  const before = await ask(new Request(TEST_ORIGIN + here, { headers: { Cookie: session } }));
  tap.trips.length = 0;
  const answer = await ask(
    new Request(TEST_ORIGIN + here, { headers: { Cookie: `${session}; ${cookiesOf(before)}` } }),
  );
  expect([here, before.status, answer.status]).toEqual([here, 200, 200]);
  return [...tap.trips];
}

function tripsOf({ name }: Page) {
  const trips = seen.get(name);
  if (!trips) throw new Error(`${name} was not asked for`);
  return trips;
}

const rowsRead = (trips: RecordedStatement[][]): number =>
  trips.flat().reduce((sum, asked) => sum + asked.rowsRead, 0);

describe.each(pages)("$name", (page) => {
  test(`reads at most ${page.rows} rows, and as many when there are ten times as many posts`, () => {
    const { few, many } = tripsOf(page);
    expect(rowsRead(few)).toBeGreaterThan(0);
    expect(rowsRead(many)).toBeLessThanOrEqual(rowsRead(few) * GROWS_AT_MOST);
    expect(rowsRead(many)).toBeLessThanOrEqual(page.rows);
  });

  test("takes at most two database trips, with its layout", () => {
    const around = seen.get("the member layout")?.many.length ?? 0;
    const isAround = page.name === "the member layout" || page.viewer === null;
    expect(tripsOf(page).many.length + (isAround ? 0 : around)).toBeLessThanOrEqual(TRIPS_PER_PAGE);
  });

  test("no statement scans a whole table", async () => {
    for (const asked of tripsOf(page).many.flat())
      expect([asked.query, await wholeTableReads(testEnv.DB, asked)]).toEqual([asked.query, []]);
  });
});

test("a locked file read in 100 ranges by a signed-in subscriber costs one access query each", async () => {
  const [post, closed, bytes] = [
    60,
    `/media/${crowdMediaId(60)}/1280`,
    crypto.getRandomValues(new Uint8Array(100)),
  ];
  await testEnv.MEDIA.put(`media/${crowdMediaId(post)}/1280`, bytes);
  const session = cookies.get("everyday") ?? "";
  const first = await ask(
    new Request(TEST_ORIGIN + closed, { headers: { Cookie: session, Range: "bytes=0-0" } }),
  );
  tap.trips.length = 0;
  const got = new Uint8Array(bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const answer = await ask(
      new Request(TEST_ORIGIN + closed, {
        headers: { Cookie: `${session}; ${cookiesOf(first)}`, Range: `bytes=${at}-${at}` },
      }),
    );
    if (answer.status !== 206) throw new Error(`range ${at} answered ${answer.status}`);
    got.set(new Uint8Array(await answer.arrayBuffer()), at);
  }
  expect(got).toEqual(bytes);
  const access = tap.trips.filter((trip) => trip.some(({ query }) => query.includes("post_media")));
  expect(access.map((trip) => trip.length)).toEqual(
    Array.from({ length: bytes.byteLength }, () => 1),
  );
  expect(
    (
      await ask(
        new Request(TEST_ORIGIN + closed, { headers: { Cookie: cookies.get("quiet") ?? "" } }),
      )
    ).status,
  ).toBe(404);
});

test.each([
  ["SELECT * FROM posts WHERE title = ?", ["x"], ["SCAN posts"]],
  ["SELECT * FROM posts p WHERE p.title = 'x' LIMIT 1", [], ["SCAN p"]],
  [
    "SELECT id FROM posts ORDER BY published_at",
    [],
    ["SCAN posts USING COVERING INDEX posts_recent"],
  ],
  ["SELECT id FROM posts ORDER BY published_at LIMIT 10", [], []],
  ["SELECT * FROM posts WHERE id = ?", ["x"], []],
  ["SELECT value FROM json_each(?)", ["[1]"], []],
  ["SELECT * FROM (SELECT id FROM posts WHERE id = 'x') posts_of_one", [], []],
])("wholeTableReads of %s finds its full scans", async (query, params, found) => {
  expect(await wholeTableReads(testEnv.DB, { query, params })).toEqual(found);
});
