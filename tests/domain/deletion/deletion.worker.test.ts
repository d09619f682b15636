import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/commands/api-keys.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { cancelDeletion, requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { AlreadyLeaving, NotLeaving, TooLateToStay } from "#app/domain/deletion/errors.ts";
import { deletionFigures } from "#app/domain/deletion/queries/figures.server.ts";
import { openDeletion } from "#app/domain/deletion/queries/deletions.server.ts";
import { deletionStanding } from "#app/domain/deletion/queries/standing.server.ts";
import { deletionDueAt, lastPayoutCents, waitReasons } from "#app/domain/deletion/rules.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { LeavingIsPaidAtTheEnd } from "#app/domain/payouts/errors.ts";
import { balancesOf } from "#app/domain/payouts/queries.server.ts";
import { offerOf } from "#app/domain/plans/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { feedOf } from "#app/domain/posts/queries/feed.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { profileByUsername, profileFor } from "#app/domain/profiles/queries.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { LeavingBuysNothing, PlanNotForSale } from "#app/domain/subscriptions/errors.ts";
import { acceptInvitation } from "#app/domain/teams/commands/invitations.server.ts";
import { seatOf } from "#app/domain/teams/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { apiKeys, people } from "#drizzle/schema/identity.ts";
import { media } from "#drizzle/schema/media.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { deletionsOf, expectErased, mailsOf, payoutsOf, refundsOf, settle, statusOfSubscription } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pay, pixCheckout, subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import { invitationTo, invite, team, teammate } from "#tests/support/teams.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectBooksToHold(world.ctx));

const annual = { amountCents: 15_000, interval: "annual" as const };
const figuresOf = (personId: string) => deletionFigures(world.ctx, { personId, dueAt: deletionDueAt(world.ctx.now()) });
const reasonsOf = async (personId: string) => waitReasons(await deletionStanding(world.ctx, { personId })).map(({ kind }) => kind);
/** The thirty days and a minute, with the crons of their last days. */
async function aMonth(): Promise<void> {
  await world.advance(27 * DAY_MS);
  await settle(world, 1);
  await world.advance(3 * DAY_MS);
  await settle(world);
}

describe("somebody who pays", () => {
  test("reads what comes back, and after thirty days that is what came back", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    const figures = await figuresOf(bruno.id);
    // 365 days, of which 31 were used on the thirtieth day after.
    expect(figures).toMatchObject({ refundToThemCents: 13_726, subscriptions: [{ planName: "Camarim", creatorName: "Ana Lira", refundCents: 13_726 }], subscribersCount: 0 });
    await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(29 * DAY_MS);
    await settle(world, 1);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("active");
    await world.advance(DAY_MS);
    await settle(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([{ status: "succeeded", amountCents: 13_726 }]);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("expired");
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
    await expectErased(world.ctx, bruno.id, bruno.username);
    expect(await mailsOf(world.ctx, bruno.email)).toEqual([
      expect.stringContaining("assinatura de Ana Lira começou"),
      expect.stringMatching(/^A sua conta será excluída em/),
      expect.stringMatching(/^Faltam 3 dias/),
      expect.stringContaining("Devolvemos"),
      "A sua conta do Coreto foi excluída",
    ]);
  });

  test("who changes their mind has everything as before", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    await requestDeletion(world.ctx, { personId: bruno.id });
    await cancelDeletion(world.ctx, { personId: bruno.id });
    await expect(cancelDeletion(world.ctx, { personId: bruno.id })).rejects.toThrow(NotLeaving);
    await aMonth();
    expect(await refundsOf(world.ctx, charge.id)).toEqual([]);
    expect(await statusOfSubscription(world.ctx, charge.purchaseId)).toBe("active");
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["canceled"]);
    expect(await mailsOf(world.ctx, bruno.email)).toContain("A sua conta do Coreto continua");
    await requestDeletion(world.ctx, { personId: bruno.id });
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["canceled", "requested"]);
  });

  test("buys nothing new, renews nothing, and what is paid all the same comes back whole", async () => {
    const [ana, tiao, bruno] = [await seller(world.ctx), await seller(world.ctx), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    const waiting = await pixCheckout(world, bruno, tiao);
    await requestDeletion(world.ctx, { personId: bruno.id });
    await expect(startSubscription(world.ctx, { memberId: bruno.id, memberName: "Bruno", planPriceId: tiao.priceId, method: "pix", cardToken: null })).rejects.toThrow(LeavingBuysNothing);
    await pay(world, waiting);
    await world.drain();
    expect(await refundsOf(world.ctx, waiting.chargeId)).toEqual([{ status: "succeeded", amountCents: 1_990 }]);
    await world.advance(29 * DAY_MS);
    await settle(world, 1);
    const { results } = await world.env.DB.prepare("SELECT id FROM charges WHERE payer_id = ?").bind(bruno.id).all();
    expect(results).toHaveLength(2);
    await world.advance(2 * DAY_MS);
    await settle(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([]);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
  });

  test("with a dispute open nothing ends, and after its decision everything does", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    await requestDeletion(world.ctx, { personId: bruno.id });
    await aMonth();
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["closing"]);
    expect(await reasonsOf(bruno.id)).toEqual(["subscriptions", "disputes"]);
    await world.console(`/sandbox/disputes/${String(opened.body.id)}/win`);
    await world.drain();
    await settle(world);
    expect(await refundsOf(world.ctx, charge.id)).toEqual([{ status: "succeeded", amountCents: 13_726 }]);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["done"]);
  });
});

