import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { block, follow, mute, unblock, unmute } from "#app/domain/profiles/commands.server.ts";
import {
  CannotBlockYourself,
  CannotFollow,
  SubscriptionBetween,
} from "#app/domain/profiles/errors.ts";
import {
  creatorsToFollow,
  profileFor,
  profileOfPerson,
} from "#app/domain/profiles/queries.server.ts";
import {
  blockedPeople,
  followedPeople,
  mutedPeople,
} from "#app/domain/profiles/queries/connections.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { homeFeed } from "#app/domain/posts/queries/feed.server.ts";
import { postFor, spacePosts } from "#app/domain/posts/queries.server.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { explore, newestExplored } from "#tests/support/discovery.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
beforeAll(async () => {
  world = await testContext();
});

const FIRST = { cursor: null, limit: 20 };
const post = (author: TestPerson) =>
  publishPost(world.ctx, {
    authorId: author.id,
    title: "Ensaio",
    content: "Oito músicas.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  });
const ids = (people: { id: string }[]) => people.map(({ id }) => id);
const titles = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

describe("muting a person", () => {
  test("removes their posts from the muter's lists and changes nothing else", async () => {
    const { ctx } = world;
    const [creator, fan, other] = [
      await createSeller(ctx),
      await createPerson(ctx),
      await createPerson(ctx),
    ];
    for (const one of [fan, other])
      await follow(ctx, { followerId: one.id, creatorId: creator.id });
    const { postId } = await post(creator);
    await mute(ctx, { personId: fan.id, otherId: creator.id });
    expect(titles(await homeFeed(ctx, { viewerId: fan.id, ...FIRST }))).not.toContain(postId);
    expect(titles(await newestExplored(world, fan))).not.toContain(postId);
    expect(titles(await homeFeed(ctx, { viewerId: other.id, ...FIRST }))).toContain(postId);
    expect(titles(await newestExplored(world, other))).toContain(postId);
    expect(await postFor(ctx, { postId, viewerId: fan.id })).not.toBeNull();
    expect(
      titles(await spacePosts(ctx, { authorKey: creator.username, viewerId: fan.id, ...FIRST })),
    ).toContain(postId);
    expect(await profileFor(ctx, { key: creator.id, viewerId: fan.id })).toMatchObject({
      isMuted: true,
      isFollowing: true,
    });
    expect(await profileFor(ctx, { key: fan.id, viewerId: creator.id })).toMatchObject({
      isMuted: false,
    });
    await unmute(ctx, { personId: fan.id, otherId: creator.id });
    expect(titles(await homeFeed(ctx, { viewerId: fan.id, ...FIRST }))).toContain(postId);
  });

  test("removes them from the muter's suggestions, and from nobody else's", async () => {
    const { ctx } = world;
    const [creator, fan, other] = [
      await createSeller(ctx),
      await createPerson(ctx),
      await createPerson(ctx),
    ];
    await ctx.db
      .update(profiles)
      .set({ followersCount: 9_000 })
      .where(eq(profiles.personId, creator.id));
    const suggested = async (viewer: TestPerson) => [
      ids(await creatorsToFollow(ctx, { viewerId: viewer.id, limit: 3 })).includes(creator.id),
      ids((await explore(ctx, viewer)).people.items).includes(creator.id),
    ];
    expect(await suggested(fan)).toEqual([true, true]);
    await mute(ctx, { personId: fan.id, otherId: creator.id });
    expect(await suggested(fan)).toEqual([false, false]);
    expect(await suggested(other)).toEqual([true, true]);
    expect(ids(await creatorsToFollow(ctx, { viewerId: creator.id, limit: 1_000 }))).not.toContain(
      fan.id,
    );
    await unmute(ctx, { personId: fan.id, otherId: creator.id });
    expect(await suggested(fan)).toEqual([true, true]);
  });

  test("twice counts once, and nobody can mute themselves", async () => {
    const { ctx } = world;
    const [one, other] = [await createPerson(ctx), await createPerson(ctx)];
    await Promise.all([1, 2, 3].map(() => mute(ctx, { personId: one.id, otherId: other.id })));
    expect((await mutedPeople(ctx, { personId: one.id, ...FIRST })).items).toHaveLength(1);
    await expect(mute(ctx, { personId: one.id, otherId: one.id })).rejects.toThrow(
      CannotBlockYourself,
    );
  });
});

describe("blocking a person", () => {
  test("hides both from each other and ends both follows, with the counter", async () => {
    const { ctx } = world;
    const [creator, fan] = [await createSeller(ctx), await createSeller(ctx)];
    await follow(ctx, { followerId: fan.id, creatorId: creator.id });
    await follow(ctx, { followerId: creator.id, creatorId: fan.id });
    const { postId } = await post(creator);
    await block(ctx, { personId: creator.id, otherId: fan.id });
    expect(await profileFor(ctx, { key: creator.id, viewerId: fan.id })).toBeNull();
    expect(await profileFor(ctx, { key: fan.id, viewerId: creator.id })).toBeNull();
    expect(await postFor(ctx, { postId, viewerId: fan.id })).toBeNull();
    expect((await profileOfPerson(ctx, { personId: creator.id }))?.followersCount).toBe(0);
    expect((await followedPeople(ctx, { personId: creator.id, ...FIRST })).items).toEqual([]);
    await expect(follow(ctx, { followerId: fan.id, creatorId: creator.id })).rejects.toThrow(
      CannotFollow,
    );
  });

  test("can be undone only by the person who blocked", async () => {
    const { ctx } = world;
    const [one, other] = [await createPerson(ctx), await createPerson(ctx)];
    await block(ctx, { personId: one.id, otherId: other.id });
    await unblock(ctx, { personId: other.id, otherId: one.id });
    expect(titles(await blockedPeople(ctx, { personId: one.id, ...FIRST }))).toEqual([other.id]);
    await unblock(ctx, { personId: one.id, otherId: other.id });
    expect(await profileFor(ctx, { key: one.id, viewerId: other.id })).not.toBeNull();
  });

  test("is refused while one of them pays the other, whoever asks", async () => {
    const { ctx } = world;
    const [creator, fan] = [await createSeller(ctx), await createPerson(ctx)];
    await paidSubscription(world, fan, creator);
    await expect(block(ctx, { personId: fan.id, otherId: creator.id })).rejects.toThrow(
      new SubscriptionBetween("payer").message,
    );
    await expect(block(ctx, { personId: creator.id, otherId: fan.id })).rejects.toThrow(
      new SubscriptionBetween("paid").message,
    );
    expect((await blockedPeople(ctx, { personId: creator.id, ...FIRST })).items).toEqual([]);
  });

  test("is refused for oneself", async () => {
    const one = await createPerson(world.ctx);
    await expect(block(world.ctx, { personId: one.id, otherId: one.id })).rejects.toThrow(
      CannotBlockYourself,
    );
  });
});

test("the lists are paginated newest first, without gaps", async () => {
  const { ctx } = world;
  const me = await createPerson(ctx);
  const others = await Promise.all(Array.from({ length: 5 }, () => createPerson(ctx)));
  for (const other of others) await mute(ctx, { personId: me.id, otherId: other.id });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof mutedPeople>> = await mutedPeople(ctx, {
      personId: me.id,
      cursor,
      limit: 2,
    });
    seen.push(...titles(page));
    cursor = page.next;
  } while (cursor);
  expect(seen.toSorted()).toEqual(others.map(({ id }) => id).toSorted());
  expect(new Set(seen).size).toBe(5);
});
