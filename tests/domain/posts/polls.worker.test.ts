import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import {
  editPost,
  publishComposition,
  saveDraft,
} from "#app/domain/posts/commands/compose.server.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import { deletePost, unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { closePoll, voteInPoll } from "#app/domain/posts/commands/polls.server.ts";
import {
  PollChoiceNotFound,
  CannotVoteOwnPoll,
  PollClosed,
  PollInvalid,
  PostChangedElsewhere,
  PostLocked,
  PostNotFound,
  TooManyVotes,
} from "#app/domain/posts/errors.ts";
import { pollFromRow, pollStatement } from "#app/domain/posts/queries/polls.server.ts";
import { spacePosts } from "#app/domain/posts/queries.server.ts";
import { postToEdit } from "#app/domain/posts/queries/studio.server.ts";
import type { PollDraft } from "#app/domain/posts/schema/polls.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { postPollOptions, postPolls, postPollVotes } from "#drizzle/schema/posts.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { composition, OPEN } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const POLL: PollDraft = {
  question: "Qual abre o show?",
  options: ["Asa Branca", "Feira de Mangaio", "Qui Nem Jiló"],
  isMultiple: false,
  closesAt: null,
};
let world: World;
let ana: Seller;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const written = (more: Partial<Composition> = {}) =>
  composition(world.ctx, ana.id, { poll: POLL, ...more });
const asked = async (poll: Partial<PollDraft> = {}, more: Partial<Composition> = {}) => {
  const post = written({ poll: { ...POLL, ...poll }, ...more });
  await publishComposition(world.ctx, { ...post, at: null });
  return post;
};
const vote = (postId: string, one: TestPerson, ...places: number[]) =>
  voteInPoll(world.ctx, { postId, personId: one.id, places });
const pollOf = async (postId: string, one: TestPerson, isOwn = false) => {
  const [row] = await pollStatement(world.ctx, { postId, viewerId: one.id });
  return pollFromRow(world.ctx, row, { post: { access: { visible: true } }, isOwn });
};
const countsOf = async (postId: string) =>
  (await pollOf(postId, ana, true))?.options.map((option) => option.votesCount);
const votersOf = async (postId: string) => (await pollOf(postId, ana, true))?.votersCount;
const rowsOf = async (postId: string) =>
  await world.ctx.db.select().from(postPollVotes).where(eq(postPollVotes.postId, postId));

test("a post card shows that there is a poll to viewers with access, and the number of voters after its end", async () => {
  const cardFor = async (postId: string, viewerId: string | null) =>
    (
      await spacePosts(world.ctx, { authorKey: ana.id, viewerId, cursor: null, limit: 20 })
    ).items.find(({ id }) => id === postId)?.poll;
  const [{ postId }, closed, plain] = [
    await asked(),
    await asked(
      {},
      { rules: [{ kind: "subscribers", planId: null, amountCents: null, opensAt: null }] },
    ),
    composition(world.ctx, ana.id),
  ];
  await publishComposition(world.ctx, { ...plain, at: null });
  const bruno = await createPerson(world.ctx);
  expect(await cardFor(postId, null)).toEqual({ closesAt: null, votersCount: null });
  expect([await cardFor(closed.postId, bruno.id), await cardFor(plain.postId, bruno.id)]).toEqual([
    null,
    null,
  ]);
  await vote(postId, bruno, 1);
  expect(await cardFor(postId, bruno.id)).toEqual({ closesAt: null, votersCount: null });
  await closePoll(world.ctx, { postId, authorId: ana.id });
  expect(await cardFor(postId, null)).toMatchObject({ votersCount: 1 });
});

