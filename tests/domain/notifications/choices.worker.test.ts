import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import {
  chooseNotifications,
  setEmailsStopped,
} from "#app/domain/notifications/commands/choices.server.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import { UnsubscribeAddressInvalid } from "#app/domain/notifications/errors.ts";
import { rowStatements } from "#app/domain/notifications/commands/rows.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { unsubscribeAddressSchema } from "#app/domain/notifications/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { follow, mute } from "#app/domain/profiles/commands.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { people as accounts } from "#drizzle/schema/identity.ts";
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

const ALL: readonly NotificationKind[] = ["sale", "post", "like", "payout"];
const choose = (
  { id: personId }: TestPerson,
  on: readonly string[],
  shown: readonly NotificationKind[] = ALL,
) => chooseNotifications(ctx, { personId, on, digest: "never", shown });

async function deliver(message: OutboxMessage): Promise<void> {
  const outboxId = ctx.newId();
  await commit(ctx.db, [announce<OutboxMessage>(ctx, outboxId, message)]);
  await deliverOutboxMessage(ctx, { outboxId });
}

const tip = (): Extract<OutboxMessage, { type: "tip.given" }> => ({
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
    await choose(ana, on);
    await deliver(tip());
    expect([await rowsOf(ana), await mailsTo(ana)].map(({ length }) => length)).toEqual([0, 1]);
  });

  test("by email is not sent, and still listed", async () => {
    const on = EVERYTHING.filter((one) => one !== "sale:mail");
    await choose(ana, on);
    await deliver(tip());
    expect([await rowsOf(ana), await mailsTo(ana)].map(({ length }) => length)).toEqual([1, 0]);
  });

  test("comes again after it is switched on again", async () => {
    await choose(ana, []);
    await choose(ana, EVERYTHING);
    await deliver(tip());
    expect([await rowsOf(ana), await mailsTo(ana)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("never stops what somebody paid for", async () => {
    await choose(bruno, []);
    await deliver(tip());
    expect([await rowsOf(bruno), await mailsTo(bruno)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("keeps the choices about kinds that the form did not show", async () => {
    await choose(ana, []);
    await choose(ana, EVERYTHING, ["post", "like", "payout"]);
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
    expect(mail?.html).toContain(`<a href="${mail?.unsubscribeUrl}">Não receber mais</a>`);
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
  await choose(quiet, []);
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

test("what leads to an event or a conversation is listed", () => {
  const rows = (path: string) =>
    rowStatements(ctx, {
      outboxId: ctx.newId(),
      drafts: [
        { personId: bruno.id, kind: "post.published", about: "post", body: "", path, mail: null },
      ],
      choices: new Map(),
      postMutes: new Set(),
    }).single.length;
  expect([rows("/events/1"), rows("/messages/1")]).toEqual([1, 1]);
});

test("what a person typed never becomes a button of an email", async () => {
  await deliver({
    ...tip(),
    message: "Oi\n\nhttps://outro.exemplo/entrar\n\nVocê recebe este teste",
  });
  const [mail] = await mailsTo(ana);
  expect(mail?.html?.match(/class="button" href="([^"]*)"/)?.[1]).toContain(
    `${ctx.settings.appOrigin}/settings/transactions/`,
  );
  expect(mail?.html?.match(/class="button"/g)).toHaveLength(1);
  expect(mail?.html?.match(/class="muted"/g)).toHaveLength(1);
});

test("an address at the end of an email ends with its account", async () => {
  await deliver(tip());
  const [mail] = await mailsTo(ana);
  const signature = new URL(mail?.unsubscribeUrl ?? "").pathname.split("/").at(-1) ?? "";
  await ctx.db.update(accounts).set({ deletedAt: ctx.now() }).where(eq(accounts.id, ana.id));
  await expect(
    setEmailsStopped(ctx, { personId: ana.id, kind: "sale", signature, isStopped: true }),
  ).rejects.toThrow(UnsubscribeAddressInvalid);
});
