import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { audience, visitSources } from "#app/domain/analytics/people/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import { postNumbers } from "#app/domain/analytics/posts/queries.server.ts";
import { creatorCalendar } from "#app/domain/analytics/ranges/queries.server.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import { recordVisit } from "#app/domain/analytics/views/commands.server.ts";
import { cloudflareDataset } from "#app/integrations/analytics-engine/cloudflare-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import * as publicSpace from "#app/routes/public/space.tsx";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { seenOften } from "#tests/support/many-views.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { AnalyticsResult } from "./analytics.ts";
import { sized } from "./size.ts";

const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...testEnv });
const PAGES = sizedHere(60, 2);
/** The clock of a worker stands still while it computes: many records are timed as one. */
const RECORDS_AT_ONCE = sizedHere(200, 5);
const POSTS = 10;
const FEW = { views: sizedHere(10_000, 100), points: sizedHere(10_000, 100) };
const MANY = { views: sizedHere(10_000_000, 1_000), points: sizedHere(100_000, 100) };

test("analytics", async () => {
  const world = await testContext({ webhooks: false });
  const result: AnalyticsResult = {
    recording: await recording(world),
    shown: await bothShown(world),
  };
  expect(result.recording.page).toHaveLength(PAGES);
  console.log(`bench.analytics ${JSON.stringify(result)}`);
});

/** Times some work. The read at its end lets the worker's clock advance. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  await testEnv.DB.prepare("SELECT 1").all();
  const startedAt = performance.now();
  await work();
  await testEnv.DB.prepare("SELECT 1").all();
  return performance.now() - startedAt;
}

/** Pages and records in turns. The dataset is the platform's, whose binding returns at once. */
async function recording(world: World): Promise<AnalyticsResult["recording"]> {
  const ana: Seller = await createSeller(world.ctx);
  for (let at = 0; at < POSTS; at += 1) await soldPost(world.ctx, ana, { title: `Post ${at}` });
  const page = renderPagesAs(
    () => world.ctx,
    () => ({ ...ana, avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null }),
    [{ path: "space/:username/public", module: publicSpace }],
  );
  const binding = { writeDataPoint: () => undefined };
  const views = viewStore(cloudflareDataset({ binding, accountId: "bench", apiToken: "bench" }));
  const ctx = { ...world.ctx, views };
  const url = `https://coreto.example/space/${ana.username}/public`;
  const record = () =>
    recordVisit(ctx, {
      creatorId: ana.id,
      postId: null,
      kind: "view",
      ip: "203.0.113.7",
      country: "BR",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
      referrer: "https://www.instagram.com/",
      url: `${url}?utm_campaign=bio`,
      isOptedOut: false,
      hasRefused: false,
      isAhead: false,
    });
  const result: AnalyticsResult["recording"] = { page: [], recorded: [] };
  for (let at = 0; at < PAGES; at += 1) {
    result.page.push(await timed(() => page(`/space/${ana.username}/public`)));
    const together = await timed(async () => {
      for (let one = 0; one < RECORDS_AT_ONCE; one += 1) await record();
    });
    result.recorded.push(together / RECORDS_AT_ONCE);
  }
  return result;
}

/** A scan ends with the row after its range: each of the two has one. */
async function bothShown(world: World): Promise<AnalyticsResult["shown"]> {
  const creators = [
    await createSeller(world.ctx),
    await createSeller(world.ctx),
    await createSeller(world.ctx),
  ] as const;
  const [few, many, after] = creators.map(({ id }) => id) as [string, string, string];
  await seenOften(world.ctx, testEnv.DB, { creatorId: after, views: 28, points: 28 });
  return { few: await shown(world, few, FEW), many: await shown(world, many, MANY) };
}

/** The rows that the pages of the numbers read for 28 days. */
async function shown(
  world: World,
  creatorId: string,
  size: { views: number; points: number },
): Promise<AnalyticsResult["shown"]["few"]> {
  await seenOften(world.ctx, testEnv.DB, { creatorId, ...size });
  const { database, trips } = recordDatabase(testEnv.DB);
  const ctx = { ...world.ctx, db: openDatabase(database) };
  const calendar = await creatorCalendar(ctx, { creatorId });
  const { range } = parseRange(new URLSearchParams("range=28"), calendar);
  const { days } = await audience(ctx, { creatorId, range });
  await visitSources(ctx, { creatorId, range });
  await postNumbers(ctx, { creatorId, range });
  return {
    views: audienceWithin(days, range).views,
    rowsRead: trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
}
