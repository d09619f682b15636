import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import {
  chooseNotifications,
  setEmailsStopped,
} from "#app/domain/notifications/commands/choices.server.ts";
import { UnsubscribeAddressInvalid } from "#app/domain/notifications/errors.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { unsubscribeAddressSchema } from "#app/domain/notifications/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { follow, mute } from "#app/domain/profiles/commands.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});

const EVERYTHING = ["sale:app", "sale:mail", "post:app", "like:app", "payout:mail"];

async function deliver(message: OutboxMessage): Promise<void> {
  const outboxId = ctx.newId();
  await commit(ctx.db, [announce<OutboxMessage>(ctx, outboxId, message)]);
  await deliverOutboxMessage(ctx, { outboxId });
}

const tip = (): OutboxMessage => ({
  type: "tip.given",
  tipId: ctx.newId(),
  chargeId: ctx.newId(),
  payerId: bruno.id,
  payerName: bruno.name,
  creatorId: ana.id,
  creatorName: ana.name,
  creatorUsername: ana.username,
  amountCents: 1_000,
  message: "",
});

const mailsTo = async ({ email }: TestPerson) =>
  await ctx.db.select().from(localMails).where(eq(localMails.recipient, email));
const rowsOf = async ({ id }: TestPerson) =>
  (await memberNotifications(ctx, { personId: id, cursor: null, limit: 50 })).items;

describe("what a person switches off", () => {
  test("in the list is not listed, and still comes by email", async () => {
    const on = EVERYTHING.filter((one) => one !== "sale:app");
    await chooseNotifications(ctx, { personId: ana.id, on, digest: "never" });
    await deliver(tip());
    expect([await rowsOf(ana), await mailsTo(ana)].map(({ length }) => length)).toEqual([0, 1]);
  });

  test("by email is not sent, and still listed", async () => {
    const on = EVERYTHING.filter((one) => one !== "sale:mail");
    await chooseNotifications(ctx, { personId: ana.id, on, digest: "never" });
    await deliver(tip());
    expect([await rowsOf(ana), await mailsTo(ana)].map(({ length }) => length)).toEqual([1, 0]);
  });

  test("comes again after it is switched on again", async () => {
    await chooseNotifications(ctx, { personId: ana.id, on: [], digest: "never" });
    await chooseNotifications(ctx, { personId: ana.id, on: EVERYTHING, digest: "never" });
    await deliver(tip());
    expect([await rowsOf(ana), await mailsTo(ana)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("never stops what somebody paid for", async () => {
    await chooseNotifications(ctx, { personId: bruno.id, on: [], digest: "never" });
    await deliver(tip());
    expect([await rowsOf(bruno), await mailsTo(bruno)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("keeps the choices about kinds that the form did not show", async () => {
    await chooseNotifications(ctx, { personId: ana.id, on: [], digest: "never" });
    await chooseNotifications(ctx, {
      personId: ana.id,
      on: EVERYTHING,
      digest: "never",
      hidden: ["sale"],
    });
    await deliver(tip());
    expect(await rowsOf(ana)).toEqual([]);
  });
});

describe("the end of an email", () => {
  test("says why it came, and stops it in one step", async () => {
    await deliver(tip());
    const [mail] = await mailsTo(ana);
    expect(mail?.body).toContain("porque você vende no Coreto. Não receber mais: ");
    expect(mail?.body).toContain(mail?.unsubscribeUrl);
    const [, , personId, kind, signature] = new URL(mail?.unsubscribeUrl ?? "").pathname.split("/");
    const address = unsubscribeAddressSchema.parse({ personId, kind, signature });
    await setEmailsStopped(ctx, { ...address, isStopped: true });
    await deliver(tip());
    expect(await mailsTo(ana)).toHaveLength(1);
    await setEmailsStopped(ctx, { ...address, isStopped: false });
    await deliver(tip());
    expect(await mailsTo(ana)).toHaveLength(2);
  });

  test("says that an email about money cannot be switched off", async () => {
    await deliver(tip());
    const [mail] = await mailsTo(bruno);
    expect(mail).toMatchObject({ unsubscribeUrl: null });
    expect(mail?.body).toContain("Ele não pode ser desligado.");
  });

  test("stops nothing for whoever changes the address", async () => {
    await deliver(tip());
    const [mail] = await mailsTo(ana);
    const signature = new URL(mail?.unsubscribeUrl ?? "").pathname.split("/").at(-1) ?? "";
    for (const address of [
      { personId: bruno.id, kind: "sale", signature },
      { personId: ana.id, kind: "payout", signature },
      { personId: ana.id, kind: "digest", signature },
      {
        personId: ana.id,
        kind: "payment",
        signature: await ctx.signer.sign("unsubscribe", `${ana.id}:payment`),
      },
    ])
      await expect(
        setEmailsStopped(ctx, { ...unsubscribeAddressSchema.parse(address), isStopped: true }),
      ).rejects.toThrow(UnsubscribeAddressInvalid);
  });
});

test("a new post is announced to nobody who switched that off, or muted its author", async () => {
  const [reader, quiet, muting] = [bruno, ...(await people(2))] as [
    TestPerson,
    TestPerson,
    TestPerson,
  ];
  for (const { id } of [reader, quiet, muting])
    await follow(ctx, { followerId: id, creatorId: ana.id });
  await chooseNotifications(ctx, { personId: quiet.id, on: [], digest: "never" });
  await mute(ctx, { personId: muting.id, otherId: ana.id });
  const { postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Itinerário",
    content: "Texto.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  });
  await deliverOutboxMessage(ctx, { outboxId: `post:${postId}:published` });
  const lists = await Promise.all([reader, quiet, muting].map(rowsOf));
  expect(lists.map(({ length }) => length)).toEqual([1, 0, 0]);
});

const people = (count: number): Promise<TestPerson[]> =>
  Promise.all(Array.from({ length: count }, () => createPerson(ctx)));

test("nothing is listed that would lead to a feature which is hidden", async () => {
  const unread = (): OutboxMessage => ({
    type: "conversation.unread",
    personId: bruno.id,
    conversationId: ctx.newId(),
    senderId: ana.id,
    senderName: ana.name,
    unreadCount: 1,
  });
  await deliver(unread());
  expect(await rowsOf(bruno)).toEqual([]);
  ctx = (await testContext({ uncompletedFeatures: true })).ctx;
  await deliver(unread());
  expect(await rowsOf(bruno)).toHaveLength(1);
});
