import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { addComment, removeComment } from "#app/domain/comments/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  deliverOutboxMessage,
  markNotificationsRead,
} from "#app/domain/notifications/commands.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { addDevice } from "#app/domain/notifications/commands/devices.server.ts";
import { forgetEndedDeliveries } from "#app/domain/notifications/commands/sending.server.ts";
import { sendDueDeliveries, sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { dueDeliveries } from "#app/domain/notifications/queries/sending.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { commit } from "#app/db/client.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { conversationMembers } from "#drizzle/schema/messages.ts";
import { notificationDeliveries } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let ana: Seller;
let bia: TestPerson;
let pushed: string[];
let mailed: string[];
beforeEach(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  bia = await createPerson(ctx, "Bia");
  [pushed, mailed] = [[], []];
  await ctx.db.update(outbox).set({ handledAt: 1 });
  await ctx.db.delete(notificationDeliveries);
  for (const { id: personId } of [ana, bia])
    await addDevice(ctx, {
      personId,
      endpoint: `https://push.example.net/${ctx.newId()}`,
      p256dh: "p256dh",
      auth: "auth",
      userAgent: "Firefox/1 Android",
    });
});

/** Counts each call, a repeated key too. */
const counting = (ms: number): Context => ({
  ...ctx,
  now: () => ctx.now() + ms,
  realNow: () => ctx.realNow() + ms,
  mailer: {
    send: async ({ to }) => {
      mailed.push(to);
    },
  },
  push: {
    publicKey: "",
    sender: {
      send: async ({ payload }) => {
        pushed.push(payload.kind);
        return "sent";
      },
    },
  },
});
const later = (ms: number): Context => ({
  ...ctx,
  now: () => ctx.now() + ms,
  realNow: () => ctx.realNow() + ms,
});
const publish = async () =>
  (
    await publishPost(ctx, {
      authorId: ana.id,
      title: "Itinerário",
      content: "Texto.",
      teaser: "",
      audience: "public",
      planIds: [],
      image: null,
    })
  ).postId;

/** All day, and then none: what waits is due. */
const quiet = (personId: string, isQuiet: boolean) =>
  chooseNotifications(ctx, {
    personId,
    on: [],
    digest: "never",
    shown: [],
    hours: {
      timeZone: "America/Sao_Paulo",
      quiet: isQuiet ? { fromMinute: 0, untilMinute: 23 * 60 + 59 } : null,
    },
  });
const morning = async () => {
  await quiet(ana.id, false);
  await quiet(bia.id, false);
  await sendDueDeliveries(counting(DAY_MS));
};

/** Bia comments while Ana sleeps. */
async function commentAtNight(): Promise<string> {
  await quiet(ana.id, true);
  const postId = await publish();
  const { commentId } = await addComment(ctx, {
    postId,
    authorId: bia.id,
    authorName: bia.name,
    body: "Que bom!",
  });
  await sweepOutbox(counting(MINUTE_MS));
  await sendDueDeliveries(counting(MINUTE_MS));
  expect([pushed, mailed]).toEqual([[], []]);
  return commentId;
}

test("what waits for the morning comes then", async () => {
  await commentAtNight();
  await morning();
  expect([pushed, mailed]).toEqual([["post.commented"], [ana.email]]);
});

test("a comment that was removed meanwhile is neither emailed nor pushed", async () => {
  const commentId = await commentAtNight();
  await removeComment(ctx, { commentId, personId: bia.id });
  await morning();
  expect([pushed, mailed]).toEqual([[], []]);
});

test("a notification that was read meanwhile is neither emailed nor pushed", async () => {
  await commentAtNight();
  await markNotificationsRead(later(HOUR_MS), { personId: ana.id });
  await morning();
  expect([pushed, mailed]).toEqual([[], []]);
});

test("a post that was taken down meanwhile is not pushed", async () => {
  await follow(ctx, { followerId: bia.id, creatorId: ana.id });
  const [stays, goes] = [await publish(), await publish()];
  for (const postId of [stays, goes])
    await deliverOutboxMessage(ctx, { outboxId: `post:${postId}:published` });
  await unpublishPost(ctx, { postId: goes, authorId: ana.id });
  await sendDueDeliveries(counting(MINUTE_MS));
  expect(pushed).toEqual(["post.published"]);
});

