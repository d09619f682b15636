import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { creatorMoney } from "#app/domain/analytics/money/queries.server.ts";
import {
  audience,
  peopleOverall,
  visitSources,
} from "#app/domain/analytics/people/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import { postNumbers } from "#app/domain/analytics/posts/queries.server.ts";
import { creatorCalendar } from "#app/domain/analytics/ranges/queries.server.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { seenOften } from "#tests/support/many-views.ts";
import { createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** The rows that all pages of the numbers read for 28 days, and the views that they show. */
async function shownFor(world: World, creatorId: string) {
  const { database, trips } = recordDatabase(testEnv.DB);
  const ctx = { ...world.ctx, db: openDatabase(database) };
  const { range } = parseRange(
    new URLSearchParams("range=28"),
    await creatorCalendar(ctx, { creatorId }),
  );
  await creatorMoney(ctx, { creatorId, range });
  const { days } = await audience(ctx, { creatorId, range });
  await visitSources(ctx, { creatorId, range });
  await peopleOverall(ctx, { creatorId });
  await postNumbers(ctx, { creatorId, range });
  const statements = trips.flat();
  return {
    views: audienceWithin(days, range).views,
    statements: statements.length,
    rowsRead: statements.map(({ rowsRead }) => rowsRead),
    tables: statements.map(({ query }) => query).join("\n"),
  };
}

test("the pages read as many rows at ten million views as at ten thousand", async () => {
  const world = await testContext();
  const few = await createSeller(world.ctx);
  const many = await createSeller(world.ctx);
  // A scan ends with the row after its range: each of the two has one.
  const after = await createSeller(world.ctx);
  await seenOften(world.ctx, testEnv.DB, { creatorId: after.id, views: 28, points: 28 });
  await seenOften(world.ctx, testEnv.DB, { creatorId: few.id, views: 10_000, points: 10_000 });
  await seenOften(world.ctx, testEnv.DB, {
    creatorId: many.id,
    views: 10_000_000,
    points: 100_000,
  });
  const [small, large] = [await shownFor(world, few.id), await shownFor(world, many.id)];
  expect([small.views, large.views]).toEqual([10_000, 10_000_000]);
  expect(large.rowsRead).toEqual(small.rowsRead);
  expect(large.statements).toBe(8);
  expect(large.rowsRead.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(1_000);
  // What is raw is never summed while a page loads.
  expect(large.tables).not.toMatch(
    /(from|join) "?(coreto_views|charges|follows|subscriptions|purchases|ledger_entries)\b/i,
  );
}, 60_000);
