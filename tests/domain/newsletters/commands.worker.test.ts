import { eq, like, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { NEWSLETTER_PAGE_SIZE } from "#app/domain/newsletters/commands.server.ts";
import { newsletters } from "#app/domain/newsletters/commands/reactions.server.ts";
import { recordMailEvent } from "#app/domain/notifications/commands/addresses.server.ts";
import { setEmailsStopped } from "#app/domain/notifications/commands/choices.server.ts";
import { sendDueDeliveries } from "#app/domain/notifications/commands/steps.server.ts";
import { unsubscribeAddressSchema } from "#app/domain/notifications/schema.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import { unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { block, follow, mute, unfollow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { newsletterTotals } from "#drizzle/schema/newsletters.ts";
import { notificationDeliveries } from "#drizzle/schema/notifications.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { composition, OPEN } from "#tests/support/compositions.ts";
import { runMessage, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { deliverMessage } from "#workers/notifications/deliver.ts";

const SUBSCRIBERS = [{ ...OPEN, kind: "subscribers" as const }];

let world: World;
let ctx: Context;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
  await world.drain();
});

const later = (ms: number, from: Context = ctx): Context => ({
  ...from,
  now: () => from.now() + ms,
  realNow: () => from.realNow() + ms,
});
const follower = async (): Promise<TestPerson> => {
  const person = await createPerson(ctx);
  await follow(ctx, { followerId: person.id, creatorId: ana.id });
  return person;
};
const publish = async (more: Partial<Composition>, at: number | null = null) => {
  const post = composition(ctx, ana.id, { title: "Itinerário", ...more });
  await publishComposition(ctx, { ...post, at });
  return post;
};
const mailsOf = async (postId: string) =>
  await ctx.db
    .select()
    .from(localMails)
    .where(like(localMails.sourceKey, `newsletter:${postId}:%`));
const recipientsOf = async (postId: string) =>
  (await mailsOf(postId)).map(({ recipient }) => recipient).toSorted();

/** Followers without a profile, as many as asked. */
async function manyFollowers(count: number): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: count }, () => ctx.newId()));
  await ctx.db.batch([
    ctx.db.run(
      sql`INSERT INTO people (id, provider, provider_user_id, email, created_at, registered_at, birth_date) SELECT value, 'local', value, value || '@many.example', 1, 1, '1990-01-01' FROM json_each(${ids})`,
    ),
    ctx.db.run(
      sql`INSERT INTO follows (follower_id, creator_id, created_at) SELECT value, ${ana.id}, 1 FROM json_each(${ids})`,
    ),
  ]);
}