describe("a vote", () => {
  test("counts once, can change until the end, and shows its voter the results", async () => {
    const [{ postId }, bruno, carla] = [
      await asked(),
      await createPerson(world.ctx),
      await createPerson(world.ctx),
    ];
    expect(await pollOf(postId, bruno)).toMatchObject({ hasVoted: false, votersCount: null });
    await vote(postId, bruno, 0);
    await vote(postId, bruno, 0);
    await vote(postId, carla, 2);
    expect(await countsOf(postId)).toEqual([1, 0, 1]);
    await vote(postId, bruno, 1);
    expect(await countsOf(postId)).toEqual([0, 1, 1]);
    expect(await pollOf(postId, bruno)).toMatchObject({
      hasVoted: true,
      votersCount: 2,
      options: [{ isChosen: false }, { isChosen: true }, { isChosen: false }],
    });
    expect(await rowsOf(postId)).toHaveLength(2);
  });

  test("of one person from many tabs at once counts once, and the counters match the rows", async () => {
    const [{ postId }, bruno] = [await asked(), await createPerson(world.ctx)];
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, (_, index) => vote(postId, bruno, index % 3)),
    );
    expect(results.filter((result) => result.status === "rejected")).toEqual([]);
    expect(await rowsOf(postId)).toHaveLength(1);
    expect((await countsOf(postId))?.toSorted()).toEqual([0, 0, 1]);
    expect(await votersOf(postId)).toBe(1);
  });

  test("of a hundred people at once, half of them changing it, counts each person once", async () => {
    const { postId } = await asked({ isMultiple: true });
    const crowd: TestPerson[] = [];
    for (let index = 0; index < 100; index += 1) crowd.push(await createPerson(world.ctx));
    await Promise.all(crowd.map((one) => vote(postId, one, 0, 1)));
    await Promise.all(
      crowd.map((one, index) => (index % 2 === 0 ? vote(postId, one, 2) : vote(postId, one, 0, 1))),
    );
    expect(await countsOf(postId)).toEqual([50, 50, 50]);
    expect(await votersOf(postId)).toBe(100);
  });

  test("for several options is accepted only by a multiple-choice poll", async () => {
    const [one, many, bruno] = [
      await asked(),
      await asked({ isMultiple: true }),
      await createPerson(world.ctx),
    ];
    await expect(vote(one.postId, bruno, 0, 1)).rejects.toThrow(PollChoiceNotFound);
    await vote(many.postId, bruno, 0, 2);
    expect([await countsOf(one.postId), await countsOf(many.postId)]).toEqual([
      [0, 0, 0],
      [1, 0, 1],
    ]);
  });

  test("for an unknown option or for none is refused and saves nothing", async () => {
    const [{ postId }, bruno] = [await asked(), await createPerson(world.ctx)];
    for (const places of [[3], [9], []])
      await expect(vote(postId, bruno, ...places)).rejects.toThrow(PollChoiceNotFound);
    expect(await rowsOf(postId)).toEqual([]);
    expect(new PollChoiceNotFound().field).toBe("choice");
  });

  test("is allowed only to viewers of the post: by its access rules, without a block, and while it exists", async () => {
    const [fan, follower, blocked] = [
      await createPerson(world.ctx),
      await createPerson(world.ctx),
      await createPerson(world.ctx),
    ];
    await paidSubscription(world, fan, ana);
    await follow(world.ctx, { followerId: follower.id, creatorId: ana.id });
    const closed = await asked({}, { rules: [{ ...OPEN, kind: "subscribers" }] });
    await vote(closed.postId, fan, 0);
    await expect(vote(closed.postId, follower, 0)).rejects.toThrow(PostLocked);
    await world.ctx.db
      .insert(blocks)
      .values({ blockerId: ana.id, blockedId: blocked.id, createdAt: world.ctx.now() });
    const open = await asked();
    await expect(vote(open.postId, blocked, 0)).rejects.toThrow(PostNotFound);
    await expect(vote(open.postId, ana, 0)).rejects.toThrow(CannotVoteOwnPoll);
    await unpublishPost(world.ctx, open);
    await expect(vote(open.postId, fan, 0)).rejects.toThrow(PostNotFound);
    await deletePost(world.ctx, closed);
    await expect(vote(closed.postId, fan, 0)).rejects.toThrow(PostNotFound);
  });

  test("is refused from the exact millisecond of the end, also as a change", async () => {
    const [bruno, carla] = [await createPerson(world.ctx), await createPerson(world.ctx)];
    const { postId } = await asked({ closesAt: world.ctx.now() + HOUR_MS });
    await vote(postId, bruno, 0);
    await world.advance(HOUR_MS);
    await expect(vote(postId, bruno, 1)).rejects.toThrow(PollClosed);
    await expect(vote(postId, carla, 1)).rejects.toThrow(PollClosed);
    expect(await pollOf(postId, carla)).toMatchObject({ isClosed: true, votersCount: 1 });
  });

  test("is refused on a post without a poll, and above the rate limit", async () => {
    const [plain, { postId }, bruno] = [
      await asked({}, { poll: null }),
      await asked(),
      await createPerson(world.ctx),
    ];
    await expect(vote(plain.postId, bruno, 0)).rejects.toThrow(PostNotFound);
    for (let index = 0; index < 30; index += 1) await vote(postId, bruno, index % 2);
    await expect(vote(postId, bruno, 2)).rejects.toThrow(TooManyVotes);
    await world.advance(MINUTE_MS);
    await vote(postId, bruno, 2);
    expect(await countsOf(postId)).toEqual([0, 0, 1]);
  });
});

