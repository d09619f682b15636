import { beforeAll, describe, expect, test } from "vitest";
import { editableCollection, placedPosts } from "#app/domain/collections/queries/studio.server.ts";
import type { CollectionPage } from "#app/domain/collections/queries.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as collection from "#app/routes/space/collection.tsx";
import * as spaceCollections from "#app/routes/space/collections.tsx";
import * as reading from "#app/routes/space/collection-reading.tsx";
import * as post from "#app/routes/space/post.tsx";
import * as create from "#app/routes/studio/collections/collection-create.tsx";
import * as deletion from "#app/routes/studio/collections/collection-deletion.tsx";
import * as edit from "#app/routes/studio/collections/collection-edit.tsx";
import * as importing from "#app/routes/studio/collections/collection-import.tsx";
import * as removal from "#app/routes/studio/collections/collection-post-removal.tsx";
import * as returning from "#app/routes/studio/collections/collection-post-return.tsx";
import * as organise from "#app/routes/studio/collections/collection-posts.tsx";
import * as restoration from "#app/routes/studio/collections/collection-restoration.tsx";
import * as own from "#app/routes/studio/collections/collections.tsx";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { collectionOf, publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "post/:id", module: post },
  { path: "space/:id/collections", module: spaceCollections },
  { path: "me/collections", module: own },
  { path: "collection/create", module: create },
  { path: "collection/:id", module: collection },
  { path: "collection/:id/reading", module: reading },
  { path: "collection/:id/edit", module: edit },
  { path: "collection/:id/posts", module: organise },
  { path: "collection/:id/posts/:postId/removal", module: removal },
  { path: "collection/:id/posts/:postId/return", module: returning },
  { path: "collection/:id/import", module: importing },
  { path: "collection/:id/deletion", module: deletion },
  { path: "collection/:id/restoration", module: restoration },
]);

let world: World;
let ana: Seller;
let as: ActingCaller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  as = { person: ana, isCreator: true };
});

const problemOf = async (answer: Promise<Response>): Promise<FormProblem & { status: number }> => {
  const response = await answer;
  return { ...((await response.json()) as FormProblem), status: response.status };
};
const leads = async (answer: Promise<Response>) => (await answer).headers.get("Location");
const undoOf = (answer: Response) => {
  const toast =
    answer.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-toast=")) ?? "";
  return (
    (
      JSON.parse(
        atob(decodeURIComponent(/=([^;]*)/.exec(toast)?.[1] ?? "").split(".")[0] ?? ""),
      ) as { undo?: string }
    ).undo ?? ""
  );
};
const order = async (collectionId: string) =>
  (await placedPosts(world.ctx, { collectionId })).map(({ title }) => title);