describe("who gets a post by email", () => {
  test("is who may read it, the whole text; others get none", async () => {
    const [reader, fan] = [await follower(), await createPerson(ctx)];
    await paidSubscription(world, fan, ana);
    const post = await publish({ rules: SUBSCRIBERS, mailTo: "readers", content: "Segredo." });
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([fan.email]);
    const [mail] = await mailsOf(post.postId);
    expect(mail?.html).toContain("<p>Segredo.</p>");
    expect(mail?.body).toContain("Segredo.");
    expect(await recipientsOf(post.postId)).not.toContain(reader.email);
  });

  test("is everybody, with the way in where it is closed", async () => {
    const [reader, fan] = [await follower(), await createPerson(ctx)];
    await paidSubscription(world, fan, ana);
    const post = await publish({
      rules: SUBSCRIBERS,
      mailTo: "everyone",
      content: "Segredo.",
      teaser: "A chamada.",
    });
    await world.drain();
    const mails = await mailsOf(post.postId);
    expect(mails).toHaveLength(2);
    const closed = mails.find(({ recipient }) => recipient === reader.email);
    expect(closed?.html).not.toContain("Segredo");
    expect(closed?.body).not.toContain("Segredo");
    expect(closed?.html).toContain("Esta publicação é de quem assina.");
    expect(closed?.html).toMatch(/class="button" href="[^"]*"[^>]*>Assinar /);
  });

  test("is who subscribes now; not whose subscription is over, nor a follower", async () => {
    const [fan, gone] = [await createPerson(ctx), await createPerson(ctx)];
    await follower();
    for (const one of [fan, gone]) await paidSubscription(world, one, ana);
    await ctx.db
      .update(subscriptions)
      .set({ accessUntil: ctx.now() - 1 })
      .where(eq(subscriptions.fanId, gone.id));
    const post = await publish({ mailTo: "subscribers" });
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([fan.email]);
  });

  test("is nobody where the creator chose only the app", async () => {
    await follower();
    const post = await publish({});
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([]);
  });

  test("is nobody whose address is stopped, and they do not count as sent", async () => {
    const [reader, gone] = [await follower(), await follower()];
    await recordMailEvent(ctx, {
      type: "bounced",
      address: gone.email.toUpperCase(),
      isPermanent: true,
      occurredAt: ctx.realNow(),
    });
    const post = await publish({ mailTo: "readers" });
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([reader.email]);
    const [total] = await ctx.db
      .select()
      .from(newsletterTotals)
      .where(eq(newsletterTotals.postId, post.postId));
    expect(total?.sentCount).toBe(1);
  });

  test("is decided when it is sent: a stop, a mute, a block, an unfollow since", async () => {
    const [stopped, muting, blocked, left, stays] = [
      await follower(),
      await follower(),
      await follower(),
      await follower(),
      await follower(),
    ];
    const post = await publish({ mailTo: "readers" });
    const broken = { ...ctx, mailer: { send: () => Promise.reject(new Error("no line")) } };
    await deliverMessage(broken, { outboxId: `post:${post.postId}:mailed` });
    expect(await recipientsOf(post.postId)).toEqual([]);
    await mute(ctx, { personId: muting.id, otherId: ana.id });
    await block(ctx, { personId: ana.id, otherId: blocked.id });
    await unfollow(ctx, { followerId: left.id, creatorId: ana.id });
    const kind = `creator-${ana.id}`;
    const signature = await ctx.signer.sign("unsubscribe", `${stopped.id}:${kind}`);
    await setEmailsStopped(ctx, {
      ...unsubscribeAddressSchema.parse({ personId: stopped.id, kind, signature }),
      isStopped: true,
    });
    await sendDueDeliveries(later(HOUR_MS), { newsletters });
    expect(await recipientsOf(post.postId)).toEqual([stays.email]);
  });
});

describe("a newsletter", () => {
  test("stops per creator in one step, from each of its emails", async () => {
    const reader = await follower();
    const first = await publish({ mailTo: "readers" });
    await world.drain();
    const [mail] = await mailsOf(first.postId);
    const [, , personId, kind, signature] = new URL(mail?.unsubscribeUrl ?? "").pathname.split("/");
    expect([personId, kind]).toEqual([reader.id, `creator-${ana.id}`]);
    await setEmailsStopped(ctx, {
      ...unsubscribeAddressSchema.parse({ personId, kind, signature }),
      isStopped: true,
    });
    const second = await publish({ mailTo: "readers" });
    await world.drain();
    expect(await recipientsOf(second.postId)).toEqual([]);
  });

  test("is not sent before the time of a scheduled post", async () => {
    const reader = await follower();
    const post = await publish({ mailTo: "readers" }, ctx.now() + DAY_MS);
    await world.tick();
    expect(await recipientsOf(post.postId)).toEqual([]);
    await world.advance(DAY_MS + MINUTE_MS);
    await world.tick();
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([reader.email]);
  });

  test("is not sent twice when the post is taken down and published again", async () => {
    await follower();
    const post = await publish({ mailTo: "readers" });
    await world.drain();
    await unpublishPost(ctx, { postId: post.postId, authorId: ana.id });
    await publishComposition(ctx, { ...post, version: 2, mailTo: "readers", at: null });
    await world.drain();
    await follower();
    await world.tick();
    expect(await mailsOf(post.postId)).toHaveLength(1);
  });

  test("of a post that was taken down before its turn is not sent", async () => {
    await follower();
    const post = await publish({ mailTo: "readers" });
    await unpublishPost(ctx, { postId: post.postId, authorId: ana.id });
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([]);
  });

  test("goes on when the post that was taken down on the way is published again", async () => {
    const [first, second] = [await follower(), await follower()];
    const post = await publish({ mailTo: "readers" });
    const outboxId = `post:${post.postId}:mailed`;
    await deliverMessage(
      { ...ctx, mailer: { send: () => Promise.reject(new Error("no line")) } },
      { outboxId },
    );
    await unpublishPost(ctx, { postId: post.postId, authorId: ana.id });
    await sendDueDeliveries(later(HOUR_MS), { newsletters });
    expect(await recipientsOf(post.postId)).toEqual([]);
    await publishComposition(ctx, { ...post, version: 2, mailTo: "readers", at: null });
    await sendDueDeliveries(later(2 * HOUR_MS), { newsletters });
    expect(await recipientsOf(post.postId)).toEqual([first.email, second.email].toSorted());
  });

  test("that began while the post was down begins when it is published again", async () => {
    const reader = await follower();
    const post = await publish({ mailTo: "readers" });
    const outboxId = `post:${post.postId}:mailed`;
    await unpublishPost(ctx, { postId: post.postId, authorId: ana.id });
    await deliverMessage(ctx, { outboxId });
    await publishComposition(ctx, { ...post, version: 2, mailTo: "readers", at: null });
    await deliverMessage(ctx, { outboxId });
    expect(await recipientsOf(post.postId)).toEqual([reader.email]);
  });

  test("that cannot be written backs off and holds no other back", async () => {
    const reader = await follower();
    const [broken, fine] = [
      await publish({ mailTo: "readers" }),
      await publish({ mailTo: "readers" }),
    ];
    const down = { ...ctx, mailer: { send: () => Promise.reject(new Error("no line")) } };
    for (const { postId } of [broken, fine])
      await deliverMessage(down, { outboxId: `post:${postId}:mailed` });
    const at = later(HOUR_MS);
    await sendDueDeliveries(at, {
      newsletters: {
        ...newsletters,
        write: (from, about) => {
          if (about.postId === broken.postId) throw new Error("unwritable");
          return newsletters.write(from, about);
        },
      },
    });
    expect(await recipientsOf(fine.postId)).toEqual([reader.email]);
    const [waiting] = await ctx.db
      .select()
      .from(notificationDeliveries)
      .where(eq(notificationDeliveries.postId, broken.postId));
    expect(waiting?.failure).toContain("unwritable");
    expect(waiting?.dueAt).toBeGreaterThan(at.now());
  });

  test("waits for the end of a reader's quiet hours", async () => {
    const reader = await follower();
    await ctx.db.run(
      sql`INSERT INTO notification_hours VALUES (${reader.id}, 'America/Sao_Paulo', 0, 1439)`,
    );
    const post = await publish({ mailTo: "readers" });
    await world.drain();
    expect(await recipientsOf(post.postId)).toEqual([]);
    await sendDueDeliveries(later(HOUR_MS), { newsletters });
    const [waiting] = await ctx.db
      .select()
      .from(notificationDeliveries)
      .where(eq(notificationDeliveries.personId, reader.id));
    expect(waiting?.endedAt).toBe(null);
  });
});

