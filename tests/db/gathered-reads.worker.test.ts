import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { createPerson } from "#tests/support/people.ts";
import { testContext } from "#tests/support/context.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const one = (value: number) => sql`SELECT ${value} AS value`;

test("reads of one tick are one call, and each gets its own rows", async () => {
  const counted = countedDatabase(testEnv.DB);
  const db = openDatabase(counted.database).gathering();
  const read = await Promise.all([db.all(one(1)), db.get(one(2)), db.values(one(3))]);
  expect(read).toEqual([[{ value: 1 }], { value: 2 }, [[3]]]);
  expect([counted.count(), db.callsMade()]).toEqual([1, 1]);
});

test("a read that follows another is a second call", async () => {
  const db = openDatabase(testEnv.DB).gathering();
  const twice = async () => [await db.all(one(1)), await db.all(one(2))];
  await Promise.all([twice(), twice(), twice()]);
  expect(db.callsMade()).toBe(2);
});

test("a read that fails does not fail the reads beside it", async () => {
  const db = openDatabase(testEnv.DB).gathering();
  const read = await Promise.allSettled([
    db.all(one(1)),
    db.all(sql`SELECT * FROM no_such_table`),
    db.all(one(2)),
  ]);
  expect(read.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("changed rows are counted, whether written alone, in a batch or by a gathering database", async () => {
  const { ctx } = await testContext();
  const bia = await createPerson(ctx, "Bia");
  const db = openDatabase(testEnv.DB);
  const moved = () =>
    db
      .update(people)
      .set({ provider: "one" })
      .where(sql`${people.id} = ${bia.id}`);
  await db.all(one(1));
  expect(db.rowsChanged()).toBe(0);
  await moved();
  expect(db.rowsChanged()).toBe(1);
  await db.batch([moved(), moved()]);
  expect(db.rowsChanged()).toBe(3);
  await moved().returning({ id: people.id });
  expect(db.rowsChanged()).toBe(4);
  await db
    .gathering()
    .update(people)
    .set({ provider: "other" })
    .where(sql`${people.id} = ${bia.id}`);
  expect(db.rowsChanged()).toBe(5);
});
