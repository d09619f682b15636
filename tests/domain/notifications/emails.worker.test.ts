import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { markNotificationsRead } from "#app/domain/notifications/commands.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { sendDeliveries } from "#app/domain/notifications/commands/sending.server.ts";
import { sendDueDeliveries, sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { mute } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notificationDeliveries } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { exampleMessage } from "#workers/sandbox-psp/gallery/examples.ts";

let world: World;
let ctx: Context;
let ana: Seller;
let bia: TestPerson;
let caio: TestPerson;
let postId: string;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
  [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  ({ postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Itinerário",
    content: "Texto.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  }));
  await ctx.db.update(outbox).set({ handledAt: 1 });
});

const comment = async (by: TestPerson, parentId?: string, at: Context = ctx): Promise<string> => {
  const { commentId } = await addComment(at, {
    postId,
    authorId: by.id,
    authorName: by.name,
    body: "Que bom!",
    parentId,
  });
  await sweepOutbox(later(MINUTE_MS, at));
  return commentId;
};
const later = (ms: number, from: Context = ctx): Context => ({
  ...from,
  now: () => from.now() + ms,
  realNow: () => from.realNow() + ms,
});
const broken = (from: Context = ctx): Context => ({
  ...from,
  mailer: { send: () => Promise.reject(new Error("no line")) },
});
const subjectsTo = async ({ email }: TestPerson) =>
  (
    await ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, email))
      .orderBy(asc(localMails.createdAt), asc(localMails.id))
  ).map(({ subject }) => subject);
const bodiesOf = async ({ id }: TestPerson) =>
  (await memberNotifications(ctx, { personId: id, cursor: null, limit: 50 })).items.map(
    ({ body }) => body,
  );

describe("comments on one post", () => {
  test("are one row and one email while it is unread", async () => {
    await comment(bia);
    await comment(caio);
    await comment(caio);
    expect(await bodiesOf(ana)).toEqual([
      "Caio comentou em “Itinerário”, e há mais 2 comentários novos.",
    ]);
    expect(await subjectsTo(ana)).toEqual(["Bia comentou em “Itinerário”"]);
  });

  test("are emailed again after the row was read", async () => {
    await comment(bia);
    await markNotificationsRead(later(2 * MINUTE_MS), { personId: ana.id });
    await comment(caio);
    expect(await bodiesOf(ana)).toHaveLength(2);
    expect(await subjectsTo(ana)).toHaveLength(2);
  });

  test("are one email in twelve hours to who wants no rows", async () => {
    await chooseNotifications(ctx, {
      personId: ana.id,
      on: ["comment:mail"],
      digest: "never",
      shown: ["comment"],
    });
    await comment(bia);
    await comment(caio, undefined, later(11 * HOUR_MS));
    expect(await subjectsTo(ana)).toHaveLength(1);
    await comment(caio, undefined, later(13 * HOUR_MS));
    expect(await subjectsTo(ana)).toHaveLength(2);
    expect(await bodiesOf(ana)).toEqual([]);
  });

  test("lead to the comment, say why they came and how to stop", async () => {
    const commentId = await comment(bia);
    const [mail] = await ctx.db
      .select()
      .from(localMails)
      .where(eq(localMails.recipient, ana.email));
    expect(mail?.html).toContain(
      `href="${ctx.settings.appOrigin}/post/${postId}/comments/${commentId}"`,
    );
    expect(mail?.html).toContain(">Ver o comentário</a>");
    expect(mail?.body).toContain("porque alguém comentou no que você publicou.");
    expect(mail?.unsubscribeUrl).toContain(`/unsubscribe/${ana.id}/comment/`);
  });
});

test("replies under one post are one row and one email", async () => {
  const first = await comment(bia);
  await comment(caio, first);
  await comment(caio, first);
  expect(await bodiesOf(bia)).toEqual([
    "Caio respondeu ao seu comentário em “Itinerário”, e há mais 1 resposta nova.",
  ]);
  expect(await subjectsTo(bia)).toEqual(["Caio respondeu ao seu comentário em “Itinerário”"]);
});

