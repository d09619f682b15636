import { beforeAll, describe, expect, test } from "vitest";
import { follow } from "#app/domain/profiles/commands.server.ts";
import * as mentions from "#app/routes/resources/mentions.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { commentHelpers } from "#tests/support/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ROUTE = { path: "resources/mentions", module: mentions };
const routes = callRoutesAs([ROUTE]);

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { newcomer, publish, say, block } = commentHelpers(() => ({ world, author: ana }));

const followed = async (who: TestPerson, creator: TestPerson) =>
  await follow(world.ctx, { followerId: who.id, creatorId: creator.id });
const suggested = async (who: TestPerson, q: string, post?: string): Promise<string[]> => {
  const search = new URLSearchParams({ q, ...(post === undefined ? {} : { post }) });
  const { people } = await routes.read<{ people: { username: string }[] }>(
    { person: who },
    `/resources/mentions?${search}`,
  );
  return people.map(({ username }) => username);
};

describe("people to mention", () => {
  test("in a comment are the author, the commenters, and who the writer follows, by username or name", async () => {
    const [postId, bia, caio, dora] = [
      await publish(),
      await newcomer("Bia Prado"),
      await newcomer("Caio Lima"),
      await newcomer("Dora Prado"),
    ];
    await say(postId, bia);
    expect(await suggested(caio, bia.username.slice(0, 6), postId)).toContain(bia.username);
    expect(await suggested(caio, "prad", postId)).toEqual([bia.username]);
    expect(await suggested(caio, ana.username, postId)).toEqual([ana.username]);
    // Dora is a stranger to Caio until she comments. Nobody finds themselves.
    await say(postId, dora);
    expect((await suggested(caio, "Prado", postId)).toSorted()).toEqual(
      [bia.username, dora.username].toSorted(),
    );
    expect(await suggested(bia, bia.username, postId)).toEqual([]);
  });

  test("in a text without a post are those whom the writer follows and who follow the writer", async () => {
    const [fan, stranger] = [await newcomer("Fábio Reis"), await newcomer("Fábio Costa")];
    await followed(fan, ana);
    expect(await suggested(ana, "Fábio")).toEqual([fan.username]);
    expect(await suggested(fan, ana.username)).toEqual([ana.username]);
    expect(await suggested(stranger, "Fábio")).toEqual([]);
  });

  test("are never those who are blocked either way, or who cannot see the post", async () => {
    const [open, closed] = [await publish(), await publish("subscribers")];
    const [gil, hugo] = [await newcomer("Gil Moura"), await newcomer("Hugo Moura")];
    for (const person of [gil, hugo]) await say(open, person);
    await followed(gil, ana);
    expect(await suggested(ana, "Gil", open)).toEqual([gil.username]);
    expect(await suggested(ana, "Gil", closed)).toEqual([]);
    await block(gil, hugo);
    expect(await suggested(hugo, "Gil", open)).toEqual([]);
    expect(await suggested(gil, "Hugo", open)).toEqual([]);
  });

  test("are none for an empty or strange text, or for a post that does not exist", async () => {
    for (const q of ["", "%", "_", "x".repeat(60)]) expect(await suggested(ana, q)).toEqual([]);
    expect(await suggested(ana, ana.username, "nada")).toEqual([]);
  });

  test("are not asked for more often than a person types", async () => {
    const keys: string[] = [];
    const limited = callRoutesAs([ROUTE], {
      ...testEnv,
      SEARCH_LIMITER: {
        limit: async ({ key }: { key: string }) => {
          keys.push(key);
          return { success: false };
        },
      },
    });
    const answer = await limited.get({ person: ana }, "/resources/mentions?q=bi");
    expect([answer.status, keys]).toEqual([429, [`mentions:${ana.id}`]]);
  });
});
