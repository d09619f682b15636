import { and, eq, isNull, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { addComment, editComment, eraseRemovedComments, hideComment, likeComment, pinComment, removeComment, restoreComment, unlikeComment } from "#app/domain/comments/commands.server.ts";
import { CommentActRefused, CommentNotFound, CommentsClosed, EditWindowOver, TooManyComments, TooManyLikes } from "#app/domain/comments/errors.ts";
import { commentsOf, pinnedStatement, repliesFromRows, repliesStatement, REPLIES_SHOWN } from "#app/domain/comments/queries.server.ts";
import { EDIT_WINDOW_MS, UNDO_WINDOW_MS } from "#app/domain/comments/rules.ts";
import type { Thread } from "#app/domain/comments/schema.ts";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { closeComments, publishPost } from "#app/domain/posts/commands.server.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import type { Audience } from "#app/domain/posts/schema.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { commentLikes, comments } from "#drizzle/schema/comments.ts";
import { people } from "#drizzle/schema/identity.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { mute } from "#app/domain/profiles/commands.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { moderator, person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await seller(world.ctx);
});

async function publish(audience: Audience = "public"): Promise<string> {
  const { postId } = await publishPost(world.ctx, { authorId: ana.id, title: "Uma rabeca", content: "Texto.", teaser: "", audience, planIds: [], image: null });
  return postId;
}

async function say(postId: string, who: TestPerson, body = "Que beleza!", parentId?: string): Promise<string> {
  const { commentId } = await addComment(world.ctx, { postId, authorId: who.id, authorName: who.name, body, parentId });
  return commentId;
}

const seen = async (postId: string, viewer: TestPerson | null): Promise<Thread[]> =>
  (await commentsOf(world.ctx, { postId, viewerId: viewer?.id ?? null, hostId: viewer?.id, cursor: null, limit: 20 })).items;
const count = async (postId: string) => (await postFor(world.ctx, { postId, viewerId: ana.id }))?.commentsCount;
const told = async (who: TestPerson) => {
  const waiting = await world.ctx.db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.handledAt));
  for (const { id } of waiting) await deliverMessage(world.ctx, { outboxId: id });
  const rows = await world.ctx.db.select({ kind: notifications.kind, path: notifications.path }).from(notifications).where(eq(notifications.personId, who.id));
  return rows.filter(({ path }) => path.startsWith("/post/"));
};
const newcomer = (name: string) => person(world.ctx, name);
const block = (blocker: TestPerson, blocked: TestPerson) => world.ctx.db.insert(blocks).values({ blockerId: blocker.id, blockedId: blocked.id, createdAt: world.ctx.now() });

describe("conversations", () => {
  test("are two deep: a reply to a reply joins the same one, and all count", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const root = await say(postId, bia);
    const reply = await say(postId, caio, "Também acho", root);
    const deeper = await say(postId, bia, "Né?", reply);
    const [thread] = await seen(postId, caio);
    expect(thread).toMatchObject({ id: root, repliesCount: 2, replies: [{ id: reply }, { id: deeper }] });
    expect(await count(postId)).toBe(3);
  });

  test("the database itself refuses a third level and another post's comment", async () => {
    const [postId, other, bia] = [await publish(), await publish(), await newcomer("Bia")];
    const root = await say(postId, bia);
    const reply = await say(postId, bia, "eu de novo", root);
    const row = { id: world.ctx.newId(), postId, authorId: bia.id, body: "x", createdAt: 1 };
    for (const wrong of [{ parentId: reply }, { postId: other, parentId: root }]) {
      await expect(commit(world.ctx.db, [world.ctx.db.insert(comments).values({ ...row, ...wrong })])).rejects.toThrow(RuleViolation);
    }
    await expect(addComment(world.ctx, { postId: other, authorId: bia.id, authorName: "Bia", body: "x", parentId: root })).rejects.toThrow(CommentNotFound);
  });

  test("show their first replies, and page through the rest, oldest first, each once", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const root = await say(postId, bia);
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      await world.advance(MINUTE_MS);
      ids.push(await say(postId, await newcomer("Alguém"), `resposta ${index}`, root));
    }
    const [thread] = await seen(postId, bia);
    expect(thread?.replies.map(({ id }) => id)).toEqual(ids.slice(0, REPLIES_SHOWN));
    expect(thread?.repliesCount).toBe(7);
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const rows = await repliesStatement(world.ctx, { postId, viewerId: bia.id, commentId: root, cursor, limit: 3 });
      const page = repliesFromRows(rows, { viewerId: bia.id, now: world.ctx.now() }, 3);
      read.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(read).toEqual(ids);
  });

  test("follow the access of their post", async () => {
    const [closed, bia] = [await publish("subscribers"), await newcomer("Bia")];
    await expect(say(closed, bia)).rejects.toThrow(PostLocked);
    await expect(say("nada", bia)).rejects.toThrow(PostNotFound);
    const own = await say(closed, ana);
    expect(await seen(closed, bia)).toEqual([]);
    expect(await seen(closed, null)).toEqual([]);
    await expect(likeComment(world.ctx, { commentId: own, personId: bia.id })).rejects.toThrow(PostLocked);
  });
});

