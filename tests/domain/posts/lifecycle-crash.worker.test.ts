import { eq, like, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { AccessRule } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { AUDIENCE_PAGE_SIZE } from "#app/domain/notifications/commands/fan-out.server.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { publishDuePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";
import { composition, OPEN } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { crashAtEveryPoint } from "#tests/support/crash-world.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

/** One more than a page, so that a crash also falls between pages of the notifications. */
const FOLLOWERS = AUDIENCE_PAGE_SIZE + 1;

/** A world with crash points at each write and each queue message. */
async function mortalWorld() {
  const points = crashPoints();
  const world = await testContext({ database: points.database });
  const { queues } = world.ctx;
  (world.ctx as { queues: Context["queues"] }).queues = {
    ...queues,
    notifications: points.port(queues.notifications),
    fanOut: points.port(queues.fanOut),
  };
  return { world, points };
}

async function followed(world: World): Promise<Seller> {
  const author = await createSeller(world.ctx);
  const ids = JSON.stringify(Array.from({ length: FOLLOWERS }, () => world.ctx.newId()));
  await world.ctx.db.run(
    sql.raw(
      `INSERT INTO follows (follower_id, creator_id, created_at) SELECT value, '${author.id}', 1 FROM json_each('${ids}')`,
    ),
  );
  return author;
}

/** Runs the cron, and delivers each message that it enqueued twice. */
async function aMinute(world: World): Promise<void> {
  await runNotificationsCron(world.ctx);
  for (let round = 0; round < 6 && world.queued.length > 0; round += 1) {
    const batch = world.queued.splice(0);
    for (const { type, id } of [...batch, ...batch])
      await (type === "post.publish"
        ? publishDuePost(world.ctx, { postId: id })
        : deliverOutboxMessage(world.ctx, { outboxId: id }));
  }
}

/** Recovers after a crash: the queue is lost, and outbox messages are old enough to be swept. */
async function recover(world: World, postId: string): Promise<void> {
  world.queued.length = 0;
  for (let minute = 0; minute < 4; minute += 1) {
    await world.ctx.db
      .update(outbox)
      .set({ createdAt: 0, enqueuedUntil: 0 })
      .where(like(outbox.id, `post:${postId}:%`));
    await aMinute(world);
  }
}

const notificationsAbout = async (world: World, postId: string) =>
  (
    await world.ctx.db
      .select({ id: notifications.personId })
      .from(notifications)
      .where(eq(notifications.path, `/post/${postId}`))
  ).map((row) => row.id);
const composed = (world: World, author: Seller, rules: AccessRule[]) =>
  composition(world.ctx, author.id, { title: "Às sete em ponto", rules });

test(
  "a scheduled post is published once at its minute, with one notification each, after any crash and repeated delivery",
  { timeout: 120_000 },
  async () => {
    const points = await crashAtEveryPoint(async (at) => {
      const { world, points } = await mortalWorld();
      const author = await followed(world);
      const post = composed(world, author, [OPEN]);
      const minute = world.ctx.now() + HOUR_MS;
      await publishComposition(world.ctx, { ...post, at: minute });
      await aMinute(world);
      expect(await storedPost(world.ctx, post)).toMatchObject({ state: "scheduled" });
      await world.advance(HOUR_MS);
      points.arm(at);
      const end = await survives(points, () => aMinute(world));
      points.disarm();
      await recover(world, post.postId);
      expect(await storedPost(world.ctx, post)).toMatchObject({
        state: "published",
        publishedAt: minute,
        scheduledAt: null,
        version: 2,
      });
      expect((await profileOfPerson(world.ctx, { personId: author.id }))?.postsCount).toBe(1);
      const notified = await notificationsAbout(world, post.postId);
      expect([notified.length, new Set(notified).size]).toEqual([FOLLOWERS, FOLLOWERS]);
      return end;
    });
    expect(points).toBeGreaterThan(8);
  },
);

test(
  "a post that opens later notifies its new audience once, after any crash and repeated delivery",
  { timeout: 120_000 },
  async () => {
    const points = await crashAtEveryPoint(async (at) => {
      const { world, points } = await mortalWorld();
      const author = await followed(world);
      const opensAt = world.ctx.now() + HOUR_MS;
      const post = composed(world, author, [
        { ...OPEN, kind: "subscribers" },
        { ...OPEN, kind: "followers", opensAt },
      ]);
      await publishComposition(world.ctx, { ...post, at: null });
      await recover(world, post.postId);
      expect(await notificationsAbout(world, post.postId)).toEqual([]);
      await world.advance(HOUR_MS);
      points.arm(at);
      const end = await survives(points, () => aMinute(world));
      points.disarm();
      await recover(world, post.postId);
      const notified = await notificationsAbout(world, post.postId);
      expect([notified.length, new Set(notified).size]).toEqual([FOLLOWERS, FOLLOWERS]);
      const announced = await world.ctx.db
        .select({ id: outbox.id })
        .from(outbox)
        .where(like(outbox.id, `post:${post.postId}:%`));
      expect(announced.map(({ id }) => id).toSorted()).toEqual(
        [`post:${post.postId}:opened:${opensAt}`, `post:${post.postId}:published`].toSorted(),
      );
      return end;
    });
    expect(points).toBeGreaterThan(6);
  },
);
