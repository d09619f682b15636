import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { block, follow, mute, openSpace } from "#app/domain/profiles/commands.server.ts";
import { similarCreatorsStatement } from "#app/domain/profiles/queries/similar-creators.server.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";
import { people } from "#drizzle/schema/identity.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: TestPerson;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await creator("Ana", "science");
  bruno = await createPerson(world.ctx, "Bruno");
});

async function creator(name: string, category: CreatorCategory | ""): Promise<TestPerson> {
  const made = await createPerson(world.ctx, name);
  await openSpace(world.ctx, {
    personId: made.id,
    name,
    bio: "Texto.",
    craft: "Ofício",
    city: "",
    category,
    avatarMediaId: null,
    bannerMediaId: null,
  });
  return made;
}

async function fanOf(...creators: TestPerson[]): Promise<void> {
  const fan = await createPerson(world.ctx, "Fã");
  for (const { id: creatorId } of creators)
    await follow(world.ctx, { followerId: fan.id, creatorId });
}

const suggested = async (limit = 100) =>
  (
    await similarCreatorsStatement(world.ctx, {
      creatorKey: ana.username,
      viewerId: bruno.id,
      limit,
    })
  ).map(({ id }) => id);

test("whom the same people follow comes first, by how many, then the same category", async () => {
  const [often, once, alike, other] = [
    await creator("Muito seguido junto", "music"),
    await creator("Seguido junto", "food"),
    await creator("Do mesmo assunto", "science"),
    await creator("De outro assunto", "nature"),
  ];
  await fanOf(ana, often, once);
  await fanOf(ana, often);
  await fanOf(other);
  const found = await suggested();
  expect(found.slice(0, 2)).toEqual([often.id, once.id]);
  expect(found).toContain(alike.id);
  expect(found).not.toContain(other.id);
  expect(found).not.toContain(ana.id);
  expect(await suggested(1)).toEqual([often.id]);
});

test("nobody whom the viewer follows, muted or blocked, and nobody banned", async () => {
  const [followed, muted, blocked, banned] = [
    await creator("Seguido", "science"),
    await creator("Silenciado", "science"),
    await creator("Bloqueado", "science"),
    await creator("Banido", "science"),
  ];
  await fanOf(ana, followed, muted, blocked, banned);
  const all = [followed.id, muted.id, blocked.id, banned.id];
  expect(await suggested()).toEqual(expect.arrayContaining(all));
  await follow(world.ctx, { followerId: bruno.id, creatorId: followed.id });
  await mute(world.ctx, { personId: bruno.id, otherId: muted.id });
  await block(world.ctx, { personId: bruno.id, otherId: blocked.id });
  await world.ctx.db
    .update(people)
    .set({ bannedAt: world.ctx.now() })
    .where(eq(people.id, banned.id));
  const found = await suggested();
  for (const id of all) expect(found).not.toContain(id);
});

test("without a category and without followers there is nobody", async () => {
  ana = await creator("Sozinha", "");
  expect(await suggested()).toEqual([]);
});

test("reads no whole table", async () => {
  const { sql: query, params } = similarCreatorsStatement(world.ctx, {
    creatorKey: ana.username,
    viewerId: bruno.id,
    limit: 4,
  }).toSQL();
  expect(await wholeTableReads(testEnv.DB, { query, params })).toEqual([]);
});
