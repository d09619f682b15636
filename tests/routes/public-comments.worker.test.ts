import { beforeAll, describe, expect, test } from "vitest";
import { removeComment } from "#app/domain/comments/commands.server.ts";
import { hideComment, pinComment } from "#app/domain/comments/commands/host.server.ts";
import type { Comment, CommentThread } from "#app/domain/comments/schema.ts";
import { setCommentsClosed } from "#app/domain/posts/commands.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import * as publicPost from "#app/routes/public/post.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { eq } from "drizzle-orm";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { commentHelpers } from "#tests/support/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const ask = createRouteCaller([{ path: "space/:username/public/:postId", module: publicPost }]);

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { newcomer, publish, say } = commentHelpers(() => ({ world, author: ana }));

type Shown = {
  post: { areCommentsClosed: boolean; commentsCount: number };
  comments: {
    pinned: CommentThread | null;
    threads: CommentThread[];
    next: string | null;
    conversationId: string | null;
  };
};
const read = async (postId: string, query = ""): Promise<Shown> =>
  (
    await ask(new Request(`${TEST_ORIGIN}/space/${ana.username}/public/${postId}${query}`))
  ).json<Shown>();
const bodies = (list: Comment[]) => list.map(({ body }) => body);

describe("comments on the public page of a post", () => {
  test("are those of a public post: newest first, replies oldest first, the pinned one on top", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const first = await say(postId, bia, "primeiro");
    await say(postId, bia, "segundo");
    await say(postId, ana, "resposta um", first);
    await say(postId, bia, "resposta dois", first);
    await say(postId, bia, "terceiro");
    const { comments } = await read(postId);
    expect(bodies(comments.threads)).toEqual(["terceiro", "segundo", "primeiro"]);
    expect(bodies(comments.threads[2]?.replies ?? [])).toEqual(["resposta um", "resposta dois"]);
    expect(comments.threads[0]?.author?.name).toBe("Bia");
    await pinComment(world.ctx, {
      commentId: first,
      personId: ana.id,
      hostId: ana.id,
      pinned: true,
    });
    const pinned = await read(postId);
    expect(pinned.comments.pinned?.body).toBe("primeiro");
    expect(bodies(pinned.comments.threads)).toEqual(["terceiro", "segundo"]);
  });

  test("are none of a locked post", async () => {
    const postId = await publish("subscribers");
    await say(postId, ana, "segredo");
    const answer = await ask(
      new Request(`${TEST_ORIGIN}/space/${ana.username}/public/${postId}?conversation=x`),
    );
    expect(await answer.text()).not.toContain("segredo");
    expect((await read(postId)).comments.threads).toEqual([]);
  });

  test("hold no text of hidden, removed and banned people's comments, nor in their conversations", async () => {
    const [postId, bia, vil] = [await publish(), await newcomer("Bia"), await newcomer("Vilã")];
    const hidden = await say(postId, bia, "escondido");
    const removed = await say(postId, bia, "apagado");
    await say(postId, ana, "resposta que fica", removed);
    const banned = await say(postId, vil, "banido");
    await say(postId, bia, "que fica");
    await hideComment(world.ctx, {
      commentId: hidden,
      personId: ana.id,
      hostId: ana.id,
      hidden: true,
    });
    await removeComment(world.ctx, { commentId: removed, personId: bia.id });
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, vil.id));
    const { comments } = await read(postId);
    expect(bodies(comments.threads)).toEqual(["que fica", ""]);
    expect(comments.threads[1]).toMatchObject({ state: "removed", author: null });
    for (const id of [hidden, banned, removed]) {
      const answer = await ask(
        new Request(`${TEST_ORIGIN}/space/${ana.username}/public/${postId}?conversation=${id}`),
      );
      expect(await answer.text()).not.toMatch(/escondido|banido|apagado/);
    }
  });

  test("of a person whom the creator blocked stay, as other members see them", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    await say(postId, bia, "antes do bloqueio");
    await block(world.ctx, { personId: ana.id, otherId: bia.id });
    expect(bodies((await read(postId)).comments.threads)).toEqual(["antes do bloqueio"]);
  });

  test("come page by page, and a conversation with all its replies", async () => {
    const [postId, bia] = [await publish(), await newcomer("Bia")];
    const rootId = await say(postId, bia, "raiz");
    for (let index = 0; index < 5; index += 1) {
      const one = await newcomer(`Quem responde ${index}`);
      await say(postId, one, `resposta ${index}`, rootId);
    }
    for (let index = 0; index < 21; index += 1) {
      const one = await newcomer(`Pessoa ${index}`);
      await say(postId, one, `comentário ${index}`);
    }
    const { comments } = await read(postId);
    expect(comments.threads).toHaveLength(20);
    const rest = await read(postId, `?cursor=${comments.next}`);
    expect(bodies(rest.comments.threads)).toEqual(["comentário 0", "raiz"]);
    expect(rest.comments.threads[1]).toMatchObject({ repliesCount: 5 });
    expect(rest.comments.threads[1]?.replies).toHaveLength(3);
    const whole = await read(postId, `?conversation=${rootId}`);
    expect(bodies(whole.comments.threads)).toEqual(["raiz"]);
    expect(whole.comments.threads[0]?.replies).toHaveLength(5);
  });

  test("have no conversation that another post holds: its address leads to the post", async () => {
    const [postId, other] = [await publish(), await publish()];
    const rootId = await say(postId, await newcomer("Bia"), "raiz");
    for (const id of [rootId, "made-up"]) {
      const path = `/space/${ana.username}/public/${other}`;
      const answer = await ask(new Request(`${TEST_ORIGIN}${path}?conversation=${id}`));
      expect(answer.status).toBe(302);
      expect(answer.headers.get("Location")).toBe(`${path}#comentarios`);
    }
  });

  test("say that they are closed", async () => {
    const postId = await publish();
    await setCommentsClosed(world.ctx, { postId, personId: ana.id, closed: true });
    expect((await read(postId)).post.areCommentsClosed).toBe(true);
  });
});
