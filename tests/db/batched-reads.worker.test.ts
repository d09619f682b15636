import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit, mustChangeOne, openDatabase } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { batchRequestReads } from "#app/db/batched-reads.ts";
import { mutes } from "#drizzle/schema/profiles.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const counted = countedDatabase(testEnv.DB);
let db: Database;

beforeEach(() => {
  db = openDatabase(batchRequestReads(counted.database));
  counted.reset();
});

const number = (value: number) => db.select({ value: sql<number>`${value}` }).from(sql`(SELECT 1)`);
const broken = () => db.select({ value: sql<number>`json('nothing')` }).from(sql`(SELECT 1)`);

test("batches of reads in one event loop turn are sent as one, and each gets its own rows", async () => {
  const [one, two] = await Promise.all([db.batch([number(1), number(2)]), db.batch([number(3)])]);
  expect([one, two]).toEqual([[[{ value: 1 }], [{ value: 2 }]], [[{ value: 3 }]]]);
  expect(counted.count()).toBe(1);
});

test("a read in a later turn is sent by itself", async () => {
  await db.batch([number(1)]);
  await db.batch([number(2)]);
  expect(counted.count()).toBe(2);
});

test("a failed read fails alone: the others are sent again and answered", async () => {
  const [good, bad] = await Promise.allSettled([db.batch([number(1)]), db.batch([broken()])]);
  expect(good).toEqual({ status: "fulfilled", value: [[{ value: 1 }]] });
  expect(bad.status).toBe("rejected");
  expect(counted.count()).toBe(3);
});

test("a write is sent by itself, once, and its failure affects no other query", async () => {
  const row = { muterId: crypto.randomUUID(), mutedId: "somebody", createdAt: 1 };
  const write = () =>
    commit(db, [mustChangeOne(db.insert(mutes).values(row).onConflictDoNothing())]);
  const [written, read] = await Promise.all([write(), db.batch([number(1)])]);
  expect([written, read]).toEqual([undefined, [[{ value: 1 }]]]);
  expect(counted.count()).toBe(2);
  const [refused, again] = await Promise.allSettled([write(), db.batch([number(2)])]);
  expect(refused).toMatchObject({ status: "rejected", reason: expect.any(StaleWrite) });
  expect(again).toEqual({ status: "fulfilled", value: [[{ value: 2 }]] });
});
