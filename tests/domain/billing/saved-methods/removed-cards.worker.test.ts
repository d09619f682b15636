import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import {
  purgeRemovedMethods,
  detachSavedMethod,
} from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { createPerson } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { testEnv } from "#tests/support/worker-env.ts";

test("detaching a removed card deletes only its row, the scheduled purge deletes the others, and neither scans the table", async () => {
  const { ctx } = await testContext();
  const [bruno, clara] = [await createPerson(ctx, "Bruno"), await createPerson(ctx, "Clara")];
  const [removed, theirs, stored] = [ctx.newId(), ctx.newId(), ctx.newId()];
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
      { ...card(removed, bruno.id), removedAt: 1 },
      { ...card(theirs, clara.id), removedAt: 1, forgottenAt: 1 },
      card(stored, clara.id),
    ]);
  const left = async () =>
    (
      await ctx.db
        .select({ id: savedMethods.id })
        .from(savedMethods)
        .where(inArray(savedMethods.id, [removed, theirs, stored]))
    )
      .map(({ id }) => id)
      .toSorted();
  const tap = recordDatabase(testEnv.DB);
  const listening = { ...ctx, db: openDatabase(tap.database) };
  await detachSavedMethod(listening, { methodId: removed });
  expect(await left()).toEqual([theirs, stored].toSorted());
  await purgeRemovedMethods(listening);
  expect(await left()).toEqual([stored]);
  const asked = tap.trips.flat();
  expect(asked.length).toBeGreaterThan(3);
  for (const one of asked) expect(await wholeTableReads(testEnv.DB, one), one.query).toEqual([]);
  await ctx.db.delete(savedMethods).where(eq(savedMethods.id, stored));
});