test("trials that start are one row and one email, and so are those that are paid", async () => {
  for (const type of ["trial.started", "trial.charged"] as const)
    for (const fan of [bia, caio]) {
      const id = `${type}:${fan.id}`;
      const message = {
        ...exampleMessage(type),
        fanId: fan.id,
        fanName: fan.name,
        creatorId: ana.id,
      } as OutboxMessage;
      await commit(ctx.db, [announce<OutboxMessage>(ctx, id, message)]);
      await sweepOutbox(later(MINUTE_MS));
    }
  expect(await bodiesOf(ana)).toEqual([
    "Caio e mais 1 pessoa assinaram a sua página.",
    "Caio e mais 1 pessoa começaram um período grátis da sua página.",
  ]);
  expect(await subjectsTo(ana)).toHaveLength(2);
});

test("new subscribers are one row and one email", async () => {
  for (const fan of [bia, caio]) {
    await commit(ctx.db, [
      announce<OutboxMessage>(ctx, `started:${fan.id}`, {
        type: "subscription.started",
        subscriptionId: ctx.newId(),
        chargeId: ctx.newId(),
        welcomeMessage: "",
        fanId: fan.id,
        fanName: fan.name,
        creatorId: ana.id,
        creatorName: ana.name,
        creatorUsername: ana.username,
        planName: "Camarim",
        amountCents: 1_990,
      }),
    ]);
    await sweepOutbox(later(MINUTE_MS));
  }
  expect(await bodiesOf(ana)).toEqual(["Caio e mais 1 pessoa assinaram a sua página."]);
  expect(await subjectsTo(ana)).toEqual(["Bia assinou Camarim"]);
  expect(await subjectsTo(bia)).toEqual([`Sua assinatura de ${ana.name} começou`]);
});

describe("an email that cannot be sent", () => {
  test("does not hold the row back, and is sent once the mailer works, once", async () => {
    await comment(bia, undefined, broken());
    expect([await bodiesOf(ana), await subjectsTo(ana)].map(({ length }) => length)).toEqual([
      1, 0,
    ]);
    for (let minutes = 5; minutes < 60; minutes += 5)
      await sendDueDeliveries(later(minutes * MINUTE_MS, broken()));
    await sendDueDeliveries(later(3 * HOUR_MS));
    await sendDueDeliveries(later(4 * HOUR_MS));
    expect(await subjectsTo(ana)).toHaveLength(1);
  });

  test("is not sent any more to who switched it off or muted the commenter meanwhile", async () => {
    await comment(bia, undefined, broken());
    await mute(ctx, { personId: ana.id, otherId: bia.id });
    await sendDueDeliveries(later(HOUR_MS));
    expect(await subjectsTo(ana)).toEqual([]);
  });

  test("is given up after a week, with what it failed for", async () => {
    await comment(bia, undefined, broken());
    for (let hour = 1; hour <= 14; hour += 1)
      await sendDueDeliveries(later(hour * 13 * HOUR_MS, broken()));
    const [row] = await ctx.db
      .select()
      .from(notificationDeliveries)
      .where(eq(notificationDeliveries.personId, ana.id));
    expect(row).toMatchObject({ failure: expect.stringContaining("no line") as string });
    expect(row?.failedAt).toBeGreaterThan(ctx.now() + 6 * DAY_MS);
    expect(row?.attempts).toBeGreaterThanOrEqual(12);
  });

  test("is taken by one of two runs", async () => {
    await comment(bia, undefined, broken());
    const keys = (await ctx.db.select().from(notificationDeliveries)).map(({ key }) => key);
    const sent: string[] = [];
    const counting: Context = {
      ...later(HOUR_MS),
      mailer: { send: async ({ key }) => void sent.push(key) },
    };
    await Promise.all([1, 2, 3].map(() => sendDeliveries(counting, { keys })));
    expect(sent.filter((key) => key.startsWith("comment:"))).toHaveLength(1);
  });

  test("is sent by a later run when the first one was killed, under the same key", async () => {
    await comment(bia, undefined, broken());
    const keys = (await ctx.db.select().from(notificationDeliveries)).map(({ key }) => key);
    const killed: Context = {
      ...later(HOUR_MS),
      mailer: {
        send: async (mail) => {
          await ctx.mailer.send(mail);
          return await new Promise<never>(() => {});
        },
      },
    };
    void sendDeliveries(killed, { keys });
    await expect.poll(() => subjectsTo(ana)).toHaveLength(1);
    await sendDueDeliveries(later(2 * HOUR_MS));
    expect(await subjectsTo(ana)).toHaveLength(1);
    const left = await ctx.db
      .select()
      .from(notificationDeliveries)
      .where(eq(notificationDeliveries.personId, ana.id));
    expect(left.map(({ endedAt }) => endedAt === null)).toEqual([false]);
  });
});
