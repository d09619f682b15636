import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { composeContext } from "#app/compose.server.ts";
import { attachMediaStatements } from "#app/domain/posts/commands/attach-media.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { issuePrivateFeed } from "#app/domain/syndication/commands/private-feeds.server.ts";
import { splitSitemapFiles } from "#app/domain/syndication/commands/sitemap.server.ts";
import {
  feedOfSubscription,
  privateFeedSubscriptions,
} from "#app/domain/syndication/queries/feeds.server.ts";
import { mintFeedToken } from "#app/http/public-pages/feeds.server.ts";
import * as privateFeed from "#app/routes/resources/syndication/private-feed.ts";
import * as privateFile from "#app/routes/resources/syndication/private-file.ts";
import * as publicFeed from "#app/routes/resources/syndication/public-feed.ts";
import * as sitemap from "#app/routes/resources/syndication/sitemap.ts";
import * as sitemapFile from "#app/routes/resources/syndication/sitemap-file.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import { POPULAR_AUTHOR, peopleStatements, postStatements } from "#tests/support/large-dataset.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import type { RecordedStatement } from "#tests/support/d1-recorder.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { mp3 } from "#tests/support/media-files.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { sendUploadOk } from "#tests/support/uploads.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { testEnv } from "#tests/support/worker-env.ts";

// Measures the database work of feeds, feed files and sitemaps while the data grows tenfold.

const CROWD = { people: 200, followers: 200 };
const FEW = 400;
const MANY = 4_000;
const now = testClock.now() - 60_000;

const tap = recordDatabase(testEnv.DB);
const ask = createRouteCaller(
  [
    { path: "sitemap.xml", module: sitemap },
    { path: "sitemaps/:file", module: sitemapFile },
    { path: "space/:username/rss.xml", module: publicFeed },
    { path: "feed/:token/:file", module: privateFeed },
    { path: "feed/files/:feedId/:mediaId/:variant/:signature/:name", module: privateFile },
  ],
  { ...testEnv, DB: tap.database },
);

let pages: Record<string, string>;
const seen = new Map<string, { few: RecordedStatement[]; many: RecordedStatement[] }>();

beforeAll(async () => {
  const world = await testContext();
  const [ana, fan] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
  await paidSubscription(world, fan, ana);
  const { postId } = await publishPost(world.ctx, {
    authorId: ana.id,
    title: "Ensaio",
    content: "De dentro.",
    teaser: "",
    audience: "subscribers",
    planIds: [],
    image: null,
  });
  const { id: mediaId } = await sendUploadOk(world.ctx, ana, mp3(), { filename: "ensaio.mp3" });
  await commit(
    world.ctx.db,
    await attachMediaStatements(world.ctx, {
      postId,
      ownerId: ana.id,
      media: [{ mediaId, alt: "O ensaio" }],
    }),
  );
  const { token, tokenHash } = await mintFeedToken();
  await issuePrivateFeed(world.ctx, { personId: fan.id, username: ana.username, tokenHash });
  await run([
    ...peopleStatements(CROWD, now),
    ...postStatements(CROWD, { from: 0, to: FEW, mostPosts: MANY, now }),
  ]);
  await splitSitemapFiles(world.ctx, { pageEntries: 300 });
  const index = await text("/sitemap.xml");
  const fileOf = (kind: string) => new RegExp(`/sitemaps/${kind}[^<]*`).exec(index)?.[0] ?? "";
  pages = {
    "a public feed": `/space/${POPULAR_AUTHOR}/rss.xml`,
    "a private feed": `/feed/${token}/rss.xml`,
    "a file of a private feed": new URL(
      /<enclosure url="([^"]+)"/.exec(await text(`/feed/${token}/rss.xml`))?.[1] ?? "",
      TEST_ORIGIN,
    ).pathname,
    "the sitemap's files": "/sitemap.xml",
    "a file of creators": fileOf("creators"),
    "a file of posts": fileOf("posts"),
    "a file of collections": fileOf("collections"),
  };
  for (const [name, path] of Object.entries(pages))
    seen.set(name, { few: await watched(path), many: [] });
  await run(postStatements(CROWD, { from: FEW, to: MANY, mostPosts: MANY, now }));
  for (const [name, path] of Object.entries(pages)) asksOf(name).many = await watched(path);
}, 120_000);

async function run(statements: string[]): Promise<void> {
  for (const statement of statements) await testEnv.DB.prepare(statement).run();
}

const text = async (path: string) => (await ask(new Request(TEST_ORIGIN + path))).text();

async function watched(path: string): Promise<RecordedStatement[]> {
  tap.trips.length = 0;
  expect([path, (await ask(new Request(TEST_ORIGIN + path))).status]).toEqual([path, 200]);
  return tap.trips.flat();
}

function asksOf(name: string) {
  const asks = seen.get(name);
  if (!asks) throw new Error(`${name} was not asked for`);
  return asks;
}

const rowsRead = (asks: RecordedStatement[]): number =>
  asks.reduce((sum, asked) => sum + asked.rowsRead, 0);
const readsWhole = async (asks: RecordedStatement[]) =>
  Promise.all(asks.map(async (asked) => [asked.query, await wholeTableReads(testEnv.DB, asked)]));

const NAMES = [
  "a public feed",
  "a private feed",
  "a file of a private feed",
  "the sitemap's files",
  "a file of creators",
  "a file of posts",
  "a file of collections",
];

describe.each(NAMES)("%s", (name) => {
  test("scans no whole table", async () => {
    const { many } = asksOf(name);
    expect(many.length).toBeGreaterThan(0);
    expect(await readsWhole(many)).toEqual(many.map(({ query }) => [query, []]));
  });

  test("reads as many rows with ten times as many posts", () => {
    const { few, many } = asksOf(name);
    expect(rowsRead(few)).toBeGreaterThan(0);
    expect(rowsRead(many)).toBeLessThanOrEqual(rowsRead(few) * 1.1 + 12);
  });
});

test("the feed settings of a subscriber and the sitemap cron scan no whole table", async () => {
  const { ctx } = await composeContext({ ...testEnv, DB: tap.database });
  tap.trips.length = 0;
  await privateFeedSubscriptions(ctx, { personId: "p", cursor: null, limit: 10 });
  await feedOfSubscription(ctx, { personId: "p", username: POPULAR_AUTHOR });
  await splitSitemapFiles(ctx, { pageEntries: 300, pages: 3 });
  const asks = tap.trips.flat().filter(({ query }) => /^\s*select/i.test(query));
  expect(asks.length).toBeGreaterThan(4);
  expect(await readsWhole(asks)).toEqual(asks.map(({ query }) => [query, []]));
});