describe("a poll", () => {
  test("is saved with the draft, changes with it, and is removed when emptied", async () => {
    const draft = written({ poll: { ...POLL, options: ["Só uma"] } });
    await saveDraft(world.ctx, draft);
    const saved = async () =>
      (await postToEdit(world.ctx, { postId: draft.postId, authorId: ana.id }))?.poll;
    expect(await saved()).toEqual({ ...POLL, options: ["Só uma"], votersCount: 0 });
    await saveDraft(world.ctx, { ...draft, version: 1, poll: { ...POLL, isMultiple: true } });
    expect(await saved()).toMatchObject({ options: POLL.options, isMultiple: true });
    await saveDraft(world.ctx, { ...draft, version: 2, poll: null });
    expect(await saved()).toBeNull();
    expect(
      await world.ctx.db
        .select()
        .from(postPollOptions)
        .where(eq(postPollOptions.postId, draft.postId)),
    ).toEqual([]);
  });

  test("is not published when incomplete, or with an end before the post is published", async () => {
    const now = world.ctx.now();
    await expect(
      publishComposition(world.ctx, {
        ...written({ poll: { ...POLL, options: ["Só uma"] } }),
        at: null,
      }),
    ).rejects.toThrow(PollInvalid);
    await expect(
      publishComposition(world.ctx, {
        ...written({ poll: { ...POLL, closesAt: now - 1 } }),
        at: null,
      }),
    ).rejects.toThrow(/depois que a publicação sair/);
    await expect(
      publishComposition(world.ctx, {
        ...written({ poll: { ...POLL, closesAt: now + HOUR_MS } }),
        at: now + 2 * HOUR_MS,
      }),
    ).rejects.toThrow(PollInvalid);
    const scheduled = written({ poll: { ...POLL, closesAt: now + 3 * HOUR_MS } });
    await publishComposition(world.ctx, { ...scheduled, at: now + 2 * HOUR_MS });
    await expect(
      saveDraft(world.ctx, { ...scheduled, version: 1, poll: { ...POLL, question: "" } }),
    ).rejects.toThrow(PollInvalid);
  });

  test("can be edited until the first vote; after it, only the end can change", async () => {
    const [post, bruno] = [await asked(), await createPerson(world.ctx)];
    await editPost(world.ctx, {
      ...post,
      version: 1,
      poll: { ...POLL, question: "Qual fecha o show?" },
    });
    await vote(post.postId, bruno, 0);
    const reworded = { ...POLL, question: "Outra?" };
    await expect(editPost(world.ctx, { ...post, version: 2, poll: reworded })).rejects.toThrow(
      /Já votaram/,
    );
    const closesAt = world.ctx.now() + HOUR_MS;
    await editPost(world.ctx, {
      ...post,
      version: 2,
      poll: { ...POLL, question: "Qual fecha o show?", closesAt },
    });
    expect(await pollOf(post.postId, bruno)).toMatchObject({
      question: "Qual fecha o show?",
      closesAt,
      votersCount: 1,
    });
    await world.advance(2 * HOUR_MS);
    await editPost(world.ctx, {
      ...post,
      version: 3,
      content: "Mudei só o texto.",
      poll: { ...POLL, question: "Qual fecha o show?", closesAt },
    });
    await editPost(world.ctx, { ...post, version: 4, poll: null });
    expect(await countsOf(post.postId)).toEqual([1, 0, 0]);
  });

  test("edited while the first vote arrives keeps the text of the vote, or the vote is for the new text", async () => {
    for (let round = 0; round < 8; round += 1) {
      const [post, bruno] = [await asked(), await createPerson(world.ctx)];
      const [, edited] = await Promise.allSettled([
        vote(post.postId, bruno, 0),
        editPost(world.ctx, { ...post, version: 1, poll: { ...POLL, question: "Outra?" } }),
      ]);
      const seen = await pollOf(post.postId, bruno);
      expect(seen?.votersCount).toBe(1);
      expect(seen?.question).toBe(edited.status === "fulfilled" ? "Outra?" : POLL.question);
      if (edited.status === "rejected")
        expect(
          [PostChangedElsewhere, PollInvalid].some((kind) => edited.reason instanceof kind),
        ).toBe(true);
    }
  });

  test("can be ended for good by its author, and by nobody else", async () => {
    const [post, other, bruno] = [
      await asked(),
      await createSeller(world.ctx),
      await createPerson(world.ctx),
    ];
    await expect(closePoll(world.ctx, { postId: post.postId, authorId: other.id })).rejects.toThrow(
      PostNotFound,
    );
    await closePoll(world.ctx, { postId: post.postId, authorId: ana.id });
    const closedAt = (await pollOf(post.postId, bruno))?.closesAt;
    await closePoll(world.ctx, { postId: post.postId, authorId: ana.id });
    expect((await pollOf(post.postId, bruno))?.closesAt).toBe(closedAt);
    await expect(vote(post.postId, bruno, 0)).rejects.toThrow(PollClosed);
  });

  test("is protected by the database itself", async () => {
    const [{ postId }, bruno] = [await asked(), await createPerson(world.ctx)];
    const { db } = world.ctx;
    const row = { postId, personId: bruno.id, votedAt: 1 };
    for (const choices of [0, -1, 8, 3])
      await expect(
        commit(db, [db.insert(postPollVotes).values({ ...row, choices })]),
      ).rejects.toThrow(RuleViolation);
    await commit(db, [db.insert(postPollVotes).values({ ...row, choices: 2 })]);
    const ofPost = eq(postPollVotes.postId, postId);
    for (const write of [
      db.update(postPollVotes).set({ choices: 3 }).where(ofPost),
      db.update(postPollVotes).set({ personId: ana.id }).where(ofPost),
      db.update(postPolls).set({ question: "Outra?" }).where(eq(postPolls.postId, postId)),
      db.update(postPollOptions).set({ label: "Outra" }).where(eq(postPollOptions.postId, postId)),
      db.insert(postPollOptions).values({ postId, position: 7, label: "Mais uma" }),
      db.delete(postPollOptions).where(eq(postPollOptions.postId, postId)),
      db.delete(postPolls).where(eq(postPolls.postId, postId)),
    ]) {
      await expect(commit(db, [write])).rejects.toThrow(RuleViolation);
    }
    await commit(db, [db.delete(postPollVotes).where(ofPost)]);
    expect([await countsOf(postId), await votersOf(postId)]).toEqual([[0, 0, 0], 0]);
  });
});
