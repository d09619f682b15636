import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { setPostMuted } from "#app/domain/notifications/commands/mutes.server.ts";
import { sendDueDeliveries, sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { likePost, publishPost } from "#app/domain/posts/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let ana: Seller;
let bia: TestPerson;
let postId: string;
beforeEach(async () => {
  ({ ctx } = await testContext({ startsAt: NOON_OF_NOVEMBER_11 }));
  ana = await createSeller(ctx);
  bia = await createPerson(ctx, "Bia");
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

const later = (ms: number): Context => ({
  ...ctx,
  now: () => ctx.now() + ms,
  realNow: () => ctx.realNow() + ms,
});
const NIGHT = 11 * HOUR_MS;
const MORNING = 19 * HOUR_MS;

const quiet = (fromMinute: number, untilMinute: number, on = ["comment:app", "comment:mail"]) =>
  chooseNotifications(ctx, {
    personId: ana.id,
    on,
    shown: ["comment"],
    digest: "never",
    hours: { timeZone: "America/Sao_Paulo", quiet: { fromMinute, untilMinute } },
  });
const comment = async (at = 0): Promise<string> => {
  const { commentId } = await addComment(later(at), {
    postId,
    authorId: bia.id,
    authorName: bia.name,
    body: "Que bom!",
  });
  await sweepOutbox(later(at + MINUTE_MS));
  return commentId;
};
const mailsToAna = async () =>
  (await ctx.db.select().from(localMails).where(eq(localMails.recipient, ana.email))).length;
const rowsOfAna = async () =>
  (await memberNotifications(ctx, { personId: ana.id, cursor: null, limit: 50 })).items;

describe("in quiet hours", () => {
  test("the row comes at once and the email when they end, once", async () => {
    await quiet(22 * 60, 7 * 60);
    await comment(NIGHT);
    expect([(await rowsOfAna()).length, await mailsToAna()]).toEqual([1, 0]);
    await sendDueDeliveries(later(MORNING - MINUTE_MS));
    expect(await mailsToAna()).toBe(0);
    await sendDueDeliveries(later(MORNING));
    await sendDueDeliveries(later(MORNING + HOUR_MS));
    expect(await mailsToAna()).toBe(1);
  });

  test("an email about access or money does not wait", async () => {
    await quiet(0, 23 * 60);
    await commit(ctx.db, [
      announce<OutboxMessage>(ctx, "unbanned", { type: "person.unbanned", personId: ana.id }),
    ]);
    await deliverOutboxMessage(ctx, { outboxId: "unbanned" });
    expect(await mailsToAna()).toBe(1);
  });

  test("that the person shortens, what waits is asked about again", async () => {
    await quiet(22 * 60, 7 * 60);
    await comment(NIGHT);
    await quiet(22 * 60, 22 * 60 + 30);
    await sendDueDeliveries(later(NIGHT + HOUR_MS));
    expect(await mailsToAna()).toBe(1);
  });

  test("what the person switches off is not sent when they end", async () => {
    await quiet(22 * 60, 7 * 60);
    await comment(NIGHT);
    await quiet(22 * 60, 7 * 60, ["comment:app"]);
    await sendDueDeliveries(later(MORNING));
    expect(await mailsToAna()).toBe(0);
  });

  test("a clock that moves over them sends everything once", async () => {
    await quiet(22 * 60, 7 * 60);
    await comment(NIGHT);
    for (const days of [3, 3, 4]) await sendDueDeliveries(later(days * 24 * HOUR_MS));
    expect(await mailsToAna()).toBe(1);
  });
});

describe("a muted post", () => {
  test("says nothing of comments and likes, until it is heard again", async () => {
    await setPostMuted(ctx, { personId: ana.id, postId, muted: true });
    await setPostMuted(ctx, { personId: ana.id, postId, muted: true });
    await comment();
    await likePost(ctx, { postId, personId: bia.id });
    await sweepOutbox(later(MINUTE_MS));
    expect([(await rowsOfAna()).length, await mailsToAna()]).toEqual([0, 0]);
    await setPostMuted(ctx, { personId: ana.id, postId, muted: false });
    await comment();
    expect([(await rowsOfAna()).length, await mailsToAna()]).toEqual([1, 1]);
  });

  test("still says who mentions the person", async () => {
    const caio = await createPerson(ctx, "Caio");
    await setPostMuted(ctx, { personId: caio.id, postId, muted: true });
    await addComment(ctx, {
      postId,
      authorId: bia.id,
      authorName: bia.name,
      body: `Olhe isto, @${caio.username}`,
    });
    await sweepOutbox(later(MINUTE_MS));
    const { items } = await memberNotifications(ctx, {
      personId: caio.id,
      cursor: null,
      limit: 5,
    });
    expect(items.map(({ kind }) => kind)).toEqual(["comment.mentioned"]);
  });

  test("whose email waits for the morning is not emailed any more", async () => {
    await quiet(22 * 60, 7 * 60);
    await comment(NIGHT);
    await setPostMuted(ctx, { personId: ana.id, postId, muted: true });
    await sendDueDeliveries(later(MORNING));
    expect(await mailsToAna()).toBe(0);
  });
});
