import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage, sendPushesOf } from "#app/domain/notifications/commands.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import {
  addDevice,
  removeDevice,
  removeDevicesOfSessions,
} from "#app/domain/notifications/commands/devices.server.ts";
import { sendDueDeliveries, sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { devicesOf } from "#app/domain/notifications/queries/devices.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notificationDeliveries } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { localPushes } from "#drizzle/schema/push.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const KEYS = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

let ctx: Context;
let ana: Seller;
let bia: TestPerson;
let postId: string;
let serial = 0;
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
beforeEach(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  bia = await createPerson(ctx, "Bia");
  postId = await publish();
  await ctx.db.update(outbox).set({ handledAt: 1 });
  // What an earlier test left waiting is not this one's.
  await ctx.db.delete(notificationDeliveries);
});

const later = (ms: number, from: Context = ctx): Context => ({
  ...from,
  now: () => from.now() + ms,
  realNow: () => from.realNow() + ms,
});
const device = async ({ id: personId }: { id: string }): Promise<string> => {
  serial += 1;
  const endpoint = `https://push.example.net/${serial}-${ctx.newId()}`;
  await addDevice(ctx, { personId, endpoint, ...KEYS, userAgent: "Firefox/1 Android" });
  return endpoint;
};
const comment = async (from: Context = ctx): Promise<void> => {
  await addComment(ctx, { postId, authorId: bia.id, authorName: bia.name, body: "Que bom!" });
  await sweepOutbox(later(MINUTE_MS, from));
  await sendDueDeliveries(later(MINUTE_MS, from));
};
const pushesTo = async (endpoint: string) =>
  (
    await ctx.db
      .select()
      .from(localPushes)
      .where(eq(localPushes.endpoint, endpoint))
      .orderBy(asc(localPushes.createdAt))
  ).map(({ payload }) => JSON.parse(payload) as { kind: string; body: string; path: string });
const answering = (send: NonNullable<Context["push"]>["sender"]["send"]): Context => ({
  ...ctx,
  push: { sender: { send }, publicKey: "" },
});

describe("a push", () => {
  test("goes to each device of the person, with what it is and where it leads, and to nobody else", async () => {
    const [phone, laptop, other] = [await device(ana), await device(ana), await device(bia)];
    await comment();
    for (const endpoint of [phone, laptop])
      expect(await pushesTo(endpoint)).toMatchObject([
        {
          kind: "post.commented",
          title: "Coreto",
          body: "Bia comentou em “Itinerário”.",
          path: expect.stringContaining(`/post/${postId}/comments/`) as string,
        },
      ]);
    expect(await pushesTo(other)).toEqual([]);
  });

  test("comes once for a group", async () => {
    const phone = await device(ana);
    await comment();
    await comment();
    await comment();
    expect(await pushesTo(phone)).toHaveLength(1);
  });

  test("does not come where it is switched off, nor to a device that was removed", async () => {
    const [phone, laptop] = [await device(ana), await device(ana)];
    const [newest] = await devicesOf(ctx, { personId: ana.id });
    await removeDevice(ctx, { personId: bia.id, id: newest?.id ?? "" });
    expect(await devicesOf(ctx, { personId: ana.id })).toHaveLength(2);
    await removeDevice(ctx, { personId: ana.id, id: newest?.id ?? "" });
    await comment();
    expect((await pushesTo(phone)).length + (await pushesTo(laptop)).length).toBe(1);
    await chooseNotifications(ctx, {
      personId: ana.id,
      on: ["comment:app"],
      digest: "never",
      shown: ["comment"],
    });
    postId = await publish();
    await comment();
    expect((await pushesTo(phone)).length + (await pushesTo(laptop)).length).toBe(1);
  });

  test("tells followers of a new post, once each", async () => {
    await follow(ctx, { followerId: bia.id, creatorId: ana.id });
    const phone = await device(bia);
    const newPost = await publish();
    for (let round = 0; round < 2; round += 1)
      await deliverOutboxMessage(ctx, { outboxId: `post:${newPost}:published` });
    await sendDueDeliveries(ctx);
    await sendDueDeliveries(later(HOUR_MS));
    expect(await pushesTo(phone)).toMatchObject([{ path: `/post/${newPost}` }]);
  });

  test("tells of security in quiet hours too", async () => {
    const phone = await device(ana);
    await chooseNotifications(ctx, {
      personId: ana.id,
      on: ["comment:app", "comment:push"],
      digest: "never",
      shown: ["comment"],
      hours: {
        timeZone: "America/Sao_Paulo",
        quiet: { fromMinute: 0, untilMinute: 23 * 60 + 59 },
      },
    });
    await comment();
    expect(await pushesTo(phone)).toEqual([]);
    await commit(ctx.db, [
      announce<OutboxMessage>(ctx, `u:${ana.id}`, { type: "person.unbanned", personId: ana.id }),
    ]);
    await deliverOutboxMessage(ctx, { outboxId: `u:${ana.id}` });
    await sendPushesOf(ctx, { outboxId: `u:${ana.id}` });
    expect((await pushesTo(phone)).map(({ kind }) => kind)).toEqual(["person.unbanned"]);
  });
});