describe("somebody who creates", () => {
  test("reads what goes back to whom, and each side gets exactly that", async () => {
    const ana = await seller(world.ctx, annual);
    const [bruno, clara] = [await person(world.ctx, "Bruno"), await person(world.ctx, "Clara")];
    const charges = [await subscribed(world, bruno, ana), await subscribed(world, clara, ana)];
    const figures = await figuresOf(ana.id);
    expect(figures).toMatchObject({ subscribersCount: 2, refundToSubscribersCents: 27_452, refundFromBalanceCents: 26_080, pendingCents: 28_500 });
    await requestDeletion(world.ctx, { personId: ana.id });
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(LeavingIsPaidAtTheEnd);
    await aMonth();
    for (const charge of charges) expect(await refundsOf(world.ctx, charge.id)).toEqual([{ status: "succeeded", amountCents: 13_726 }]);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual([`paid ${lastPayoutCents(figures)}`]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
    await expectErased(world.ctx, ana.id, ana.username);
    expect(await balancesOf(world.ctx, { creatorId: ana.id })).toMatchObject({ availableCents: 0, pendingCents: 0, reservedCents: 0, owedCents: 0, inTransitCents: 0 });
    expect(await mailsOf(world.ctx, bruno.email)).toContainEqual(expect.stringContaining("Devolvemos"));
  });

  test("is paid out under the minimum, and nothing is left behind", async () => {
    const ana = await seller(world.ctx, { amountCents: 9_000, interval: "annual" });
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    const expected = lastPayoutCents(await figuresOf(ana.id));
    expect(expected).toBeGreaterThan(0);
    expect(expected).toBeLessThan(1_000);
    await requestDeletion(world.ctx, { personId: ana.id });
    await aMonth();
    expect(await payoutsOf(world.ctx, ana.id)).toEqual([`paid ${expected}`]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("sells nothing and is found by nobody, while who pays goes on seeing everything", async () => {
    const [ana, bruno, stranger] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno"), await person(world.ctx, "Clara")];
    await publishPost(world.ctx, { authorId: ana.id, title: "Ensaio", content: "Tudo.", audience: "subscribers", planIds: [], teaser: "", image: null });
    await subscribed(world, bruno, ana);
    await requestDeletion(world.ctx, { personId: ana.id });
    const { ctx } = world;
    expect(await profileByUsername(ctx, { username: ana.username })).toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: stranger.id })).toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: bruno.id })).not.toBeNull();
    expect(await profileFor(ctx, { key: ana.username, viewerId: ana.id })).not.toBeNull();
    expect((await offerOf(ctx, { planId: ana.planId }))?.availability).toBe("not_sold");
    await expect(startSubscription(ctx, { memberId: stranger.id, memberName: "Clara", planPriceId: ana.priceId, method: "pix", cardToken: null })).rejects.toThrow(PlanNotForSale);
    const seen = async (viewerId: string) => (await feedOf(ctx, { viewerId, cursor: null, limit: 50 })).items.filter(({ author }) => author.id === ana.id).length;
    expect(await seen(stranger.id)).toBe(0);
    await cancelDeletion(ctx, { personId: ana.id });
    expect(await profileByUsername(ctx, { username: ana.username })).not.toBeNull();
  });

  test("with no key the balance waits for one, and is paid the day there is", async () => {
    const ana = await seller(world.ctx);
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await world.ctx.db.delete(withdrawalMethods).where(eq(withdrawalMethods.creatorId, ana.id));
    await requestDeletion(world.ctx, { personId: ana.id });
    await aMonth();
    await world.advance(DAY_MS);
    await settle(world);
    expect(await reasonsOf(ana.id)).toEqual(["balance"]);
    const now = world.ctx.now();
    await world.ctx.db.insert(withdrawalMethods).values({ creatorId: ana.id, pixKeyKind: "email", pixKey: ana.email, schedule: "weekly", createdAt: now, updatedAt: now });
    await settle(world);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual(["paid 1890"]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("whose payout fails is tried once a day, and loses nothing", async () => {
    const ana = await seller(world.ctx, { pixKey: { kind: "email", key: "falha@coreto.test" } });
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(31 * DAY_MS);
    await settle(world, 8);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual(["failed 1890"]);
    await world.advance(DAY_MS);
    await settle(world);
    expect(await payoutsOf(world.ctx, ana.id)).toEqual(["failed 1890", "failed 1890"]);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["closing"]);
  });

  test("who is banned may leave, and their balance waits for the moderation", async () => {
    const ana = await seller(world.ctx);
    await subscribed(world, await person(world.ctx, "Bruno"), ana);
    await world.ctx.db.update(people).set({ bannedAt: world.ctx.now() }).where(eq(people.id, ana.id));
    await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settle(world);
    expect(await reasonsOf(ana.id)).toEqual(["balance"]);
    await world.ctx.db.update(people).set({ bannedAt: null }).where(eq(people.id, ana.id));
    await settle(world);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });
});

