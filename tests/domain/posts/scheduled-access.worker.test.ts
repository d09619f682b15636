import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccessRule } from "#app/domain/access/rules.ts";
import { editPost, publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import { deletePost, unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { announceOpenedPosts } from "#app/domain/posts/commands/scheduled-access.server.ts";
import { duePostOpenings } from "#app/domain/posts/queries/studio.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { composition, OPEN } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";

let world: World;

beforeAll(async () => {
  world = await testContext();
});

type Audience = { author: Seller; fan: TestPerson; follower: TestPerson; blocked: TestPerson };

async function audience(): Promise<Audience> {
  const [author, fan, follower, blocked] = [
    await createSeller(world.ctx),
    await createPerson(world.ctx),
    await createPerson(world.ctx),
    await createPerson(world.ctx),
  ];
  await paidSubscription(world, fan, author);
  for (const one of [follower, blocked])
    await follow(world.ctx, { followerId: one.id, creatorId: author.id });
  await world.ctx.db
    .insert(blocks)
    .values({ blockerId: author.id, blockedId: blocked.id, createdAt: 1 });
  return { author, fan, follower, blocked };
}

const written = (authorId: string, rules: AccessRule[]) =>
  composition(world.ctx, authorId, { title: "Antes de todo mundo", rules });
const planThenFollowers = ({ author }: Audience, opensAt: number): AccessRule[] => [
  { ...OPEN, kind: "plan", planId: author.planId },
  { ...OPEN, kind: "followers", opensAt },
];
const published = async (post: Composition) => {
  await publishComposition(world.ctx, { ...post, at: null });
  await minute();
};
const minute = async () => {
  await runNotificationsCron(world.ctx);
  await world.drain();
};
const notificationsAbout = async (postId: string) =>
  await world.ctx.db
    .select({
      personId: notifications.personId,
      body: notifications.body,
      kind: notifications.kind,
    })
    .from(notifications)
    .where(eq(notifications.path, `/post/${postId}`));
const peopleNotified = async (postId: string) =>
  (await notificationsAbout(postId)).map((row) => row.personId).toSorted();

describe("access for a plan now and for followers on Friday", () => {
  test("notifies the plan at publication and the followers when it opens for them, each once", async () => {
    const everyone = await audience();
    const post = written(everyone.author.id, planThenFollowers(everyone, world.ctx.now() + DAY_MS));
    await published(post);
    expect(await peopleNotified(post.postId)).toEqual([everyone.fan.id]);
    // The clock also moves while the test runs: an hour is longer than that on any machine.
    await world.advance(DAY_MS - HOUR_MS);
    await minute();
    expect(await peopleNotified(post.postId)).toEqual([everyone.fan.id]);
    await world.advance(HOUR_MS);
    for (let round = 0; round < 3; round += 1) await minute();
    expect(await peopleNotified(post.postId)).toEqual(
      [everyone.fan.id, everyone.follower.id].toSorted(),
    );
    expect(await notificationsAbout(post.postId)).toContainEqual({
      personId: everyone.follower.id,
      kind: "post.opened",
      body: "Ana Lira abriu “Antes de todo mundo” para você.",
    });
    expect(await duePostOpenings(world.ctx, { limit: 10 })).toEqual([]);
  });

  test("notifies at each opening time, and nobody a second time", async () => {
    const everyone = await audience();
    const now = world.ctx.now();
    const late = await createPerson(world.ctx);
    const post = written(everyone.author.id, [
      ...planThenFollowers(everyone, now + HOUR_MS),
      { ...OPEN, opensAt: now + 2 * HOUR_MS },
    ]);
    await published(post);
    await world.advance(HOUR_MS);
    await minute();
    await follow(world.ctx, { followerId: late.id, creatorId: everyone.author.id });
    await world.advance(HOUR_MS);
    await minute();
    expect(await peopleNotified(post.postId)).toEqual(
      [everyone.fan.id, everyone.follower.id, late.id].toSorted(),
    );
  });

  test("postponed to a later day notifies only on the later day", async () => {
    const everyone = await audience();
    const now = world.ctx.now();
    const post = written(everyone.author.id, planThenFollowers(everyone, now + HOUR_MS));
    await published(post);
    await editPost(world.ctx, {
      ...post,
      version: 1,
      rules: planThenFollowers(everyone, now + DAY_MS),
    });
    await world.advance(HOUR_MS);
    await minute();
    expect(await peopleNotified(post.postId)).toEqual([everyone.fan.id]);
    await world.advance(DAY_MS);
    await minute();
    expect(await peopleNotified(post.postId)).toEqual(
      [everyone.fan.id, everyone.follower.id].toSorted(),
    );
    await editPost(world.ctx, {
      ...post,
      version: 2,
      content: "Mudou depois.",
      rules: planThenFollowers(everyone, now + DAY_MS),
    });
    await minute();
    expect(await peopleNotified(post.postId)).toHaveLength(2);
  });

  test("notifies nobody of a post unpublished or deleted before, and checks it only once", async () => {
    const everyone = await audience();
    const posts = [
      written(everyone.author.id, planThenFollowers(everyone, world.ctx.now() + HOUR_MS)),
      written(everyone.author.id, planThenFollowers(everyone, world.ctx.now() + HOUR_MS)),
    ];
    const [down, deleted] = posts;
    if (!down || !deleted) throw new Error("two posts");
    for (const post of posts) await published(post);
    await unpublishPost(world.ctx, down);
    await deletePost(world.ctx, deleted);
    await world.advance(HOUR_MS);
    await minute();
    for (const post of posts) expect(await peopleNotified(post.postId)).toEqual([everyone.fan.id]);
    expect(await duePostOpenings(world.ctx, { limit: 10 })).toEqual([]);
    await publishComposition(world.ctx, { ...down, version: 2, at: null });
    await minute();
    expect(await peopleNotified(down.postId)).toEqual(
      [everyone.fan.id, everyone.follower.id].toSorted(),
    );
  });

  test("that opens before the publication is notified with the post only", async () => {
    const everyone = await audience();
    const now = world.ctx.now();
    const post = written(everyone.author.id, planThenFollowers(everyone, now + HOUR_MS));
    await publishComposition(world.ctx, { ...post, at: now + 2 * HOUR_MS });
    await world.advance(HOUR_MS);
    await minute();
    expect(await notificationsAbout(post.postId)).toEqual([]);
    await world.advance(HOUR_MS);
    await minute();
    expect((await notificationsAbout(post.postId)).map((row) => row.kind)).toEqual([
      "post.published",
      "post.published",
    ]);
  });

  test("found by several concurrent crons is announced once", async () => {
    const everyone = await audience();
    const post = written(
      everyone.author.id,
      planThenFollowers(everyone, world.ctx.now() + HOUR_MS),
    );
    await published(post);
    await world.advance(HOUR_MS);
    await Promise.all([1, 2, 3].map(() => announceOpenedPosts(world.ctx, { limit: 10 })));
    await world.drain();
    expect(await peopleNotified(post.postId)).toHaveLength(2);
  });

  test("is found through an index, without a table scan", async () => {
    const { results } = await world.env.DB.prepare(
      "EXPLAIN QUERY PLAN SELECT DISTINCT rule.post_id, rule.opens_at FROM post_access_rules rule WHERE rule.opens_at IS NOT NULL AND rule.announced_at IS NULL AND rule.opens_at <= 1 ORDER BY rule.opens_at LIMIT 10",
    ).all<{ detail: string }>();
    expect(results.map((row) => row.detail).join("\n")).toContain(
      "USING INDEX post_access_rules_opening",
    );
  });
});