describe("a push service", () => {
  test("that never answers holds back no email and no other message", async () => {
    await device(ana);
    let asked = 0;
    const hanging = answering(() => {
      asked += 1;
      return new Promise(() => {});
    });
    await addComment(ctx, { postId, authorId: bia.id, authorName: bia.name, body: "Que bom!" });
    await sweepOutbox(later(MINUTE_MS, hanging));
    const mails = await ctx.db.select().from(localMails).where(eq(localMails.recipient, ana.email));
    expect([asked, mails.length]).toEqual([0, 1]);
  });

  test("that answers 404 or 410 is asked once: the device goes", async () => {
    await device(ana);
    let asked = 0;
    const gone = answering(async () => {
      asked += 1;
      return "gone";
    });
    await comment(gone);
    expect([asked, (await devicesOf(ctx, { personId: ana.id })).length]).toEqual([1, 0]);
    postId = await publish();
    await comment(gone);
    expect(asked).toBe(1);
  });

  test("that answers 500 for a day gets the push afterwards, once, with pauses between", async () => {
    const phone = await device(ana);
    let asked = 0;
    const down = answering(async () => {
      asked += 1;
      throw new Error("push not sent: 500");
    });
    await comment(down);
    for (let minutes = 10; minutes <= 24 * 60; minutes += 10)
      await sendDueDeliveries(later(minutes * MINUTE_MS, down));
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(40);
    expect(await pushesTo(phone)).toEqual([]);
    await sendDueDeliveries(later(26 * HOUR_MS));
    await sendDueDeliveries(later(28 * HOUR_MS));
    expect(await pushesTo(phone)).toHaveLength(1);
    const rows = await ctx.db
      .select()
      .from(notificationDeliveries)
      .where(eq(notificationDeliveries.channel, "push"));
    expect(rows.every(({ failedAt }) => failedAt === null)).toBe(true);
  });
});

test("a browser belongs to who asked last, and a person has at most ten", async () => {
  const endpoint = await device(ana);
  await addDevice(ctx, { personId: bia.id, endpoint, ...KEYS, userAgent: "Firefox/1 Android" });
  expect(await devicesOf(ctx, { personId: ana.id })).toEqual([]);
  expect((await devicesOf(ctx, { personId: bia.id })).map(({ label }) => label)).toEqual([
    "Firefox no Android",
  ]);
  for (let count = 0; count < 12; count += 1) await device(ana);
  expect(await devicesOf(ctx, { personId: ana.id })).toHaveLength(10);
});

test("a device goes with the session that asked for it", async () => {
  const at = async (sessionId: string | null) => {
    serial += 1;
    const endpoint = `https://push.example.net/${serial}-${ctx.newId()}`;
    await addDevice(ctx, { personId: ana.id, endpoint, ...KEYS, userAgent: "", sessionId });
  };
  const left = async () => (await devicesOf(ctx, { personId: ana.id })).length;
  await Promise.all(["one", "two", "three"].map(at));
  await removeDevicesOfSessions(ctx, { personId: bia.id, sessionId: "one" });
  expect(await left()).toBe(3);
  await removeDevicesOfSessions(ctx, { personId: ana.id, sessionId: "one" });
  expect(await left()).toBe(2);
  await at(null);
  await removeDevicesOfSessions(ctx, { personId: ana.id, exceptId: "two" });
  expect(await left()).toBe(1);
});