describe("a fan-out of many pages", () => {
  const COUNT = 2 * NEWSLETTER_PAGE_SIZE + 20;

  test("reaches each once, whatever is repeated or killed at any call of the mailer", async () => {
    await manyFollowers(COUNT);
    const post = await publish({ mailTo: "readers" });
    world.queued.splice(0);
    const outboxId = `post:${post.postId}:mailed`;
    let calls = 0;
    const dying: Context = {
      ...ctx,
      mailer: {
        send: async (mail) => {
          calls += 1;
          if (calls % 7 === 3) throw new Error("killed before");
          await ctx.mailer.send(mail);
          if (calls % 7 === 5) throw new Error("killed after");
        },
      },
    };
    await Promise.all([1, 2].map(() => deliverMessage(dying, { outboxId })));
    for (let round = 0; round < 6; round += 1) {
      for (const message of world.queued.splice(0)) {
        await runMessage(dying, message);
        await runMessage(dying, message);
      }
    }
    for (let hours = 1; hours < 6; hours += 1)
      await sendDueDeliveries(later(hours * HOUR_MS), { newsletters });
    const mails = await recipientsOf(post.postId);
    expect(mails).toHaveLength(COUNT);
    expect(new Set(mails).size).toBe(COUNT);
  });

  test("goes on where it was when the queue lost its next page", async () => {
    await manyFollowers(COUNT);
    const post = await publish({ mailTo: "readers" });
    world.queued.splice(0);
    await deliverMessage(ctx, { outboxId: `post:${post.postId}:mailed` });
    world.queued.splice(0);
    expect((await mailsOf(post.postId)).length).toBe(NEWSLETTER_PAGE_SIZE);
    await world.tick();
    expect((await mailsOf(post.postId)).length).toBe(NEWSLETTER_PAGE_SIZE);
    for (let minutes = 3; minutes < 12; minutes += 3) {
      const { sweepOutbox } = await import("#app/domain/notifications/commands/steps.server.ts");
      await sweepOutbox(later(minutes * MINUTE_MS));
      await world.drain();
    }
    expect((await mailsOf(post.postId)).length).toBe(COUNT);
  });
});
