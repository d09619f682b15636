import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  follow,
  openSpace,
  registerProfileStatements,
  unfollow,
  updateProfile,
} from "#app/domain/profiles/commands.server.ts";
import {
  CannotFollow,
  CannotFollowYourself,
  ProfileNotFound,
  SpaceAlreadyOpen,
  TooManyFollows,
} from "#app/domain/profiles/errors.ts";
import {
  creatorsByUsername,
  creatorsToFollow,
  profileByUsername,
  profileFor,
  profileOfPerson,
} from "#app/domain/profiles/queries.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { blocks, follows } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await testContext());
});

const profile = {
  name: "Ana Lira",
  bio: "Rabeca.",
  craft: "forró",
  city: "Recife, PE",
  avatarMediaId: null,
  bannerMediaId: null,
};

describe("following", () => {
  test("has a limit, beside which a page that closed to somebody stays its own refusal", async () => {
    const fan = await createPerson(ctx);
    const creators = await Promise.all(Array.from({ length: 3 }, () => createSeller(ctx)));
    const [one, other, third] = creators.map(({ id }) => id);
    for (let count = 0; count < 60; count += 1) {
      await follow(ctx, { followerId: fan.id, creatorId: one ?? "" });
      await unfollow(ctx, { followerId: fan.id, creatorId: one ?? "" });
    }
    await expect(follow(ctx, { followerId: fan.id, creatorId: other ?? "" })).rejects.toThrow(
      TooManyFollows,
    );
    const later = { ...ctx, now: () => ctx.now() + 60_001 };
    await follow(later, { followerId: fan.id, creatorId: other ?? "" });
    await ctx.db.insert(blocks).values({ blockerId: third ?? "", blockedId: fan.id, createdAt: 1 });
    await expect(follow(later, { followerId: fan.id, creatorId: third ?? "" })).rejects.toThrow(
      CannotFollow,
    );
  });

  test("1,000 clicks at once are one follower", async () => {
    const [creator, fan] = [await createSeller(ctx), await createPerson(ctx)];
    // Past the limit they are refused.
    await Promise.allSettled(
      Array.from({ length: 1_000 }, () =>
        follow(ctx, { followerId: fan.id, creatorId: creator.id }),
      ),
    );
    expect((await profileOfPerson(ctx, { personId: creator.id }))?.followersCount).toBe(1);
  });

  test("the counter equals the number of rows after concurrent follows and unfollows", async () => {
    const creator = await createSeller(ctx);
    const ids = Array.from({ length: 60 }, () => ctx.newId());
    await Promise.all(ids.map((followerId) => follow(ctx, { followerId, creatorId: creator.id })));
    await Promise.all(
      ids
        .slice(0, 25)
        .flatMap((followerId) => [
          unfollow(ctx, { followerId, creatorId: creator.id }),
          unfollow(ctx, { followerId, creatorId: creator.id }),
        ]),
    );
    expect((await profileOfPerson(ctx, { personId: creator.id }))?.followersCount).toBe(35);
    expect(await ctx.db.$count(follows, eq(follows.creatorId, creator.id))).toBe(35);
  });

  test("is refused for oneself, for people without a page, for unknown people and across a block", async () => {
    const [creator, fan] = [await createSeller(ctx), await createPerson(ctx)];
    await expect(follow(ctx, { followerId: creator.id, creatorId: creator.id })).rejects.toThrow(
      CannotFollowYourself,
    );
    await expect(follow(ctx, { followerId: creator.id, creatorId: fan.id })).rejects.toThrow(
      ProfileNotFound,
    );
    await expect(follow(ctx, { followerId: fan.id, creatorId: "nobody" })).rejects.toThrow(
      ProfileNotFound,
    );
    await ctx.db
      .insert(blocks)
      .values({ blockerId: creator.id, blockedId: fan.id, createdAt: ctx.now() });
    await expect(follow(ctx, { followerId: fan.id, creatorId: creator.id })).rejects.toThrow(
      CannotFollow,
    );
    expect(await profileFor(ctx, { key: creator.username, viewerId: fan.id })).toBeNull();
  });
});

describe("a page", () => {
  test("opens once", async () => {
    const { id } = await createPerson(ctx);
    await openSpace(ctx, { ...profile, personId: id });
    expect(await profileOfPerson(ctx, { personId: id })).toMatchObject({
      isCreator: true,
      name: "Ana Lira",
      craft: "forró",
    });
    await expect(openSpace(ctx, { ...profile, personId: id })).rejects.toThrow(SpaceAlreadyOpen);
  });

  test("retains its images when a change brings none", async () => {
    const { id } = await createPerson(ctx);
    await updateProfile(ctx, { ...profile, personId: id, avatarMediaId: "face" });
    await updateProfile(ctx, { ...profile, personId: id, bio: "Outra." });
    expect(await profileOfPerson(ctx, { personId: id })).toMatchObject({
      avatarMediaId: "face",
      bio: "Outra.",
    });
  });

  test("is found by its username in any case, and not once its person is banned", async () => {
    const creator = await createSeller(ctx);
    expect((await profileByUsername(ctx, { username: creator.username.toUpperCase() }))?.id).toBe(
      creator.id,
    );
    await ctx.db.update(people).set({ bannedAt: ctx.now() }).where(eq(people.id, creator.id));
    expect(await profileByUsername(ctx, { username: creator.username })).toBeNull();
  });

  test("cannot be taken over by choosing its id as a username", async () => {
    const creator = await createSeller(ctx);
    const thief = ctx.newId();
    await commit(
      ctx.db,
      registerProfileStatements(ctx, { personId: thief, username: creator.id, name: "Ladrão" }),
    );
    expect((await profileFor(ctx, { key: creator.id, viewerId: null }))?.id).toBe(creator.id);
  });

  test("has a unique username", async () => {
    const creator = await createSeller(ctx);
    const again = registerProfileStatements(ctx, {
      personId: ctx.newId(),
      username: creator.username.toUpperCase(),
      name: "Outra",
    });
    await expect(commit(ctx.db, again)).rejects.toThrow(UniqueViolation);
  });
});

describe("finding people", () => {
  test("suggestions leave out the person and everyone they already follow", async () => {
    const [creator, fan] = [await createSeller(ctx), await createSeller(ctx)];
    const suggested = async () =>
      (await creatorsToFollow(ctx, { viewerId: fan.id, limit: 200 })).map(({ id }) => id);
    expect(await suggested()).toContain(creator.id);
    expect(await suggested()).not.toContain(fan.id);
    await follow(ctx, { followerId: fan.id, creatorId: creator.id });
    expect(await suggested()).not.toContain(creator.id);
  });

  test("a mistyped username finds the intended person", async () => {
    const id = ctx.newId();
    await commit(ctx.db, [
      ctx.db.insert(people).values({
        id,
        provider: "test",
        providerUserId: id,
        email: `${id}@exemplo.test`,
        createdAt: ctx.now(),
      }),
      ...registerProfileStatements(ctx, {
        personId: id,
        username: "mestre-salu",
        name: "Mestre Salu",
      }),
    ]);
    await openSpace(ctx, { ...profile, personId: id, name: "Mestre Salu" });
    for (const typed of ["mestre-slau", "mestresalu", "Mestre-Sal"]) {
      expect(
        (await creatorsByUsername(ctx, { username: typed, limit: 4 })).map(
          ({ username }) => username,
        ),
      ).toContain("mestre-salu");
    }
    expect(
      (await creatorsByUsername(ctx, { username: "zzzzzzzz", limit: 4 })).map(
        ({ username }) => username,
      ),
    ).not.toContain("mestre-salu");
  });
});
