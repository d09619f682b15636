import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/api-keys/commands.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { acceptInvitation } from "#app/domain/teams/commands/invitations.server.ts";
import { memberSeat } from "#app/domain/teams/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { apiKeys, people } from "#drizzle/schema/identity.ts";
import { media } from "#drizzle/schema/media.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { expectErased, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { invitationTo, invite, createTeamFor, createTeammate } from "#tests/support/teams.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

describe("erased and retained data", () => {
  test("posts, images, follows, API keys and the Pix key are erased; seller documents stay five years and free the CPF", async () => {
    const [ana, bruno] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
    const { ctx } = world;
    await paidSubscription(world, bruno, ana);
    const { postId } = await publishPost(ctx, {
      authorId: ana.id,
      title: "Ensaio",
      content: "Tudo.",
      audience: "public",
      planIds: [],
      teaser: "",
      image: null,
    });
    await ctx.db.insert(media).values({
      id: ctx.newId(),
      ownerId: ana.id,
      purpose: "avatar",
      contentType: "image/webp",
      sizeBytes: 1,
      width: 1,
      height: 1,
      createdAt: 1,
    });
    await follow(ctx, { followerId: bruno.id, creatorId: ana.id });
    await createApiKey(ctx, {
      personId: ana.id,
      name: "Site",
      description: "",
      lifetime: "30d",
      scopes: ["posts:read"],
      tokenHash: ctx.newId(),
      hint: "abcd",
    });
    const [papers] = await ctx.db.select().from(documents).where(eq(documents.personId, ana.id));
    await requestDeletion(ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world, 6);
    await expectErased(ctx, ana.id, ana.username);
    expect(
      await ctx.db
        .select({ title: posts.title, content: posts.content, teaser: posts.teaser })
        .from(posts)
        .where(eq(posts.id, postId)),
    ).toEqual([{ title: "Publicação excluída", content: "", teaser: "" }]);
    expect(await ctx.db.select().from(media).where(eq(media.ownerId, ana.id))).toEqual([]);
    expect(await ctx.db.select().from(apiKeys).where(eq(apiKeys.personId, ana.id))).toEqual([]);
    expect(
      await ctx.db.select().from(withdrawalMethods).where(eq(withdrawalMethods.creatorId, ana.id)),
    ).toEqual([]);
    expect(
      await ctx.db.select().from(documents).where(eq(documents.personId, ana.id)),
    ).toMatchObject([{ cpf: papers?.cpf, archivedAt: expect.any(Number) }]);
    const { results } = await world.env.DB.prepare(
      "SELECT id FROM outbox WHERE INSTR(payload, ?) > 0",
    )
      .bind(ana.id)
      .all();
    expect(results).toEqual([]);
    await world.advance(5 * 366 * DAY_MS);
    await settleDeletion(world, 1);
    expect(await ctx.db.select().from(documents).where(eq(documents.personId, ana.id))).toEqual([]);
  });

  test("no stored data contains their name, except what the law retains", async () => {
    const { ctx, env } = world;
    const [ana, bruno] = [
      await createSeller(ctx),
      await createPerson(ctx, `Zulmira ${ctx.newId()}`),
    ];
    const { postId } = await publishPost(ctx, {
      authorId: ana.id,
      title: "Ensaio",
      content: "Tudo.",
      audience: "public",
      planIds: [],
      teaser: "",
      image: null,
    });
    await addComment(ctx, {
      postId,
      authorId: bruno.id,
      authorName: bruno.name,
      body: "Que beleza.",
    });
    await paidSubscription(world, bruno, ana);
    await settleDeletion(world, 1);
    await requestDeletion(ctx, { personId: bruno.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world, 5);
    await expectErased(ctx, bruno.id, bruno.username);
    const { results: columns } = await env.DB.prepare(
      "SELECT t.name AS place, c.name AS name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.type = 'TEXT' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '\\_%' ESCAPE '\\'",
    ).all<{ place: string; name: string }>();
    expect(columns.length).toBeGreaterThan(100);
    const found: string[] = [];
    for (const [place, texts] of Map.groupBy(
      columns.filter((column) => column.place !== "local_mails"),
      (column) => column.place,
    )) {
      const named = texts
        .map(({ name }) => `SUM(INSTR("${name}", ?1) > 0 OR INSTR("${name}", ?2) > 0) AS "${name}"`)
        .join(", ");
      const counts = await env.DB.prepare(`SELECT ${named} FROM "${place}"`)
        .bind(bruno.name, bruno.email)
        .first<Record<string, number | null>>();
      found.push(
        ...Object.entries(counts ?? {}).flatMap(([name, count]) =>
          count ? [`${place}.${name}`] : [],
        ),
      );
    }
    expect(found).toEqual([]);
  });

  test("the notifications of subscribers no longer contain the page's name", async () => {
    const { ctx, env } = world;
    const [ana, bruno] = [await createSeller(ctx), await createPerson(ctx)];
    const name = `Zulmira ${ctx.newId()}`;
    await ctx.db.update(profiles).set({ name }).where(eq(profiles.personId, ana.id));
    const { purchaseId } = await paidSubscription(world, bruno, ana);
    await cancelSubscription(ctx, { fanId: bruno.id, subscriptionId: purchaseId });
    await settleDeletion(world, 1);
    await requestDeletion(ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world, 6);
    await expectErased(ctx, ana.id, ana.username);
    for (const [place, column] of [
      ["notifications", "body"],
      ["outbox", "payload"],
    ]) {
      expect(
        await env.DB.prepare(`SELECT COUNT(*) AS count FROM ${place} WHERE INSTR(${column}, ?) > 0`)
          .bind(name)
          .first(),
      ).toEqual({ count: 0 });
    }
  });

  test("the team of the page ends with it, and other teams stay", async () => {
    const { ctx } = world;
    const [own, other] = [await createTeamFor(ctx), await createTeamFor(ctx)];
    const joined = await createTeammate(ctx, own);
    await invite(ctx, other, own.owner.email);
    await acceptInvitation(ctx, {
      invitationId: await invitationTo(ctx, { teamId: other.teamId, email: own.owner.email }),
      personId: own.owner.id,
      personName: "Ana",
      verifiedEmails: [own.owner.email],
    });
    await requestDeletion(ctx, { personId: own.owner.id });
    await world.advance(31 * DAY_MS);
    await settleDeletion(world);
    for (const [teamId, personId] of [
      [own.teamId, own.owner.id],
      [own.teamId, joined.id],
      [other.teamId, own.owner.id],
    ] as const) {
      expect(await memberSeat(ctx, { teamId, personId })).toBeNull();
    }
    expect(
      await memberSeat(ctx, { teamId: other.teamId, personId: other.owner.id }),
    ).not.toBeNull();
    const { results } = await world.env.DB.prepare(
      "SELECT id FROM organization_invitations WHERE email = ?",
    )
      .bind(own.owner.email)
      .all();
    expect(results).toEqual([]);
  });

  test("the email can register again as a new account, and the username stays taken", async () => {
    const bruno = await createPerson(world.ctx, "Bruno");
    await requestDeletion(world.ctx, { personId: bruno.id });
    await world.advance(31 * DAY_MS);
    await settleDeletion(world);
    await world.ctx.db.insert(people).values({
      id: world.ctx.newId(),
      provider: "test",
      providerUserId: world.ctx.newId(),
      email: bruno.email,
      createdAt: 1,
    });
    await expectErased(world.ctx, bruno.id, bruno.username);
  });
});
