import { eq, like, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { AUDIENCE_PAGE_SIZE } from "#app/domain/notifications/commands/fan-out.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import {
  announceTerms,
  discardNews,
  draftNews,
  sendNews,
} from "#app/domain/product-news/commands.server.ts";
import {
  NewsAlreadySent,
  NewsNotFound,
  NewsTooSoon,
  TermsAlreadyAnnounced,
  TermsNoticeTooShort,
} from "#app/domain/product-news/errors.ts";
import { newestNews } from "#app/domain/product-news/queries.server.ts";
import { NEWS_INTERVAL_MS, TERMS_NOTICE_MS, termsApplyAt } from "#app/domain/product-news/rules.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notificationDeliveries, notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: Context;
let staff: TestPerson;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ctx = world.ctx;
  staff = await createModerator(ctx);
});

const draft = async (text = "Agora os eventos se repetem.") =>
  (await draftNews(ctx, { staffId: staff.id, text, path: "/ajuda/eventos" })).id;
const send = (id: string, at: Context = ctx) => sendNews(at, { id, staffId: staff.id });
const at = (now: number): Context => ({ ...ctx, now: () => now });
const reached = async (id: string) =>
  await ctx.db
    .select()
    .from(notifications)
    .where(like(notifications.sourceKey, `news:${id}:%`));