describe("collection forms", () => {
  test("create and edit a collection, and name each invalid field with the typed values", async () => {
    const problem = await problemOf(
      routes.post(as, "/collection/create", {
        title: "  ",
        description: "Do começo ao fim",
        price: "caro",
      }),
    );
    expect([
      problem.status,
      problem.errors["title"],
      problem.errors["price"],
      problem.values["description"],
    ]).toEqual([400, "Campo obrigatório", "Escreva o preço assim: 19,90", "Do começo ao fim"]);
    const to = await leads(
      routes.post(as, "/collection/create", {
        title: "Aulas",
        description: "Do começo ao fim",
        price: "29,90",
      }),
    );
    const id = /^\/collection\/([^/]+)\/import$/.exec(to ?? "")?.[1] ?? "";
    expect(
      await editableCollection(world.ctx, { collectionId: id, creatorId: ana.id }),
    ).toMatchObject({
      title: "Aulas",
      priceCents: 2_990,
    });
    const opened = await routes.read<{ values: Record<string, string> }>(
      as,
      `/collection/${id}/edit`,
    );
    expect(opened.values).toMatchObject({
      title: "Aulas",
      description: "Do começo ao fim",
      price: "29,90",
    });
    expect(
      await leads(routes.post(as, `/collection/${id}/edit`, { title: "Lições", price: "" })),
    ).toBe(`/collection/${id}`);
    expect(
      await editableCollection(world.ctx, { collectionId: id, creatorId: ana.id }),
    ).toMatchObject({
      title: "Lições",
      description: "",
      priceCents: null,
    });
  });

  test("delete a collection, with an undo on the toast", async () => {
    const made = await collectionOf(world.ctx, ana, ["a"]);
    const gone = await routes.post(as, `/collection/${made.collectionId}/deletion`, {});
    expect([gone.headers.get("Location"), undoOf(gone)]).toEqual([
      "/me/collections",
      `/collection/${made.collectionId}/restoration`,
    ]);
    expect(await responseOutcome(routes.get(as, `/collection/${made.collectionId}`))).toBe("404");
    expect(await responseOutcome(routes.get(as, `/collection/${made.collectionId}/posts`))).toBe(
      "404",
    );
    const listed = await routes.read<{ deleted: { id: string }[] }>(as, "/me/collections");
    expect(listed.deleted.map(({ id }) => id)).toContain(made.collectionId);
    expect(await leads(routes.post(as, undoOf(gone), {}))).toBe(`/collection/${made.collectionId}`);
    expect(await responseOutcome(routes.get(as, `/collection/${made.collectionId}`))).toBe("200");
  });

  test("move a post with and without JavaScript, and refuse a move next to a removed post", async () => {
    const made = await collectionOf(world.ctx, ana, ["a", "b", "c"]);
    const [a = "", b = "", c = ""] = made.postIds;
    const path = `/collection/${made.collectionId}/posts`;
    expect(await leads(routes.post(as, path, { move: `${c}:before:${b}` }))).toBe(
      `${path}#post-${c}`,
    );
    expect((await routes.post(as, path, { move: `${a}:after:${c}`, inPlace: "true" })).status).toBe(
      200,
    );
    expect(await order(made.collectionId)).toEqual(["c", "a", "b"]);
    await routes.post(as, `${path}/${b}/removal`, {});
    const late = await problemOf(routes.post(as, path, { move: `${a}:after:${b}` }));
    expect([late.status, late.message]).toEqual([
      409,
      expect.stringContaining("mudou em outra aba"),
    ]);
    expect((await problemOf(routes.post(as, path, { move: "x" }))).errors["move"]).toBe(
      "Recarregue a página e tente de novo.",
    );
  });

  test("remove a post, and undo returns it to its position", async () => {
    const made = await collectionOf(world.ctx, ana, ["a", "b", "c"]);
    const taken = await routes.post(
      as,
      `/collection/${made.collectionId}/posts/${made.postIds[1]}/removal`,
      {},
    );
    expect([taken.headers.get("Location"), await order(made.collectionId)]).toEqual([
      `/collection/${made.collectionId}/posts`,
      ["a", "c"],
    ]);
    await routes.post(as, undoOf(taken), {});
    expect(await order(made.collectionId)).toEqual(["a", "b", "c"]);
    const last = await routes.post(
      as,
      `/collection/${made.collectionId}/posts/${made.postIds[2]}/removal`,
      {},
    );
    await routes.post(as, undoOf(last), {});
    expect(await order(made.collectionId)).toEqual(["a", "b", "c"]);
  });

  test("add posts, and refuse an empty choice or another creator's post", async () => {
    const rui = await createSeller(world.ctx);
    const ruiAs = { person: rui, isCreator: true };
    const made = await collectionOf(world.ctx, rui, []);
    const [older, newer] = [
      await publishInCollection(world.ctx, rui, "antes"),
      await publishInCollection(world.ctx, rui, "depois"),
    ];
    const path = `/collection/${made.collectionId}/import`;
    expect((await problemOf(routes.post(ruiAs, path, {}))).errors["postIds"]).toBe(
      "Escolha pelo menos uma publicação.",
    );
    const shown = await routes.read<{ posts: { id: string }[] }>(ruiAs, path);
    expect(shown.posts.map(({ id }) => id)).toEqual([newer, older]);
    for (const { id } of shown.posts.toReversed()) await routes.post(ruiAs, path, { postIds: id });
    expect(await order(made.collectionId)).toEqual(["antes", "depois"]);
    expect(
      (
        await problemOf(
          routes.post(ruiAs, path, { postIds: await publishInCollection(world.ctx, ana, "x") }),
        )
      ).errors["postIds"],
    ).toMatch(/publicações da sua página/);
  });
});

