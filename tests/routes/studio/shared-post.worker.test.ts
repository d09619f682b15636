import { beforeAll, expect, test } from "vitest";
import { desc, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import * as sharedPost from "#app/routes/studio/posts/shared-post.tsx";
import { posts } from "#drizzle/schema/posts.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import type { TestTeam } from "#tests/support/teams.ts";

// What the share sheet of a device sends names no page of ours.

const routes = callRoutesAs([{ path: "post/shared", module: sharedPost }]);
const SHARED = { title: "Foto do ensaio", content: "Na praça.", link: "" };

let ctx: Context;
let team: TestTeam;
beforeAll(async () => {
  ({ ctx } = await testContext());
  team = await createTeamFor(ctx);
});

async function draftsOf(authorId: string) {
  return await ctx.db
    .select({ title: posts.title, publishedAt: posts.publishedAt })
    .from(posts)
    .where(eq(posts.authorId, authorId))
    .orderBy(desc(posts.createdAt));
}

test("a share becomes a draft of one's own page", async () => {
  const ana = await createSeller(ctx);
  const answer = await routes.post({ person: ana, isCreator: true }, "/post/shared", SHARED);
  expect(answer.headers.get("Location")).toMatch(/^\/post\/[0-9a-f]{32}\/edit$/);
  expect(await draftsOf(ana.id)).toEqual([{ title: SHARED.title, publishedAt: null }]);
});

test("of who acts for a team it becomes a draft of the team's page", async () => {
  const editor = await createTeammate(ctx, team, "basic_member");
  const caller: ActingCaller = { person: editor, teamId: team.teamId };
  const answer = await routes.post(caller, "/post/shared", SHARED);
  expect(answer.headers.get("Location")).toMatch(/^\/post\/[0-9a-f]{32}\/edit$/);
  expect((await draftsOf(team.owner.id))[0]).toEqual({ title: SHARED.title, publishedAt: null });
  expect(await draftsOf(editor.id)).toEqual([]);
});

test("a form that names another page than the one acted for is refused with what was typed", async () => {
  const editor = await createTeammate(ctx, team, "basic_member");
  const before = await draftsOf(team.owner.id);
  const answer = await routes.post({ person: editor, teamId: team.teamId }, "/post/shared", {
    ...SHARED,
    space: editor.id,
  });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ values: { title: SHARED.title } });
  expect(await draftsOf(team.owner.id)).toEqual(before);
});
