import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { prepareReads } from "#app/db/prepared-reads.ts";
import { openDatabase } from "#app/db/client.server.ts";
import { subscriptionSnapshotStatements } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let times = 0;
const reads = prepareReads((db) => {
  times += 1;
  return [
    db
      .select({ person: people, name: profiles.name, nobody: inbox })
      .from(people)
      .innerJoin(profiles, eq(profiles.personId, people.id))
      .leftJoin(inbox, eq(inbox.id, people.id))
      .where(eq(people.id, sql.placeholder("personId"))),
    db
      .select({
        named: sql<boolean>`${sql.placeholder("name")} = ${profiles.name}`
          .mapWith((value: number) => value === 1)
          .as("named"),
      })
      .from(profiles)
      .where(eq(profiles.personId, sql.placeholder("personId"))),
    db
      .select({ one: sql<number>`1`.as("one") })
      .from(people)
      .limit(1),
  ];
});

test("prepared reads are built once, run in one batch on any database, and match single reads", async () => {
  const { ctx } = await testContext();
  const [ana, bruno] = [await createPerson(ctx, "Ana"), await createPerson(ctx, "Bruno")];
  for (const { id, name } of [ana, bruno, ana]) {
    const counted = countedDatabase(testEnv.DB);
    const db = openDatabase(counted.database);
    const [[found], [named], [one]] = await db.batch(reads(db, { personId: id, name }));
    const [plain] = await ctx.db.select().from(people).where(eq(people.id, id));
    expect(found).toEqual({ person: plain, name, nobody: null });
    expect([named, one, counted.count()]).toEqual([{ named: true }, { one: 1 }, 1]);
  }
  const [[nobody], [other]] = await ctx.db.batch(
    reads(ctx.db, { personId: bruno.id, name: ana.name }),
  );
  expect([nobody?.name, other]).toEqual([bruno.name, { named: false }]);
  expect(times).toBe(1);
});

test("prepared reads refuse to run without a value", async () => {
  const { ctx } = await testContext();
  await expect(async () => await ctx.db.batch(reads(ctx.db, { name: "Ana" }))).rejects.toThrow(
    /personId/,
  );
});

test("prepared reads refuse to come near D1's limit of one hundred columns", () => {
  const wide = (columns: number) =>
    prepareReads((db) => [
      db
        .select(
          Object.fromEntries(
            Array.from({ length: columns }, (_, at) => [`c${at}`, sql<number>`${at}`.as(`c${at}`)]),
          ),
        )
        .from(people)
        .limit(1),
    ]);
  expect(() => wide(95)(openDatabase(testEnv.DB), {})).not.toThrow();
  expect(() => wide(96)(openDatabase(testEnv.DB), {})).toThrow(/gives 96 columns/);
});

test("the subscription snapshot leaves room for future columns", async () => {
  const { ctx } = await testContext();
  for (const statement of subscriptionSnapshotStatements(
    { db: ctx.db, adultSpaces: true },
    { subscriptionId: sql<string>`${"none"}` },
  )) {
    const { sql: query, params } = statement.toSQL();
    const [columns = []] = await testEnv.DB.prepare(query)
      .bind(...params)
      .raw({ columnNames: true });
    expect(columns.length).toBeGreaterThan(0);
    expect(columns.length).toBeLessThanOrEqual(80);
  }
});