describe("collections of a team", () => {
  test("writers may reorder, plan managers may set prices, guests may do neither, and others get 404", async () => {
    const rui = await createSeller(world.ctx);
    const made = await createTeamFor(world.ctx, rui);
    const own_ = await collectionOf(world.ctx, rui, ["a", "b"], { priceCents: 1_000 });
    const roles = {
      admin: await createTeammate(world.ctx, made, "admin"),
      basic_member: await createTeammate(world.ctx, made, "basic_member"),
      guest_member: await createTeammate(world.ctx, made, "guest_member"),
    };
    const callerOf = (role: keyof typeof roles): ActingCaller => ({
      person: roles[role],
      teamId: made.teamId,
    });
    const path = `/collection/${own_.collectionId}`;
    const space = rui.id;
    const edited = (price: string) => ({ title: "T", price, space });
    const tried = async (caller: ActingCaller) => [
      await responseOutcome(routes.get(caller, `${path}/edit`)),
      await responseOutcome(
        routes.post(caller, `${path}/posts`, {
          move: `${own_.postIds[1]}:before:${own_.postIds[0]}`,
          space,
        }),
      ),
      await responseOutcome(routes.post(caller, `${path}/edit`, edited("10,00"))),
      await responseOutcome(routes.post(caller, `${path}/edit`, edited("20,00"))),
      await responseOutcome(
        routes.post(caller, "/collection/create", { title: "Nova", price: "", space }),
      ),
      await responseOutcome(
        routes.post(caller, "/collection/create", { title: "Nova", price: "10,00", space }),
      ),
    ];
    expect(await tried(callerOf("basic_member"))).toEqual([
      "200",
      "302",
      "302",
      "403",
      "302",
      "403",
    ]);
    expect(await tried(callerOf("guest_member"))).toEqual([
      "403",
      "403",
      "403",
      "403",
      "403",
      "403",
    ]);
    expect((await tried(callerOf("admin"))).slice(0, 4)).toEqual(["200", "302", "302", "302"]);
    const refused = await problemOf(
      routes.post(callerOf("basic_member"), `${path}/edit`, edited("30,00")),
    );
    expect([refused.errors["price"], refused.values["price"]]).toEqual([
      "Quem administra a página é quem muda o preço.",
      "30,00",
    ]);
    const stranger: ActingCaller = { person: ana, isCreator: true };
    for (const page of ["edit", "posts", "import", "deletion", "restoration"])
      expect(await responseOutcome(routes.get(stranger, `${path}/${page}`))).toBe("404");
    expect((await routes.post(stranger, `${path}/deletion`, {})).status).toBe(404);
  });
});

describe("reading progress", () => {
  test("is marked in place or by a form that redirects back, and refuses a locked post", async () => {
    const made = await collectionOf(world.ctx, ana, ["a", "b"]);
    const closed = await publishInCollection(world.ctx, ana, "fechada", "subscribers");
    const fan: ActingCaller = { person: await createPerson(world.ctx) };
    const path = `/collection/${made.collectionId}/reading`;
    expect(
      (
        await routes.post(fan, path, {
          postId: made.postIds[0] ?? "",
          isRead: "true",
          inPlace: "true",
        })
      ).status,
    ).toBe(200);
    expect(
      await leads(
        routes.post(fan, path, {
          postId: made.postIds[1] ?? "",
          isRead: "true",
          to: `/post/${made.postIds[1]}?collection=${made.collectionId}`,
        }),
      ),
    ).toBe(`/post/${made.postIds[1]}?collection=${made.collectionId}`);
    const page = await routes.read<CollectionPage & { mayEdit: boolean }>(
      fan,
      `/collection/${made.collectionId}`,
    );
    expect([page.progress.percent, page.entries.map(({ isRead }) => isRead), page.mayEdit]).toEqual(
      [100, [true, true], false],
    );
    expect(
      (await problemOf(routes.post(fan, path, { postId: closed, isRead: "true" }))).status,
    ).toBe(403);
    expect(
      await leads(
        routes.post(fan, path, {
          postId: made.postIds[0] ?? "",
          isRead: "false",
          to: "//evil.test",
        }),
      ),
    ).toBe(`/collection/${made.collectionId}`);
    expect((await routes.get(fan, path)).status).toBe(200);
  });

  test("a post opened from a collection shows its position, previous and next", async () => {
    const made = await collectionOf(world.ctx, ana, ["a", "b", "c"]);
    const fan: ActingCaller = { person: await createPerson(world.ctx) };
    const inside = await routes.read<{ readIn: unknown; places: unknown[] }>(
      fan,
      `/post/${made.postIds[1]}?collection=${made.collectionId}`,
    );
    expect(inside.readIn).toMatchObject({
      number: 2,
      total: 3,
      previous: { title: "a" },
      next: { title: "c" },
      isRead: false,
    });
    const outside = await routes.read<{ readIn: unknown; places: unknown[] }>(
      fan,
      `/post/${made.postIds[1]}`,
    );
    expect([outside.readIn, outside.places.length]).toEqual([null, 1]);
  });
});
