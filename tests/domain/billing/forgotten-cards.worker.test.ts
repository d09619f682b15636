import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import {
  forgetRemovedMethods,
  forgetSavedMethod,
} from "#app/domain/billing/commands/saved-methods.server.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { testContext } from "#tests/support/context.ts";
import { databaseTap } from "#tests/support/d1-tap.ts";
import { person } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { testEnv } from "#tests/support/worker-env.ts";

test("forgetting one card touches that one, the rest is the calendar's, and neither reads the whole table", async () => {
  const { ctx } = await testContext();
  const [bruno, clara] = [await person(ctx, "Bruno"), await person(ctx, "Clara")];
  const [mine, theirs, kept] = [ctx.newId(), ctx.newId(), ctx.newId()];
  const card = (id: string, personId: string) => ({
    id,
    personId,
    provider: "sandbox",
    createdAt: 1,
    describedAt: 1,
  });
  await ctx.db
    .insert(savedMethods)
    .values([
      { ...card(mine, bruno.id), removedAt: 1 },
      { ...card(theirs, clara.id), removedAt: 1, forgottenAt: 1 },
      card(kept, clara.id),
    ]);
  const left = async () =>
    (
      await ctx.db
        .select({ id: savedMethods.id })
        .from(savedMethods)
        .where(inArray(savedMethods.id, [mine, theirs, kept]))
    )
      .map(({ id }) => id)
      .toSorted();
  const tap = databaseTap(testEnv.DB);
  const listening = { ...ctx, db: openDatabase(tap.database) };
  await forgetSavedMethod(listening, { methodId: mine });
  expect(await left()).toEqual([theirs, kept].toSorted());
  await forgetRemovedMethods(listening);
  expect(await left()).toEqual([kept]);
  const asked = tap.trips.flat();
  expect(asked.length).toBeGreaterThan(3);
  for (const one of asked) expect(await wholeTableReads(testEnv.DB, one), one.query).toEqual([]);
  await ctx.db.delete(savedMethods).where(eq(savedMethods.id, kept));
});
