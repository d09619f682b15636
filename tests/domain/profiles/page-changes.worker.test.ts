import { beforeEach, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { hideComment } from "#app/domain/comments/commands/host.server.ts";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { likePost, publishPost } from "#app/domain/posts/commands.server.ts";
import {
  editPost,
  publishComposition,
  saveDraft,
} from "#app/domain/posts/commands/compose.server.ts";
import { deletePost, pinPost, unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { archivePlan, createPlan, updatePlan } from "#app/domain/plans/commands.server.ts";
import type { PlanInput } from "#app/domain/plans/schema.ts";
import { follow, updateProfile } from "#app/domain/profiles/commands.server.ts";
import { adultPageStatement } from "#app/domain/profiles/commands/adult.server.ts";
import { purgeChangedPages } from "#app/domain/profiles/commands/page-changes.server.ts";
import { changeUsernameWrites } from "#app/domain/profiles/commands/username.server.ts";
import { pageChanges } from "#drizzle/schema/profiles.ts";
import { composition } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let postId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  postId = await published();
  await purged();
});

const published = async (): Promise<string> => {
  const words = { title: "Ensaio", content: "Oito músicas.", teaser: "", image: null };
  const audience = { audience: "public" as const, planIds: [] };
  return (await publishPost(world.ctx, { authorId: ana.id, ...words, ...audience })).postId;
};

/** Purges what waits, and returns its tags. */
async function purged(): Promise<string[]> {
  await purgeChangedPages(world.ctx);
  return world.purgedTags.splice(0).toSorted();
}

const PLAN: PlanInput = {
  name: "Camarim",
  description: "O que acontece antes do palco.",
  benefits: ["Ensaios"],
  prices: [{ interval: "monthly", amountCents: 2_990 }],
  seatsLimit: null,
  welcomeMessage: "",
};
const profileOf = ({ id: personId }: Seller) => ({
  personId,
  name: "Ana Maria",
  bio: "",
  city: "",
  craft: "",
  avatarMediaId: null,
  bannerMediaId: null,
});
const planOf = ({ id: creatorId, planId }: Seller) => ({ creatorId, planId });
const own = () => ({ postId, authorId: ana.id });

test.each<[what: string, change: () => Promise<unknown>]>([
  ["a new post", published],
  [
    "another text of a post",
    () => editPost(world.ctx, composition(world.ctx, ana.id, { postId, version: 1 })),
  ],
  ["a pinned post", () => pinPost(world.ctx, own())],
  ["a post that is a draft again", () => unpublishPost(world.ctx, own())],
  ["a deleted post", () => deletePost(world.ctx, own())],
  ["another price", () => updatePlan(world.ctx, { ...planOf(ana), ...PLAN })],
  ["a plan that is not sold any more", () => archivePlan(world.ctx, planOf(ana))],
  ["another name", () => updateProfile(world.ctx, profileOf(ana))],
])("%s is seen on its creator's pages", async (_, change) => {
  await change();
  expect(await purged()).toEqual([`space:${ana.username}`]);
});

test("a hidden comment is seen on the pages of the post's author", async () => {
  const fan = await createPerson(world.ctx);
  const { commentId } = await addComment(world.ctx, {
    postId,
    authorId: fan.id,
    authorName: fan.name,
    body: "Que bonito!",
  });
  // A new comment waits a minute: a lively post stays in the cache.
  expect(await purged()).toEqual([]);
  await hideComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, hidden: true });
  expect(await purged()).toEqual([`space:${ana.username}`]);
});

test("the mark of an adult page and a ban are also seen where creators are listed", async () => {
  const tags = ["explore", `space:${ana.username}`];
  await commit(world.ctx.db, [adultPageStatement(world.ctx, { personId: ana.id, isAdult: true })]);
  expect(await purged()).toEqual(tags);
  const ban = { moderatorId: (await createModerator(world.ctx)).id, personId: ana.id };
  await banPerson(world.ctx, { ...ban, reason: "Golpe." });
  expect(await purged()).toEqual(tags);
  await unbanPerson(world.ctx, ban);
  expect(await purged()).toEqual(tags);
});

test("another username is seen at the old address and at the new one", async () => {
  const username = `${ana.username}x`;
  const writes = changeUsernameWrites(world.ctx, {
    personId: ana.id,
    from: ana.username,
    username,
  });
  await commit(world.ctx.db, writes);
  expect(await purged()).toEqual([`space:${ana.username}`, `space:${username}`]);
});

test("what no visitor sees purges nothing: drafts, likes and followers", async () => {
  const fan = await createPerson(world.ctx);
  await saveDraft(world.ctx, composition(world.ctx, ana.id));
  await createPlan(world.ctx, { creatorId: ana.id, ...PLAN });
  await likePost(world.ctx, { postId, personId: fan.id });
  await follow(world.ctx, { followerId: fan.id, creatorId: ana.id });
  expect(await purged()).toEqual([]);
});

test("a scheduled post is seen when it is published", async () => {
  const at = world.ctx.now() + 3_600_000;
  await publishComposition(world.ctx, { ...composition(world.ctx, ana.id), at });
  expect(await purged()).toEqual([]);
  await world.advance(3_700_000);
  await world.tick();
  expect(await purged()).toEqual([`space:${ana.username}`]);
});

test("a purge that fails is repeated, and a change during a purge waits for the next", async () => {
  await published();
  const failing = { purge: () => Promise.reject(new Error("no answer")) };
  const purge = (pageCache: typeof world.ctx.pageCache) =>
    purgeChangedPages({ ...world.ctx, pageCache });
  await expect(purge(failing)).rejects.toThrow("no answer");
  await purge({ purge: async () => void (await published()) });
  expect(await world.ctx.db.select().from(pageChanges)).toHaveLength(1);
  expect(await purged()).toEqual([`space:${ana.username}`]);
  expect(await world.ctx.db.select().from(pageChanges)).toEqual([]);
});