describe("what is erased and what stays", () => {
  test("posts, images, follows, keys and the Pix key go; the documents of who sold stay five years, and free the CPF", async () => {
    const [ana, bruno] = [await seller(world.ctx), await person(world.ctx, "Bruno")];
    const { ctx } = world;
    await subscribed(world, bruno, ana);
    const { postId } = await publishPost(ctx, { authorId: ana.id, title: "Ensaio", content: "Tudo.", audience: "public", planIds: [], teaser: "", image: null });
    await ctx.db.insert(media).values({ id: ctx.newId(), ownerId: ana.id, purpose: "avatar", contentType: "image/webp", sizeBytes: 1, width: 1, height: 1, createdAt: 1 });
    await follow(ctx, { followerId: bruno.id, creatorId: ana.id });
    await createApiKey(ctx, { personId: ana.id, name: "Site", description: "", lifetime: "30d", scopes: ["posts:read"], tokenHash: ctx.newId(), hint: "abcd" });
    const [papers] = await ctx.db.select().from(documents).where(eq(documents.personId, ana.id));
    await requestDeletion(ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settle(world, 6);
    await expectErased(ctx, ana.id, ana.username);
    expect(await ctx.db.select({ title: posts.title, content: posts.content, teaser: posts.teaser }).from(posts).where(eq(posts.id, postId))).toEqual([{ title: "Publicação excluída", content: "", teaser: "" }]);
    expect(await ctx.db.select().from(media).where(eq(media.ownerId, ana.id))).toEqual([]);
    expect(await ctx.db.select().from(apiKeys).where(eq(apiKeys.personId, ana.id))).toEqual([]);
    expect(await ctx.db.select().from(withdrawalMethods).where(eq(withdrawalMethods.creatorId, ana.id))).toEqual([]);
    expect(await ctx.db.select().from(documents).where(eq(documents.personId, ana.id))).toMatchObject([{ cpf: papers?.cpf, archivedAt: expect.any(Number) }]);
    const { results } = await world.env.DB.prepare("SELECT id FROM outbox WHERE INSTR(payload, ?) > 0").bind(ana.id).all();
    expect(results).toEqual([]);
    await world.advance(5 * 366 * DAY_MS);
    await settle(world, 1);
    expect(await ctx.db.select().from(documents).where(eq(documents.personId, ana.id))).toEqual([]);
  });

  test("nothing anywhere names them any more, but what the law keeps", async () => {
    const { ctx, env } = world;
    const [ana, bruno] = [await seller(ctx), await person(ctx, `Zulmira ${ctx.newId()}`)];
    const { postId } = await publishPost(ctx, { authorId: ana.id, title: "Ensaio", content: "Tudo.", audience: "public", planIds: [], teaser: "", image: null });
    await addComment(ctx, { postId, authorId: bruno.id, authorName: bruno.name, body: "Que beleza." });
    await subscribed(world, bruno, ana);
    await settle(world, 1);
    await requestDeletion(ctx, { personId: bruno.id });
    await world.advance(32 * DAY_MS);
    await settle(world, 5);
    await expectErased(ctx, bruno.id, bruno.username);
    const { results: columns } = await env.DB.prepare(
      "SELECT t.name AS place, c.name AS name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.type = 'TEXT' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '\\_%' ESCAPE '\\'",
    ).all<{ place: string; name: string }>();
    expect(columns.length).toBeGreaterThan(100);
    const found: string[] = [];
    for (const { place, name } of columns.filter((column) => column.place !== "local_mails")) {
      const row = await env.DB.prepare(`SELECT COUNT(*) AS count FROM "${place}" WHERE INSTR("${name}", ?) > 0 OR INSTR("${name}", ?) > 0`).bind(bruno.name, bruno.email).first<{ count: number }>();
      if ((row?.count ?? 0) > 0) found.push(`${place}.${name}`);
    }
    expect(found).toEqual([]);
  });

  test("who subscribed was told things that name the page no more", async () => {
    const { ctx, env } = world;
    const [ana, bruno] = [await seller(ctx), await person(ctx)];
    const name = `Zulmira ${ctx.newId()}`;
    await ctx.db.update(profiles).set({ name }).where(eq(profiles.personId, ana.id));
    const { purchaseId } = await subscribed(world, bruno, ana);
    await cancelSubscription(ctx, { fanId: bruno.id, subscriptionId: purchaseId });
    await settle(world, 1);
    await requestDeletion(ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settle(world, 6);
    await expectErased(ctx, ana.id, ana.username);
    for (const [place, column] of [["notifications", "body"], ["outbox", "payload"]]) {
      expect(await env.DB.prepare(`SELECT COUNT(*) AS count FROM ${place} WHERE INSTR(${column}, ?) > 0`).bind(name).first()).toEqual({ count: 0 });
    }
  });

  test("a team of the page ends with it, and every other is left", async () => {
    const { ctx } = world;
    const [own, other] = [await team(ctx), await team(ctx)];
    const joined = await teammate(ctx, own);
    await invite(ctx, other, own.owner.email);
    await acceptInvitation(ctx, { invitationId: await invitationTo(ctx, { teamId: other.teamId, email: own.owner.email }), personId: own.owner.id, personName: "Ana", verifiedEmails: [own.owner.email] });
    await requestDeletion(ctx, { personId: own.owner.id });
    await world.advance(31 * DAY_MS);
    await settle(world);
    for (const [teamId, personId] of [[own.teamId, own.owner.id], [own.teamId, joined.id], [other.teamId, own.owner.id]] as const) {
      expect(await seatOf(ctx, { teamId, personId })).toBeNull();
    }
    expect(await seatOf(ctx, { teamId: other.teamId, personId: other.owner.id })).not.toBeNull();
    const { results } = await world.env.DB.prepare("SELECT id FROM organization_invitations WHERE email = ?").bind(own.owner.email).all();
    expect(results).toEqual([]);
  });

  test("the e-mail registers again as somebody new, and the username stays taken", async () => {
    const bruno = await person(world.ctx, "Bruno");
    await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(31 * DAY_MS);
    await settle(world);
    await world.ctx.db.insert(people).values({ id: world.ctx.newId(), provider: "test", providerUserId: world.ctx.newId(), email: bruno.email, createdAt: 1 });
    await expectErased(world.ctx, bruno.id, bruno.username);
  });
});

describe("at once, twice, and too late", () => {
  test("ten clicks make one deletion", async () => {
    const bruno = await person(world.ctx, "Bruno");
    const clicks = await Promise.allSettled(Array.from({ length: 10 }, () => requestDeletion(world.ctx, { personId: bruno.id })));
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const click of clicks) if (click.status === "rejected") expect(click.reason).toBeInstanceOf(AlreadyLeaving);
    expect(await deletionsOf(world.ctx, bruno.id)).toEqual(["requested"]);
  });

  test("ten workers at the end give back once, pay out once and write once", async () => {
    const [ana, bruno] = [await seller(world.ctx, annual), await person(world.ctx, "Bruno")];
    const charge = await subscribed(world, bruno, ana);
    await world.ctx.db.update(withdrawalMethods).set({ schedule: "manual" }).where(eq(withdrawalMethods.creatorId, ana.id));
    await world.advance(9 * DAY_MS);
    await settle(world, 1);
    const { deletionId } = await requestDeletion(world.ctx, { personId: ana.id });
    await world.advance(30 * DAY_MS);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => advanceDeletion(world.ctx, { deletionId })));
      await settle(world, 1);
    }
    expect(await refundsOf(world.ctx, charge.id)).toHaveLength(1);
    expect(await payoutsOf(world.ctx, ana.id)).toHaveLength(1);
    expect((await mailsOf(world.ctx, ana.email)).filter((subject) => subject.includes("foi excluída"))).toHaveLength(1);
    expect(await deletionsOf(world.ctx, ana.id)).toEqual(["done"]);
  });

  test("once money moves there is no way back, and the end is final in the database", async () => {
    const bruno = await person(world.ctx, "Bruno");
    const { deletionId, dueAt } = await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(30 * DAY_MS);
    expect(world.ctx.now()).toBeGreaterThanOrEqual(dueAt);
    await expect(cancelDeletion(world.ctx, { personId: bruno.id })).rejects.toThrow(TooLateToStay);
    await settle(world);
    expect(await openDeletion(world.ctx, { personId: bruno.id })).toBeNull();
    for (const status of ["requested", "closing", "canceled", "gone"]) {
      await expect(world.env.DB.prepare("UPDATE account_deletions SET status = ? WHERE id = ?").bind(status, deletionId).run()).rejects.toThrow("unknown_state");
    }
  });
});