test("a post that opens is pushed only to whom its publication did not reach", async () => {
  await follow(ctx, { followerId: bia.id, creatorId: ana.id });
  const postId = await publish();
  await deliverOutboxMessage(ctx, { outboxId: `post:${postId}:published` });
  await sendDueDeliveries(counting(0));
  await ctx.db.delete(notificationDeliveries);
  const late = await createPerson(ctx, "Caio");
  await follow(ctx, { followerId: late.id, creatorId: ana.id });
  await addDevice(ctx, {
    personId: late.id,
    endpoint: `https://push.example.net/${ctx.newId()}`,
    p256dh: "p256dh",
    auth: "auth",
    userAgent: "Firefox/1 Android",
  });
  await commit(ctx.db, [
    announce<OutboxMessage>(ctx, `post:${postId}:opened:1`, {
      type: "post.opened",
      postId,
      postTitle: "Itinerário",
      authorId: ana.id,
      authorName: ana.name,
    }),
  ]);
  await deliverOutboxMessage(ctx, { outboxId: `post:${postId}:opened:1` });
  const asked = await ctx.db
    .select({ personId: notificationDeliveries.personId })
    .from(notificationDeliveries)
    .where(eq(notificationDeliveries.channel, "push"));
  expect(asked).toEqual([{ personId: late.id }]);
});

test("who wants pushes of new posts but no rows gets the push", async () => {
  await follow(ctx, { followerId: bia.id, creatorId: ana.id });
  await chooseNotifications(ctx, {
    personId: bia.id,
    on: ["post:push"],
    digest: "never",
    shown: ["post"],
  });
  const postId = await publish();
  await deliverOutboxMessage(ctx, { outboxId: `post:${postId}:published` });
  await sendDueDeliveries(counting(MINUTE_MS));
  expect(pushed).toEqual(["post.published"]);
});

test("what is due of money goes before new posts that wait longer", async () => {
  const row = (key: string, kind: string, dueAt: number) => ({
    key,
    personId: bia.id,
    channel: "mail",
    kind,
    dueAt,
    createdAt: 1,
  });
  await ctx.db
    .insert(notificationDeliveries)
    .values([row("a", "post", 1), row("b", "post", 2), row("c", "payment", 3)]);
  expect(await dueDeliveries(ctx, { now: 10, limit: 2 })).toEqual(["c", "a"]);
  expect(await dueDeliveries(ctx, { now: 10, limit: 9 })).toEqual(["c", "a", "b"]);
});

test.each([
  ["was read", { isUnread: false, mutedAt: null }, 0],
  ["was muted", { isUnread: true, mutedAt: 1 }, 0],
  ["waits unread", { isUnread: true, mutedAt: null }, 1],
])("a message whose conversation %s meanwhile", async (_, seat, count) => {
  const conversationId = ctx.newId();
  await commit(ctx.db, [
    ctx.db.insert(conversationMembers).values({
      conversationId,
      personId: ana.id,
      otherId: bia.id,
      box: "inbox",
      lastAt: 1,
      ...seat,
    }),
    announce<OutboxMessage>(ctx, `m:${conversationId}`, {
      type: "conversation.unread",
      personId: ana.id,
      conversationId,
      senderId: bia.id,
      senderName: "Bia",
      unreadCount: 1,
    }),
  ]);
  const open = { ...counting(0), settings: { ...ctx.settings, uncompletedFeatures: true } };
  await deliverOutboxMessage(open, { outboxId: `m:${conversationId}` });
  await sendDueDeliveries(open);
  expect(pushed).toHaveLength(count);
});

test("what failed for good is forgotten after thirty days", async () => {
  const row = { personId: bia.id, channel: "mail", kind: "comment", dueAt: 1, createdAt: 1 };
  const failedAt = ctx.now();
  await ctx.db.insert(notificationDeliveries).values({ ...row, key: "f", failedAt });
  await forgetEndedDeliveries(later(29 * DAY_MS));
  expect(await ctx.db.$count(notificationDeliveries)).toBe(1);
  await forgetEndedDeliveries(later(31 * DAY_MS));
  expect(await ctx.db.$count(notificationDeliveries)).toBe(0);
});
