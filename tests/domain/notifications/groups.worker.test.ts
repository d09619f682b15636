import { eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  deliverOutboxMessage,
  markNotificationsRead,
  markNotificationsUnread,
} from "#app/domain/notifications/commands.server.ts";
import { addDevice } from "#app/domain/notifications/commands/devices.server.ts";
import { eraseNotificationsStatements } from "#app/domain/notifications/commands/erasure.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { likePost, publishPost, unlikePost } from "#app/domain/posts/commands.server.ts";
import { follow, mute } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { notificationDeliveries } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let ana: Seller;
let postId: string;
let startedAt: number;
beforeEach(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  ({ postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Itinerário",
    content: "Texto.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  }));
  startedAt = ctx.now();
});

const later = (ms: number): Context => ({ ...ctx, now: () => startedAt + ms });

const likedBy = (person: { id: string }) => `post:${postId}:liked:${person.id}`;

/** Likes and is announced, `ms` from now. */
async function likes(person: { id: string }, ms = 0): Promise<void> {
  const then = later(ms);
  await likePost(then, { postId, personId: person.id });
  await deliverOutboxMessage(then, { outboxId: likedBy(person) });
}

const bodies = async () =>
  (await memberNotifications(ctx, { personId: ana.id, cursor: null, limit: 50 })).items.map(
    ({ body }) => body,
  );

async function named(...names: string[]): Promise<TestPerson[]> {
  const made: TestPerson[] = [];
  for (const name of names) made.push(await createPerson(ctx, name));
  return made;
}

describe("likes of one post", () => {
  test("are one row that names the last and counts the others", async () => {
    const texts: string[] = [];
    for (const person of await named("Bia", "Caio", "Duda", "Enzo")) {
      await likes(person);
      texts.push((await bodies()).join(" / "));
    }
    expect(texts).toEqual([
      "Bia curtiu “Itinerário”.",
      "Caio e mais 1 pessoa curtiram “Itinerário”.",
      "Duda e mais 2 pessoas curtiram “Itinerário”.",
      "Enzo e mais 3 pessoas curtiram “Itinerário”.",
    ]);
  });

  test("of 500 people are one row and one push", async () => {
    await addDevice(ctx, {
      personId: ana.id,
      endpoint: `https://push.example.net/${ctx.newId()}`,
      p256dh: "p",
      auth: "a",
      userAgent: "",
    });
    const likers = Array.from({ length: 500 }, (_, index) => ({ id: ctx.newId(), index }));
    await commit(
      ctx.db,
      likers.map(({ id, index }) =>
        announce<OutboxMessage>(ctx, likedBy({ id }), {
          type: "post.liked",
          postId,
          postTitle: "Itinerário",
          authorId: ana.id,
          likerId: id,
          likerName: `Fã ${index}`,
        }),
      ),
    );
    for (const { id } of likers) await deliverOutboxMessage(ctx, { outboxId: likedBy({ id }) });
    expect(await bodies()).toEqual(["Fã 499 e mais 499 pessoas curtiram “Itinerário”."]);
    expect(
      await ctx.db.$count(notificationDeliveries, eq(notificationDeliveries.channel, "push")),
    ).toBe(1);
  });

  test("open a new row after the first was read", async () => {
    const [bia, caio] = (await named("Bia", "Caio")) as [TestPerson, TestPerson];
    await likes(bia);
    await markNotificationsRead(ctx, { personId: ana.id });
    await likes(caio, 60_000);
    expect(await bodies()).toEqual(["Caio curtiu “Itinerário”.", "Bia curtiu “Itinerário”."]);
  });

  test.each([
    [12 * HOUR_MS - 1, 1],
    [12 * HOUR_MS, 2],
  ])("%i ms after the first are %i rows", async (ms, rows) => {
    const [bia, caio] = (await named("Bia", "Caio")) as [TestPerson, TestPerson];
    await likes(bia);
    await likes(caio, ms);
    expect(await bodies()).toHaveLength(rows);
  });

  test("count each person once, however often they like it or the queue delivers it", async () => {
    const [bia, caio] = (await named("Bia", "Caio")) as [TestPerson, TestPerson];
    await likes(bia);
    await likes(caio);
    for (let again = 0; again < 3; again += 1) {
      await unlikePost(ctx, { postId, personId: caio.id });
      await likes(caio);
    }
    expect(await bodies()).toEqual(["Caio e mais 1 pessoa curtiram “Itinerário”."]);
  });

  test("say nothing of the author's own", async () => {
    await likePost(ctx, { postId, personId: ana.id });
    expect(await ctx.db.$count(outbox, like(outbox.id, `post:${postId}:liked:%`))).toBe(0);
  });

  test("lose the name of somebody whose account is erased", async () => {
    const [bia, caio] = (await named("Bia", "Caio")) as [TestPerson, TestPerson];
    await likes(bia);
    await likes(caio);
    await commit(
      ctx.db,
      eraseNotificationsStatements(ctx, { personId: caio.id, email: caio.email }),
    );
    const [body] = await bodies();
    expect(body).not.toContain("Caio");
    expect(body).toContain("e mais 1 pessoa curtiram");
  });

  test("keep the whole name of the last when the first, whose name is a part of it, is erased", async () => {
    const [ana1, ana2] = (await named("Ana", "Ana Clara")) as [TestPerson, TestPerson];
    await likes(ana1);
    await likes(ana2);
    await commit(
      ctx.db,
      eraseNotificationsStatements(ctx, { personId: ana1.id, email: ana1.email }),
    );
    expect(await bodies()).toEqual(["Ana Clara e mais 1 pessoa curtiram “Itinerário”."]);
  });

  test("join one row only after a row that was read became unread again", async () => {
    const [bia, caio, duda] = (await named("Bia", "Caio", "Duda")) as [
      TestPerson,
      TestPerson,
      TestPerson,
    ];
    await likes(bia);
    const { readAt } = await markNotificationsRead(ctx, { personId: ana.id });
    await likes(caio, 60_000);
    await markNotificationsUnread(ctx, { personId: ana.id, readAt });
    await likes(duda, 120_000);
    expect(await bodies()).toEqual([
      "Duda e mais 1 pessoa curtiram “Itinerário”.",
      "Bia curtiu “Itinerário”.",
    ]);
  });

  test("of somebody whom the author muted say nothing", async () => {
    const bia = await createPerson(ctx, "Bia");
    await mute(ctx, { personId: ana.id, otherId: bia.id });
    await likes(bia);
    await follow(ctx, { followerId: bia.id, creatorId: ana.id });
    await deliverOutboxMessage(ctx, { outboxId: `followed:${ana.id}:${bia.id}` });
    expect(await bodies()).toEqual([]);
  });
});

test("new followers are one row", async () => {
  for (const person of await named("Bia", "Caio", "Duda")) {
    await follow(ctx, { followerId: person.id, creatorId: ana.id });
    await deliverOutboxMessage(ctx, { outboxId: `followed:${ana.id}:${person.id}` });
  }
  expect(await bodies()).toEqual(["Duda e mais 2 pessoas começaram a seguir você."]);
});
