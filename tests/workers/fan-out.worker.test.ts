import { and, eq, isNull, like, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { composition } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

const POSTS = 250;

test("with a fan-out of many pages waiting, a payment's notice is delivered without waiting for it", async () => {
  const world = await testContext();
  const { ctx } = world;
  const [ana, bruno] = [await createSeller(ctx), await createPerson(ctx, "Bruno")];
  await world.drain();
  const ids = JSON.stringify(Array.from({ length: 1_200 }, () => ctx.newId()));
  await ctx.db.run(
    sql`INSERT INTO follows (follower_id, creator_id, created_at) SELECT value, ${ana.id}, 1 FROM json_each(${ids})`,
  );
  await publishComposition(ctx, { ...composition(ctx, ana.id, { mailTo: "readers" }), at: null });
  // Many other creators published in the same minute, all before the payment.
  await ctx.db.run(
    sql`INSERT INTO outbox (id, type, payload, created_at) SELECT printf('post:%05d:published', value), 'post.published', json_object('type', 'post.published', 'postId', printf('%05d', value), 'postTitle', 'T', 'authorId', ${ana.id}, 'authorName', 'Ana'), 1 FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${POSTS}) SELECT value FROM n)`,
  );
  await commit(ctx.db, [
    announce<OutboxMessage>(ctx, "paid", {
      type: "debt.paid",
      creatorId: bruno.id,
      chargeId: "c",
      amountCents: 1_990,
      leftCents: 0,
    }),
  ]);
  const soon: Context = { ...ctx, realNow: () => ctx.realNow() + 3 * SECOND_MS };
  await sweepOutbox(soon);
  const [paid] = await ctx.db.select().from(outbox).where(eq(outbox.id, "paid"));
  expect(paid?.handledAt).not.toBe(null);
  expect(
    await ctx.db.$count(outbox, and(like(outbox.id, "post:%"), isNull(outbox.handledAt))),
  ).toBe(POSTS + 2);
  expect(await ctx.db.$count(localMails, like(localMails.sourceKey, "newsletter:%"))).toBe(0);
  expect(world.queued.filter(({ id }) => id.startsWith("post:")).length).toBeGreaterThan(POSTS);
});
