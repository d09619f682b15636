import { beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import {
  deletePost,
  restorePost,
  unpublishPost,
} from "#app/domain/posts/commands/lifecycle.server.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const TITLE = "Segredo retirado";
const GONE = "Uma publicação que não está mais no ar.";

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});

/** A post, with what its author and a follower were told of it and of a comment under it. */
async function notificationsAbout(): Promise<{ postId: string; ids: string[] }> {
  const { postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: TITLE,
    content: "Texto.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  });
  const rows = [bruno, ana].flatMap(({ id: personId }) =>
    [`/post/${postId}`, `/post/${postId}/comments/${ctx.newId()}`].map((path) => ({
      id: ctx.newId(),
      personId,
      kind: "post.published",
      body: `Ana publicou “${TITLE}”.`,
      path,
      sourceKey: ctx.newId(),
      createdAt: ctx.now(),
    })),
  );
  await ctx.db.insert(notifications).values(rows);
  return { postId, ids: rows.map(({ id }) => id) };
}

async function bodies(person: TestPerson, ids: string[]): Promise<string[]> {
  const { items } = await memberNotifications(ctx, {
    personId: person.id,
    cursor: null,
    limit: 50,
  });
  return items.filter(({ id }) => ids.includes(id)).map(({ body }) => body);
}

const WITHDRAWALS: [string, (postId: string) => Promise<unknown>][] = [
  ["deleted", async (postId) => deletePost(ctx, { postId, authorId: ana.id })],
  ["unpublished", async (postId) => unpublishPost(ctx, { postId, authorId: ana.id })],
  ["held by moderation", async (postId) => holdPost(ctx, { postId })],
];

test.each(WITHDRAWALS)(
  "the title of a post that was %s is removed from notifications of others, not from its author's",
  async (_, withdraw) => {
    const { postId, ids } = await notificationsAbout();
    expect(await bodies(bruno, ids)).toEqual([
      expect.stringContaining(TITLE),
      expect.stringContaining(TITLE),
    ]);
    await withdraw(postId);
    expect(await bodies(bruno, ids)).toEqual([GONE, GONE]);
    expect(await bodies(ana, ids)).toEqual([
      expect.stringContaining(TITLE),
      expect.stringContaining(TITLE),
    ]);
  },
);

test("the title is restored with the post; other notifications are unchanged", async () => {
  const { postId, ids } = await notificationsAbout();
  const elsewhere = { id: ctx.newId(), body: "Pagamento confirmado.", path: "/settings/purchases" };
  await ctx.db.insert(notifications).values({
    ...elsewhere,
    personId: bruno.id,
    kind: "charge.paid",
    sourceKey: ctx.newId(),
    createdAt: ctx.now(),
  });
  await deletePost(ctx, { postId, authorId: ana.id });
  await restorePost(ctx, { postId, authorId: ana.id });
  const restored = await bodies(bruno, [...ids, elsewhere.id]);
  expect(restored).toContain(elsewhere.body);
  expect(restored.filter((body) => body.includes(TITLE) || body === GONE)).toHaveLength(2);
});
