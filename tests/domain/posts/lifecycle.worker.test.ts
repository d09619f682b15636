import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccessRule } from "#app/domain/access/rules.ts";
import {
  editPost,
  publishComposition,
  saveDraft,
} from "#app/domain/posts/commands/compose.server.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import {
  deletePost,
  pinPost,
  publishDuePost,
  restorePost,
  unpinPost,
  unpublishPost,
} from "#app/domain/posts/commands/lifecycle.server.ts";
import {
  AlreadyPublished,
  NotACreator,
  NotPublished,
  PlanNotYours,
  PostChangedElsewhere,
  PostNotFound,
  ScheduledPostNeedsText,
  ScheduleInThePast,
  ScheduleTooFar,
  TooLateToRestore,
  TooManyPins,
} from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import {
  postToEdit,
  deletedPosts,
  storedPost,
  dueScheduledPosts,
  unpublishedPosts,
} from "#app/domain/posts/queries/studio.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { composition } from "#tests/support/compositions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let world: World;
let ana: Seller;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const written = (more: Partial<Composition> = {}) => composition(world.ctx, ana.id, more);
const published = async (more: Partial<Composition> = {}) => {
  const post = written(more);
  await publishComposition(world.ctx, { ...post, at: null });
  return post;
};
const seen = (postId: string, viewerId: string | null = null) =>
  postFor(world.ctx, { postId, viewerId });
const saved = (postId: string) => storedPost(world.ctx, { postId });
const count = async (authorId = ana.id) =>
  (await profileOfPerson(world.ctx, { personId: authorId }))?.postsCount;
const notificationsAbout = async (postId: string) =>
  (
    await world.ctx.db
      .select()
      .from(notifications)
      .where(eq(notifications.path, `/post/${postId}`))
  ).map((row) => row.personId);

