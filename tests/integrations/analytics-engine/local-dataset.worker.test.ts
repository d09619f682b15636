import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import {
  createSampler,
  localDataset,
} from "#app/integrations/analytics-engine/local-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import { viewPoint, viewStoreContract, VIEWS_AT } from "#tests/contracts/view-store.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);

viewStoreContract(async () => {
  await db.delete(coretoViews);
  return viewStore(localDataset(db, createSampler()));
});

test("a flood of 100,000 views in a minute is counted within 2 %, in few rows", () => {
  const sample = createSampler();
  let [kept, counted] = [0, 0];
  for (let view = 0; view < 100_000; view += 1) {
    const interval = sample("ana", VIEWS_AT + Math.floor((view / 100_000) * MINUTE_MS));
    if (interval > 0) kept += 1;
    counted += interval;
  }
  expect(Math.abs(counted - 100_000)).toBeLessThan(2_000);
  expect(kept).toBeLessThan(15_000);
});

test("a flood on one page costs no other its views", () => {
  const sample = createSampler();
  for (let view = 0; view < 50_000; view += 1) sample("ana", VIEWS_AT);
  expect([1, 2, 3].map(() => sample("bia", VIEWS_AT))).toEqual([1, 1, 1]);
});

test("a sampled sum weighs what was kept", async () => {
  await db.delete(coretoViews);
  const store = viewStore(localDataset(db, () => 10));
  await store.record(viewPoint(), VIEWS_AT);
  await store.record(viewPoint({ kind: "read", value: 60 }), VIEWS_AT);
  const range = {
    timeZone: "America/Sao_Paulo",
    from: VIEWS_AT - MINUTE_MS,
    until: VIEWS_AT + MINUTE_MS,
  };
  const [sum] = await store.sums(range, ["ana"]);
  expect(sum).toMatchObject({ count: 10, visitors: 1 });
  expect(await store.readSums(range, ["ana"])).toMatchObject([{ reads: 10, seconds: 600 }]);
});

test("what is older than asked is deleted", async () => {
  await db.delete(coretoViews);
  const store = viewStore(localDataset(db, () => 1));
  await store.record(viewPoint(), VIEWS_AT - DAY_MS);
  await store.record(viewPoint(), VIEWS_AT);
  await store.forget(VIEWS_AT - MINUTE_MS);
  expect(await db.$count(coretoViews)).toBe(1);
});