describe("a piece of news", () => {
  test("is in the list of everybody with an account who did not switch it off, once", async () => {
    const [bia, off, banned, erased, unfinished] = [
      await createPerson(ctx, "Bia"),
      await createPerson(ctx, "Otávio"),
      await createPerson(ctx, "Nilo"),
      await createPerson(ctx, "Elza"),
      await createPerson(ctx, "Ivo"),
    ];
    await chooseNotifications(ctx, {
      personId: off.id,
      shown: ["news"],
      on: [],
      digest: "never",
    });
    const change = (id: string, to: Partial<typeof people.$inferInsert>) =>
      ctx.db.update(people).set(to).where(eq(people.id, id));
    await change(banned.id, { bannedAt: ctx.now() });
    await change(erased.id, { deletedAt: ctx.now() });
    await change(unfinished.id, { registeredAt: null });
    const id = await draft();
    await send(id);
    await world.drain();
    await ctx.db
      .update(outbox)
      .set({ handledAt: null, progress: null })
      .where(eq(outbox.id, `news:${id}`));
    await Promise.all([1, 2].map(() => deliverOutboxMessage(ctx, { outboxId: `news:${id}` })));
    const rows = await reached(id);
    expect(rows.map(({ personId }) => personId).toSorted()).toEqual([bia.id, staff.id].toSorted());
    expect(rows[0]).toMatchObject({
      body: "Agora os eventos se repetem.",
      path: "/ajuda/eventos",
      section: "account",
      readAt: null,
    });
  });

  test("goes on page by page, with each person once, when the queue loses a page", async () => {
    const many = AUDIENCE_PAGE_SIZE * 2 + 3;
    const ids = JSON.stringify(Array.from({ length: many }, () => ctx.newId()));
    await ctx.db.run(
      sql`INSERT INTO people (id, provider, provider_user_id, email, created_at, registered_at, birth_date) SELECT value, 'local', value, value || '@many.example', 1, 1, '1990-01-01' FROM json_each(${ids})`,
    );
    const id = await draft();
    await send(id);
    world.queued.length = 0;
    const outboxId = `news:${id}`;
    await Promise.all([1, 2, 3].map(() => deliverOutboxMessage(ctx, { outboxId })));
    expect(await reached(id)).toHaveLength(AUDIENCE_PAGE_SIZE);
    world.queued.length = 0;
    await ctx.db
      .update(outbox)
      .set({ createdAt: 0, enqueuedUntil: 0 })
      .where(eq(outbox.id, outboxId));
    for (let round = 0; round < 4; round += 1) await world.tick();
    const rows = await reached(id);
    // And the member of staff.
    expect(rows).toHaveLength(many + 1);
    expect(new Set(rows.map(({ personId }) => personId)).size).toBe(many + 1);
  });

  test("is sent once by two clicks, and one goes out a day", async () => {
    const [one, two] = [await draft(), await draft("Outra.")];
    const noon = ctx.now();
    const clicks = await Promise.allSettled([send(one, at(noon)), send(one, at(noon))]);
    expect(clicks.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(send(one)).rejects.toThrow(NewsAlreadySent);
    await expect(send(two)).rejects.toThrow(NewsTooSoon);
    await expect(send(two, at(noon + NEWS_INTERVAL_MS - 1))).rejects.toThrow(NewsTooSoon);
    await send(two, at(noon + NEWS_INTERVAL_MS));
    expect(await ctx.db.$count(outbox, like(outbox.id, "news:%"))).toBe(2);
  });

  test("of two that are sent at once one goes out, and the other hears when it may", async () => {
    const noon = ctx.now();
    const ids = [await draft(), await draft("Outra.")];
    const sent = await Promise.allSettled(ids.map((id) => send(id, at(noon))));
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = sent.find((one) => one.status === "rejected");
    expect(refused?.reason).toBeInstanceOf(NewsTooSoon);
    expect(await ctx.db.$count(outbox, like(outbox.id, "news:%"))).toBe(1);
  });

  test("is discarded as a draft only, and then cannot be sent", async () => {
    const [gone, sent] = [await draft(), await draft("Fica.")];
    await discardNews(ctx, { id: gone });
    await expect(discardNews(ctx, { id: gone })).rejects.toThrow(NewsNotFound);
    await expect(send(gone)).rejects.toThrow(NewsNotFound);
    await send(sent);
    await expect(discardNews(ctx, { id: sent })).rejects.toThrow(NewsAlreadySent);
    expect(
      (await newestNews(ctx, { limit: 10 })).map(({ text, sentBy }) => [text, sentBy]),
    ).toEqual([["Fica.", staff.id]]);
  });
});

describe("new terms", () => {
  const VERSION = "2026-12-15";
  const from = termsApplyAt(VERSION);
  const announceAt = (now: number) =>
    announceTerms(at(now), { version: VERSION, staffId: staff.id });
  const mails = async () =>
    await ctx.db
      .select()
      .from(notificationDeliveries)
      .where(like(notificationDeliveries.key, `terms:${VERSION}:%`));

  test("are announced to everybody, in the list and by email, once, whatever they switched off", async () => {
    const [bia, banned] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Nilo")];
    await chooseNotifications(ctx, { personId: bia.id, shown: ["news"], on: [], digest: "never" });
    await ctx.db.update(people).set({ bannedAt: ctx.now() }).where(eq(people.id, banned.id));
    const clicks = await Promise.allSettled([announceAt(ctx.now()), announceAt(ctx.now())]);
    expect(clicks.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(announceAt(ctx.now())).rejects.toThrow(TermsAlreadyAnnounced);
    await world.drain();
    await ctx.db.update(outbox).set({ handledAt: null, progress: null });
    await deliverOutboxMessage(ctx, { outboxId: `terms:${VERSION}` });
    const told = [bia.id, staff.id].toSorted();
    const rows = await ctx.db
      .select()
      .from(notifications)
      .where(like(notifications.sourceKey, `terms:${VERSION}:%`));
    expect(rows.map(({ personId }) => personId).toSorted()).toEqual(told);
    expect(rows[0]).toMatchObject({
      body: "Os termos do Coreto mudam em 15 de dezembro de 2026.",
      path: "/terms",
    });
    expect((await mails()).map(({ personId }) => personId).toSorted()).toEqual(told);
    await world.tick();
    const sent = await ctx.db.select().from(localMails).where(eq(localMails.recipient, bia.email));
    expect(sent.map(({ subject }) => subject)).toEqual([
      "Os termos do Coreto mudam em 15 de dezembro de 2026",
    ]);
  });

  test.each([
    ["fifteen days before", from - TERMS_NOTICE_MS, null],
    ["a moment later", from - TERMS_NOTICE_MS + 1, TermsNoticeTooShort],
    ["once they apply", from, TermsNoticeTooShort],
  ])("may be announced until fifteen days before: %s", async (_, now, refusal) => {
    if (refusal === null) await announceAt(now);
    else await expect(announceAt(now)).rejects.toThrow(refusal);
    expect(await ctx.db.$count(outbox, like(outbox.id, "terms:%"))).toBe(refusal === null ? 1 : 0);
  });

  test("begin at midnight in São Paulo", () => {
    expect(new Date(from).toISOString()).toBe("2026-12-15T03:00:00.000Z");
  });
});