describe("who is told", () => {
  test("who owns the post, who is answered and who is mentioned, each once and nobody of oneself", async () => {
    const [postId, bia, caio, duda] = [await publish(), await newcomer("Bia"), await newcomer("Caio"), await newcomer("Duda")];
    const root = await say(postId, bia, `Oi @${bia.username}`);
    const reply = await say(postId, caio, `@${duda.username} @${duda.username} @${bia.username} @${ana.username} olhem`, root);
    expect(await told(bia)).toEqual([{ kind: "comment.replied", path: `/post/${postId}/comments/${reply}` }]);
    expect(await told(duda)).toEqual([{ kind: "comment.mentioned", path: `/post/${postId}/comments/${reply}` }]);
    expect((await told(caio)).length).toBe(0);
    expect((await told(ana)).filter(({ path }) => path.startsWith(`/post/${postId}/`)).map(({ kind }) => kind)).toEqual(["post.commented", "post.commented"]);
    const [thread] = await seen(postId, ana);
    expect(thread?.replies[0]?.mentions).toEqual(expect.arrayContaining([duda.username, bia.username, ana.username]));
  });

  test("not who may not see the post, nor across a block", async () => {
    const [closed, open, out, blocked] = [await publish("subscribers"), await publish(), await newcomer("De fora"), await newcomer("Bloqueada")];
    await say(closed, ana, `@${out.username}`);
    await block(blocked, ana);
    await say(open, ana, `@${blocked.username} @ninguem-assim`);
    expect(await told(out)).toEqual([]);
    expect(await told(blocked)).toEqual([]);
  });
});

describe("an author", () => {
  test("rewords within 15 minutes, marked, and not after", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const commentId = await say(postId, bia);
    await editComment(world.ctx, { commentId, personId: bia.id, body: "Que beleza mesmo!" });
    expect((await seen(postId, caio))[0]).toMatchObject({ body: "Que beleza mesmo!", isEdited: true });
    await expect(editComment(world.ctx, { commentId, personId: caio.id, body: "x" })).rejects.toThrow(CommentActRefused);
    await expect(editComment(world.ctx, { commentId, personId: ana.id, body: "x" })).rejects.toThrow(CommentActRefused);
    await world.advance(EDIT_WINDOW_MS);
    await expect(editComment(world.ctx, { commentId, personId: bia.id, body: "x" })).rejects.toThrow(EditWindowOver);
  });

  test("removes, and within ten minutes brings back; then the words are erased", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const commentId = await say(postId, bia);
    await removeComment(world.ctx, { commentId, personId: bia.id });
    await removeComment(world.ctx, { commentId, personId: bia.id });
    expect(await count(postId)).toBe(0);
    expect(await seen(postId, caio)).toEqual([]);
    expect((await seen(postId, bia))[0]).toMatchObject({ state: "removed", body: "", may: { restore: true } });
    await eraseRemovedComments(world.ctx);
    await restoreComment(world.ctx, { commentId, personId: bia.id });
    expect((await seen(postId, caio))[0]).toMatchObject({ state: "there", body: "Que beleza!" });
    expect(await count(postId)).toBe(1);
    await removeComment(world.ctx, { commentId, personId: bia.id });
    await world.advance(UNDO_WINDOW_MS);
    await expect(restoreComment(world.ctx, { commentId, personId: bia.id })).rejects.toThrow(CommentActRefused);
    await world.tick();
    expect(await world.ctx.db.select({ body: comments.body }).from(comments).where(eq(comments.id, commentId))).toEqual([{ body: "" }]);
    await expect(removeComment(world.ctx, { commentId, personId: caio.id })).rejects.toThrow(CommentNotFound);
  });

  test("who removes what was answered keeps the answers, without words or name", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    const root = await say(postId, bia);
    const reply = await say(postId, caio, "Também acho", root);
    await removeComment(world.ctx, { commentId: root, personId: bia.id });
    const [thread] = await seen(postId, ana);
    expect(thread).toMatchObject({ state: "removed", body: "", author: null, replies: [{ id: reply, body: "Também acho" }] });
    expect(await count(postId)).toBe(1);
    await expect(say(postId, ana, "oi?", root)).rejects.toThrow(CommentNotFound);
  });
});

