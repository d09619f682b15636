import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { AUDIENCE_PAGE_SIZE } from "#app/domain/notifications/commands/fan-out.server.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import { unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { blocks, follows } from "#drizzle/schema/profiles.ts";
import { composition, OPEN } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let world: World;
let ana: Seller;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const written = (more: Partial<Composition> = {}) => composition(world.ctx, ana.id, more);
const published = async (more: Partial<Composition> = {}) => {
  const post = written(more);
  await publishComposition(world.ctx, { ...post, at: null });
  return post;
};
const notificationsAbout = async (postId: string) =>
  (
    await world.ctx.db
      .select()
      .from(notifications)
      .where(eq(notifications.path, `/post/${postId}`))
  ).map((row) => row.personId);

describe("the people notified of a new post", () => {
  test("are the followers and subscribers who can see it, once, despite repeated deliveries", async () => {
    const author = await createSeller(world.ctx);
    const [follower, fan, both, blocked, stranger] = [
      await createPerson(world.ctx),
      await createPerson(world.ctx),
      await createPerson(world.ctx),
      await createPerson(world.ctx),
      await createPerson(world.ctx),
    ];
    for (const one of [follower, both, blocked])
      await follow(world.ctx, { followerId: one.id, creatorId: author.id });
    for (const one of [fan, both]) await paidSubscription(world, one, author);
    await world.ctx.db
      .insert(blocks)
      .values({ blockerId: author.id, blockedId: blocked.id, createdAt: world.ctx.now() });
    const open = await published({ authorId: author.id });
    const paid = await published({
      authorId: author.id,
      rules: [
        { ...OPEN, kind: "subscribers" },
        { ...OPEN, opensAt: world.ctx.now() + DAY_MS },
      ],
    });
    await world.drain();
    for (const post of [open, paid]) {
      const id = `post:${post.postId}:published`;
      await deliverOutboxMessage(world.ctx, { outboxId: id });
      await world.ctx.db
        .update(outbox)
        .set({ handledAt: null, progress: null })
        .where(eq(outbox.id, id));
      await Promise.all([1, 2, 3].map(() => deliverOutboxMessage(world.ctx, { outboxId: id })));
    }
    expect((await notificationsAbout(open.postId)).toSorted()).toEqual(
      [follower.id, fan.id, both.id].toSorted(),
    );
    expect((await notificationsAbout(paid.postId)).toSorted()).toEqual(
      [fan.id, both.id].toSorted(),
    );
    expect(await notificationsAbout(open.postId)).not.toContain(stranger.id);
  });

  test("are not notified again when the post is unpublished and published again", async () => {
    const author = await createSeller(world.ctx);
    const fan = await createPerson(world.ctx);
    await follow(world.ctx, { followerId: fan.id, creatorId: author.id });
    const post = await published({ authorId: author.id });
    await world.drain();
    await unpublishPost(world.ctx, post);
    await publishComposition(world.ctx, { ...post, version: 2, at: null });
    await world.drain();
    await world.tick();
    expect(await notificationsAbout(post.postId)).toEqual([fan.id]);
  });

  test("are notified page by page, once each, when messages are lost and delivered again", async () => {
    const author = await createSeller(world.ctx);
    const many = AUDIENCE_PAGE_SIZE * 2 + 37;
    const ids = Array.from({ length: many }, () => world.ctx.newId());
    const rows = ids.map((followerId) => ({
      followerId,
      creatorId: author.id,
      createdAt: world.ctx.now(),
    }));
    for (let from = 0; from < rows.length; from += 30)
      await world.ctx.db.insert(follows).values(rows.slice(from, from + 30));
    const post = await published({ authorId: author.id });
    const outboxId = `post:${post.postId}:published`;
    world.queued.length = 0;
    await Promise.all([
      deliverOutboxMessage(world.ctx, { outboxId }),
      deliverOutboxMessage(world.ctx, { outboxId }),
    ]);
    expect((await notificationsAbout(post.postId)).length).toBeLessThan(many);
    // The sweep finds what the queue lost.
    world.queued.length = 0;
    await world.ctx.db
      .update(outbox)
      .set({ createdAt: 0, enqueuedUntil: 0 })
      .where(eq(outbox.id, outboxId));
    for (let round = 0; round < 4; round += 1) await world.tick();
    const notified = await notificationsAbout(post.postId);
    expect(notified).toHaveLength(many);
    expect(new Set(notified)).toEqual(new Set(ids));
    const [message] = await world.ctx.db.select().from(outbox).where(eq(outbox.id, outboxId));
    expect(message?.handledAt).not.toBeNull();
  });
});
