import { expect, test } from "vitest";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import {
  cleanBucket,
  cleanDatabase,
  cleanStorage,
  databaseContents,
} from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { paidPurchase, soldPost } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";

async function changeSchema(database: D1Database): Promise<void> {
  await database.exec("CREATE TABLE of_a_test (id TEXT)");
  await database.exec(
    "CREATE TRIGGER of_a_test BEFORE INSERT ON people BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
}

test.each([
  ["wrote", async () => {}],
  ["wrote, and what it changed in the schema", changeSchema],
])(
  "each test file starts with freshly migrated databases, whatever another file %s",
  async (_, change) => {
    const { DB, PSP_DB, MEDIA } = testEnv;
    await cleanStorage();
    const found = [await databaseContents(DB), await databaseContents(PSP_DB)];
    const world = await testContext();
    const author = await createSeller(world.ctx);
    const { postId } = await soldPost(world.ctx, author, { title: "Zabumbeiro" });
    await paidPurchase(world, await createPerson(world.ctx), postId);
    await refreshDiscovery(world.ctx);
    await MEDIA.put("left/behind", "bytes");
    await change(DB);
    const searched = () =>
      DB.prepare(
        "SELECT count(*) AS posts FROM post_search WHERE post_search MATCH 'Zabumbeiro'",
      ).first("posts");
    expect(await searched()).toBe(1);
    expect((await databaseContents(DB)).rows["ledger_entries"]).not.toEqual([]);

    await cleanDatabase("DB", DB, []);
    await cleanDatabase("PSP_DB", PSP_DB, []);
    await cleanBucket(MEDIA);

    expect([await databaseContents(DB), await databaseContents(PSP_DB)]).toEqual(found);
    expect(await searched()).toBe(0);
    expect((await MEDIA.list()).objects).toEqual([]);
    expect((await createPerson(world.ctx)).id).toBeTruthy();
  },
);