describe("who owns the post", () => {
  test("hides a comment from everyone but its author and the moderators, and shows it again", async () => {
    const [postId, bia, caio, staff] = [await publish(), await newcomer("Bia"), await newcomer("Caio"), await moderator(world.ctx)];
    const commentId = await say(postId, bia);
    await expect(hideComment(world.ctx, { commentId, personId: caio.id, hostId: caio.id, hidden: true })).rejects.toThrow(CommentActRefused);
    await hideComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, hidden: true });
    await hideComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, hidden: true });
    expect(await count(postId)).toBe(0);
    expect(await seen(postId, caio)).toEqual([]);
    expect(await seen(postId, null)).toEqual([]);
    for (const one of [bia, ana, staff]) expect((await seen(postId, one))[0]).toMatchObject({ state: "hidden", body: "Que beleza!" });
    await expect(say(postId, caio, "oi", commentId)).rejects.toThrow(CommentNotFound);
    await hideComment(world.ctx, { commentId, personId: staff.id, hostId: staff.id, hidden: false });
    expect(await count(postId)).toBe(1);
    expect(await seen(postId, caio)).toHaveLength(1);
  });

  test("lets the team that acts for the page do the same, and nobody who names another's page as theirs", async () => {
    const [postId, bia, helper] = [await publish(), await newcomer("Bia"), await newcomer("Equipe")];
    const commentId = await say(postId, bia);
    await hideComment(world.ctx, { commentId, personId: helper.id, hostId: ana.id, hidden: true });
    const forPage = { postId, viewerId: helper.id, hostId: ana.id, cursor: null, limit: 20 };
    expect((await commentsOf(world.ctx, forPage)).items[0]).toMatchObject({ state: "hidden", body: "Que beleza!", may: { show: true } });
    expect(await seen(postId, helper)).toEqual([]);
    await expect(hideComment(world.ctx, { commentId, personId: helper.id, hostId: helper.id, hidden: false })).rejects.toThrow(CommentNotFound);
  });

  test("pins one comment, the last one pinned, also when two arrive at once", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const ids = [await say(postId, bia, "um"), await say(postId, bia, "dois"), await say(postId, bia, "três")];
    const [one = "", two = "", three = ""] = ids;
    await pinComment(world.ctx, { commentId: one, personId: ana.id, hostId: ana.id, pinned: true });
    await Promise.allSettled([two, three].map((commentId) => pinComment(world.ctx, { commentId, personId: ana.id, hostId: ana.id, pinned: true })));
    const pinned = await pinnedStatement(world.ctx, { postId, viewerId: bia.id });
    expect(pinned).toHaveLength(1);
    expect([two, three]).toContain(pinned[0]?.id);
    expect((await seen(postId, bia)).map(({ id }) => id)).not.toContain(pinned[0]?.id);
    await expect(pinComment(world.ctx, { commentId: one, personId: bia.id, hostId: bia.id, pinned: true })).rejects.toThrow(CommentActRefused);
    await pinComment(world.ctx, { commentId: pinned[0]?.id ?? "", personId: ana.id, hostId: ana.id, pinned: false });
    expect(await pinnedStatement(world.ctx, { postId, viewerId: bia.id })).toEqual([]);
  });

  test("a reply, a removed and a hidden comment are not pinned", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const root = await say(postId, bia);
    const reply = await say(postId, bia, "eu de novo", root);
    await expect(pinComment(world.ctx, { commentId: reply, personId: ana.id, hostId: ana.id, pinned: true })).rejects.toThrow(CommentActRefused);
    await pinComment(world.ctx, { commentId: root, personId: ana.id, hostId: ana.id, pinned: true });
    await removeComment(world.ctx, { commentId: root, personId: bia.id });
    expect(await world.ctx.db.$count(comments, and(eq(comments.postId, postId), sql`pinned_at IS NOT NULL`))).toBe(0);
    await expect(pinComment(world.ctx, { commentId: root, personId: ana.id, hostId: ana.id, pinned: true })).rejects.toThrow(CommentActRefused);
  });

  test("closes the comments and opens them again; what was said stays", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    await expect(closeComments(world.ctx, { postId, personId: bia.id, closed: true })).rejects.toThrow(PostNotFound);
    await closeComments(world.ctx, { postId, personId: ana.id, closed: true });
    await expect(say(postId, bia)).rejects.toThrow(CommentsClosed);
    await expect(say(postId, ana)).rejects.toThrow(CommentsClosed);
    expect((await seen(postId, bia))[0]).toMatchObject({ id: commentId, may: { reply: false, like: true } });
    await closeComments(world.ctx, { postId, personId: ana.id, closed: false });
    await say(postId, bia);
    expect(await count(postId)).toBe(2);
  });
});