describe("a draft", () => {
  test("is saved as it is typed, even empty, and nobody else sees it", async () => {
    const draft = written({ title: "", content: "", rules: [] });
    expect(await saveDraft(world.ctx, draft)).toEqual({ version: 1, state: "draft" });
    expect(await saveDraft(world.ctx, { ...draft, version: 1, title: "Com título" })).toEqual({
      version: 2,
      state: "draft",
    });
    expect(await postToEdit(world.ctx, { postId: draft.postId, authorId: ana.id })).toMatchObject({
      title: "Com título",
      state: "draft",
      version: 2,
    });
    expect(await seen(draft.postId)).toBeNull();
    expect(
      (await unpublishedPosts(world.ctx, { authorId: ana.id, limit: 50 })).map((post) => post.id),
    ).toContain(draft.postId);
  });

  test("in two tabs is not overwritten unseen, and a tab that lost its answer can continue", async () => {
    const first = written();
    await saveDraft(world.ctx, first);
    const second = { ...first, version: 1, tab: "outra-aba", content: "Da outra aba" };
    expect((await saveDraft(world.ctx, second)).version).toBe(2);
    await expect(
      saveDraft(world.ctx, { ...first, version: 1, content: "Por cima" }),
    ).rejects.toThrow(PostChangedElsewhere);
    await expect(publishComposition(world.ctx, { ...first, version: 1, at: null })).rejects.toThrow(
      PostChangedElsewhere,
    );
    expect(
      (await saveDraft(world.ctx, { ...second, version: 1, content: "De novo" })).version,
    ).toBe(3);
    expect(await postToEdit(world.ctx, { postId: first.postId, authorId: ana.id })).toMatchObject({
      content: "De novo",
    });
  });

  test("saved by several tabs at once keeps one version and refuses the others", async () => {
    const first = written();
    await saveDraft(world.ctx, first);
    const results = await Promise.allSettled(
      ["a", "b", "c"].map((tab) =>
        saveDraft(world.ctx, { ...first, tab, version: 1, content: tab }),
      ),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(PostChangedElsewhere);
  });

  test("can be saved only by a creator, and only by its author", async () => {
    const [other, fan] = [await createSeller(world.ctx), await createPerson(world.ctx)];
    const draft = written();
    await saveDraft(world.ctx, draft);
    await expect(
      saveDraft(world.ctx, { ...draft, authorId: other.id, version: 1 }),
    ).rejects.toThrow(PostNotFound);
    await expect(saveDraft(world.ctx, written({ authorId: fan.id }))).rejects.toThrow(NotACreator);
    await expect(saveDraft(world.ctx, written({ version: 3 }))).rejects.toThrow(PostNotFound);
    expect(await postToEdit(world.ctx, { postId: draft.postId, authorId: other.id })).toBeNull();
  });
});

describe("publishing", () => {
  test.each(["an automatic save of the same composer", "its very first save"])(
    "goes through while %s is still on its way, with the words that were published",
    async (what) => {
      const draft = await written({ content: "Antes" });
      if (what !== "its very first save") await saveDraft(world.ctx, draft);
      const meanwhile = interleaveBeforeWrite(world.ctx, () =>
        saveDraft(world.ctx, { ...draft, content: "No meio" }),
      );
      await publishComposition(meanwhile, { ...draft, content: "Por fim", at: null });
      const saved = await world.ctx.db
        .select({ state: posts.state, content: posts.content })
        .from(posts)
        .where(eq(posts.id, draft.postId));
      expect(saved).toEqual([{ state: "published", content: "Por fim" }]);
    },
  );

  test("twice from the same composer publishes once, and from another tab reports that it is published", async () => {
    const before = (await count()) ?? 0;
    const draft = written();
    await saveDraft(world.ctx, draft);
    await publishComposition(world.ctx, { ...draft, version: 1, at: null });
    await publishComposition(world.ctx, { ...draft, version: 1, at: null });
    await expect(
      publishComposition(world.ctx, { ...draft, version: 2, tab: "outra", at: null }),
    ).rejects.toThrow(AlreadyPublished);
    await expect(saveDraft(world.ctx, { ...draft, version: 2 })).rejects.toThrow(AlreadyPublished);
    expect(await count()).toBe(before + 1);
    expect((await saved(draft.postId))?.version).toBe(2);
  });

  test("with a deleted plan or another creator's plan is refused at the plans, and writes nothing", async () => {
    const other = await createSeller(world.ctx);
    const rule = (planId: string): AccessRule => ({
      kind: "plan",
      planId,
      amountCents: null,
      opensAt: null,
    });
    const draft = written({ rules: [rule(other.planId)] });
    await expect(publishComposition(world.ctx, { ...draft, at: null })).rejects.toThrow(
      PlanNotYours,
    );
    expect(await saved(draft.postId)).toBeNull();
    expect(new PlanNotYours().field).toBe("planIds");
    await archivePlan(world.ctx, { creatorId: other.id, planId: other.planId });
    await expect(
      publishComposition(world.ctx, { ...draft, authorId: other.id, at: null }),
    ).rejects.toThrow(PlanNotYours);
  });

  test("a later edit shows its time and keeps an archived plan", async () => {
    const author = await createSeller(world.ctx);
    const rules: AccessRule[] = [
      { kind: "plan", planId: author.planId, amountCents: null, opensAt: null },
    ];
    const post = await published({ authorId: author.id, rules });
    expect((await seen(post.postId, author.id))?.editedAt).toBeNull();
    await archivePlan(world.ctx, { creatorId: author.id, planId: author.planId });
    await editPost(world.ctx, { ...post, version: 1, content: "Nove músicas." });
    expect(await seen(post.postId, author.id)).toMatchObject({
      content: "Nove músicas.",
      editedAt: expect.any(Number),
      rules,
    });
    await expect(editPost(world.ctx, { ...post, version: 1, tab: "outra" })).rejects.toThrow(
      PostChangedElsewhere,
    );
    const draft = written();
    await saveDraft(world.ctx, draft);
    await expect(editPost(world.ctx, { ...draft, version: 1 })).rejects.toThrow(NotPublished);
  });
});

describe("a schedule", () => {
  test("in the past or more than a year ahead is refused at its field", async () => {
    const now = world.ctx.now();
    await expect(
      publishComposition(world.ctx, { ...written(), at: now - 2 * MINUTE_MS }),
    ).rejects.toThrow(ScheduleInThePast);
    await expect(
      publishComposition(world.ctx, { ...written(), at: now + 400 * DAY_MS }),
    ).rejects.toThrow(ScheduleTooFar);
    expect([new ScheduleInThePast().field, new ScheduleTooFar().field]).toEqual([
      "publishAt",
      "publishAt",
    ]);
  });

  test("publishes at its minute, once, however often the cron and the queue run", async () => {
    const author = await createSeller(world.ctx);
    const fan = await createPerson(world.ctx);
    await follow(world.ctx, { followerId: fan.id, creatorId: author.id });
    const post = written({ authorId: author.id });
    const at = world.ctx.now() + HOUR_MS;
    await publishComposition(world.ctx, { ...post, at });
    expect(await seen(post.postId, fan.id)).toBeNull();
    await world.tick();
    await publishDuePost(world.ctx, { postId: post.postId });
    expect((await saved(post.postId))?.state).toBe("scheduled");
    await world.advance(HOUR_MS);
    expect(await dueScheduledPosts(world.ctx, { limit: 10 })).toContain(post.postId);
    await Promise.all([1, 2, 3, 4].map(() => publishDuePost(world.ctx, { postId: post.postId })));
    await world.tick();
    await world.tick();
    expect(await seen(post.postId, fan.id)).toMatchObject({ publishedAt: at });
    expect(await count(author.id)).toBe(1);
    expect(await notificationsAbout(post.postId)).toEqual([fan.id]);
    await expectInvariantsToHold(world.ctx);
  });

  test("is found by the next cron when its queue message was lost", async () => {
    const post = written();
    await publishComposition(world.ctx, { ...post, at: world.ctx.now() });
    world.queued.length = 0;
    await world.tick();
    expect((await saved(post.postId))?.state).toBe("published");
  });

  test("stays when the post is edited, refuses an empty post, and ends when the post is unscheduled or deleted", async () => {
    const post = written();
    const at = world.ctx.now() + HOUR_MS;
    await publishComposition(world.ctx, { ...post, at });
    expect(await saveDraft(world.ctx, { ...post, version: 1, content: "Mudou" })).toEqual({
      version: 2,
      state: "scheduled",
    });
    await expect(saveDraft(world.ctx, { ...post, version: 2, content: " " })).rejects.toThrow(
      ScheduledPostNeedsText,
    );
    await unpublishPost(world.ctx, post);
    expect(await saved(post.postId)).toMatchObject({ state: "draft", scheduledAt: null });
    await publishComposition(world.ctx, { ...post, version: 3, at });
    await deletePost(world.ctx, post);
    await world.advance(HOUR_MS);
    await world.tick();
    expect((await saved(post.postId))?.state).toBe("scheduled");
    expect(await seen(post.postId)).toBeNull();
  });
});

describe("unpublishing and deleting", () => {
  test("an unpublished post is visible only to its author, and returns to its place when published again", async () => {
    const post = await published();
    const first = await seen(post.postId);
    await unpublishPost(world.ctx, post);
    await unpublishPost(world.ctx, post);
    expect(await seen(post.postId)).toBeNull();
    await publishComposition(world.ctx, { ...post, version: 2, at: null });
    expect((await seen(post.postId))?.publishedAt).toBe(first?.publishedAt);
  });

  test("a deleted post can be restored within thirty days, and not after", async () => {
    const before = (await count()) ?? 0;
    const post = await published();
    await deletePost(world.ctx, post);
    await deletePost(world.ctx, post);
    expect(await seen(post.postId, ana.id)).toBeNull();
    expect(await count()).toBe(before);
    expect(
      (await deletedPosts(world.ctx, { authorId: ana.id, limit: 50 })).map(({ id }) => id),
    ).toContain(post.postId);
    await restorePost(world.ctx, post);
    expect(await count()).toBe(before + 1);
    expect((await seen(post.postId))?.title).toBe("Ensaio");
    await deletePost(world.ctx, post);
    await world.advance(30 * DAY_MS);
    await expect(restorePost(world.ctx, post)).rejects.toThrow(TooLateToRestore);
    expect(await deletedPosts(world.ctx, { authorId: ana.id, limit: 50 })).toEqual([]);
  });

  test("is allowed only to the author", async () => {
    const other = await createSeller(world.ctx);
    const post = await published();
    for (const act of [unpublishPost, deletePost, restorePost, pinPost])
      await expect(act(world.ctx, { postId: post.postId, authorId: other.id })).rejects.toThrow(
        PostNotFound,
      );
    expect(await seen(post.postId)).not.toBeNull();
  });
});

describe("pinned posts", () => {
  test("are at most three, even with concurrent clicks; unpinning, unpublishing or deleting one frees a place", async () => {
    const author = await createSeller(world.ctx);
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push(await published({ authorId: author.id }));
    const results = await Promise.allSettled(made.map((post) => pinPost(world.ctx, post)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(3);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(TooManyPins);
    const rows = await Promise.all(
      made.map(async (post) => ({
        post,
        isPinned: ((await saved(post.postId))?.pinnedAt ?? null) !== null,
      })),
    );
    const [one, two, three] = rows.filter((row) => row.isPinned).map((row) => row.post);
    const free = rows.find((row) => !row.isPinned)?.post;
    if (!one || !two || !three || !free) throw new Error("not three pins");
    await pinPost(world.ctx, one);
    await unpinPost(world.ctx, one);
    await pinPost(world.ctx, free);
    await expect(pinPost(world.ctx, one)).rejects.toThrow(TooManyPins);
    await deletePost(world.ctx, two);
    await pinPost(world.ctx, one);
    await unpublishPost(world.ctx, three);
    await expect(pinPost(world.ctx, three)).rejects.toThrow(NotPublished);
  });
});