describe("sight", () => {
  test("a block hides comments and replies both ways, and keeps the answers of others", async () => {
    const [postId, bia, caio, duda] = [await publish(), await newcomer("Bia"), await newcomer("Caio"), await newcomer("Duda")];
    const root = await say(postId, bia);
    await say(postId, caio, "de Caio", root);
    await say(postId, duda, "de Duda", root);
    await block(caio, bia);
    expect((await seen(postId, bia))[0]?.replies.map(({ body }) => body)).toEqual(["de Duda"]);
    expect((await seen(postId, caio))[0]).toMatchObject({ state: "hidden", author: null, body: "", may: { reply: false, like: false } });
    await expect(likeComment(world.ctx, { commentId: root, personId: caio.id })).rejects.toThrow(CommentNotFound);
    await expect(say(postId, caio, "oi", root)).rejects.toThrow(CommentNotFound);
  });

  test("a mute hides one way, and tells nothing", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    await mute(world.ctx, { personId: caio.id, otherId: bia.id });
    const own = await say(postId, caio, "eu primeiro");
    await say(postId, bia, `@${caio.username}, olhe`, own);
    await say(postId, bia, "e mais");
    expect((await seen(postId, caio)).map(({ body, replies }) => [body, replies.length])).toEqual([["eu primeiro", 0]]);
    expect((await seen(postId, bia)).length).toBe(2);
    expect(await told(caio)).toEqual([]);
  });

  test("who was banned is not read", async () => {
    const [postId, bia, caio] = [await publish(), await newcomer("Bia"), await newcomer("Caio")];
    await say(postId, bia);
    await world.ctx.db.update(people).set({ bannedAt: world.ctx.now() }).where(eq(people.id, bia.id));
    expect(await seen(postId, caio)).toEqual([]);
  });
});

describe("likes of a comment", () => {
  test("200 clicks of one person are one, whatever half of them wanted", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    const clicks = Array.from({ length: 100 }, () => likeComment(world.ctx, { commentId, personId: bia.id }));
    await Promise.all(clicks);
    expect((await seen(postId, bia))[0]).toMatchObject({ likesCount: 1, isLiked: true });
    await Promise.all([unlikeComment(world.ctx, { commentId, personId: bia.id }), unlikeComment(world.ctx, { commentId, personId: bia.id })]);
    expect((await seen(postId, bia))[0]).toMatchObject({ likesCount: 0, isLiked: false });
  });

  test("the counter is the rows, after many at once", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    const fans = await Promise.all(Array.from({ length: 40 }, () => newcomer("Fã")));
    await Promise.all(fans.map(({ id }) => likeComment(world.ctx, { commentId, personId: id })));
    await Promise.all(fans.slice(0, 15).map(({ id }) => unlikeComment(world.ctx, { commentId, personId: id })));
    expect((await seen(postId, bia))[0]?.likesCount).toBe(25);
    expect(await world.ctx.db.$count(commentLikes, eq(commentLikes.commentId, commentId))).toBe(25);
  });

  test("a flood of them is refused, and its own are taken back at any time", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const commentId = await say(postId, bia);
    for (let click = 0; click < 120; click += 1) await likeComment(world.ctx, { commentId, personId: bia.id });
    await expect(likeComment(world.ctx, { commentId, personId: bia.id })).rejects.toThrow(TooManyLikes);
    await unlikeComment(world.ctx, { commentId, personId: bia.id });
    expect((await seen(postId, bia))[0]?.likesCount).toBe(0);
  });
});

describe("floods", () => {
  test("six comments a minute, however many arrive at once; the next minute is another", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const answers = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => say(postId, bia, `comentário ${index}`)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    expect(answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : [])).every((reason) => reason instanceof TooManyComments)).toBe(true);
    expect(await count(postId)).toBe(6);
    await world.advance(MINUTE_MS);
    await say(postId, bia);
    expect(await count(postId)).toBe(7);
  });

  test("sixty an hour", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    for (let minute = 0; minute < 10; minute += 1) {
      for (let index = 0; index < 6; index += 1) await say(postId, bia);
      await world.advance(MINUTE_MS);
    }
    await expect(say(postId, bia)).rejects.toThrow(TooManyComments);
    await world.advance(HOUR_MS);
    await say(postId, bia);
    expect(await count(postId)).toBe(61);
  });
});
