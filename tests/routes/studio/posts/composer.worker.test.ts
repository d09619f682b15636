import { beforeAll, describe, expect, test } from "vitest";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import {
  postToEdit,
  storedPost,
  unpublishedPosts,
} from "#app/domain/posts/queries/studio.server.ts";
import { civilMoment } from "#app/domain/posts/rules/composing.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as keptPostRoute from "#app/routes/resources/stored-post.ts";
import * as postCreate from "#app/routes/studio/posts/post-create.tsx";
import * as postDraft from "#app/routes/studio/posts/post-draft.tsx";
import * as draftSave from "#app/routes/studio/posts/post-draft-save.ts";
import * as preview from "#app/routes/studio/posts/post-preview.tsx";
import * as previewContent from "#app/routes/studio/posts/post-preview-content.ts";
import * as postVersions from "#app/routes/studio/posts/post-versions.tsx";
import * as versionStored from "#app/routes/studio/posts/post-version-stored.tsx";
import * as versionTyped from "#app/routes/studio/posts/post-version-typed.tsx";
import * as postEdit from "#app/routes/studio/posts/post-edit.tsx";
import * as restoration from "#app/routes/studio/posts/post-restoration.tsx";
import * as deletion from "#app/routes/studio/posts/post-deletion.tsx";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { eq } from "drizzle-orm";

const routes = callRoutesAs([
  { path: "post/create", module: postCreate },
  { path: "post/draft", module: postDraft },
  { path: "post/draft/save", module: draftSave },
  { path: "post/:id/edit", module: postEdit },
  { path: "post/:id/versions", module: postVersions },
  { path: "post/:id/versions/typed", module: versionTyped },
  { path: "post/:id/versions/stored", module: versionStored },
  { path: "post/:id/deletion", module: deletion },
  { path: "post/:id/restoration", module: restoration },
  { path: "post/preview", module: preview },
  { path: "post/preview/content", module: previewContent },
  { path: "resources/posts/:id/kept", module: keptPostRoute },
]);

let world: World;
let ana: Seller;
let as: ActingCaller;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  as = { person: ana, isCreator: true };
});

const send = async (path: string, fields: Record<string, string>) =>
  await routes.post(as, path, fields);
const refused = async (
  path: string,
  fields: Record<string, string>,
): Promise<FormProblem & { status: number }> => {
  const answer = await send(path, fields);
  return { ...((await answer.json()) as FormProblem), status: answer.status };
};
const newPost = (more: Record<string, string> = {}) => ({
  postId: world.ctx.newId(),
  tab: "aba-1",
  version: "0",
  title: "Ensaio",
  content: "Oito **músicas**.",
  ways: "public",
  ...more,
});

describe("post started from the feed", () => {
  test("opens the composer with the typed text, or empty when nothing was typed", async () => {
    const begun = newPost({ content: "" });
    const to = await send("/post/draft?start", begun);
    expect(to.headers.get("Location")).toBe(`/post/${begun.postId}/edit`);
    expect(await postToEdit(world.ctx, { postId: begun.postId, authorId: ana.id })).toMatchObject({
      title: "Ensaio",
      content: "",
      state: "draft",
    });
    const empty = newPost({ title: " ", content: "" });
    expect((await send("/post/draft?start", empty)).headers.get("Location")).toBe("/post/create");
    expect(await storedPost(world.ctx, { postId: empty.postId })).toBeNull();
  });
});

describe("post composer", () => {
  test("autosaves, and gets 409 when another tab saved since", async () => {
    const post = newPost({ title: "" });
    expect(await (await send("/post/draft/save", post)).json()).toEqual({
      version: 1,
      state: "draft",
    });
    expect(
      await (await send("/post/draft/save", { ...post, version: "1", title: "Com título" })).json(),
    ).toEqual({ version: 2, state: "draft" });
    expect((await send("/post/draft/save", { ...post, version: "2", tab: "aba-2" })).status).toBe(
      200,
    );
    const late = await refused("/post/draft/save", { ...post, version: "2", title: "Por cima" });
    expect([late.status, late.message, late.values["title"]]).toEqual([
      409,
      expect.stringContaining("Outra aba"),
      "Por cima",
    ]);
    expect(await postToEdit(world.ctx, { postId: post.postId, authorId: ana.id })).toMatchObject({
      title: "",
    });
  });

  test("names an invalid schedule beside its field, keeps the typed values and writes nothing", async () => {
    const post = newPost({ publishAt: "2020-01-31T10:00" });
    const problem = await refused("/post/create", post);
    expect(problem.errors["publishAt"]).toMatch(/já passou/);
    expect(problem.values).toMatchObject({
      title: "Ensaio",
      content: "Oito **músicas**.",
      publishAt: "2020-01-31T10:00",
    });
    expect(await storedPost(world.ctx, { postId: post.postId })).toBeNull();
  });

  test("reads the schedule in São Paulo time", async () => {
    const at = world.ctx.now() + HOUR_MS;
    const post = newPost({ publishAt: civilMoment(at) });
    expect((await send("/post/create", post)).headers.get("Location")).toBe(`/post/${post.postId}`);
    expect(await storedPost(world.ctx, { postId: post.postId })).toMatchObject({
      state: "scheduled",
      scheduledAt: Math.floor(at / 60_000) * 60_000,
    });
  });

  test("refuses a plan that was archived meanwhile, beside the plans", async () => {
    const other = await createSeller(world.ctx);
    await archivePlan(world.ctx, { creatorId: other.id, planId: other.planId });
    const answer = await routes.post(
      { person: other, isCreator: true },
      "/post/create",
      newPost({ ways: "plans", planIds: other.planId }),
    );
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as FormProblem).errors["planIds"]).toBe(
      "Escolha entre os seus planos ativos.",
    );
  });

  test("adds a post to the author's collection, moves it, and ignores another creator's collection", async () => {
    const [first, second, foreign] = [world.ctx.newId(), world.ctx.newId(), world.ctx.newId()];
    const row = (id: string, creatorId: string) => ({
      id,
      creatorId,
      title: id,
      createdAt: world.ctx.now(),
    });
    await world.ctx.db
      .insert(collections)
      .values([
        row(first, ana.id),
        row(second, ana.id),
        row(foreign, (await createSeller(world.ctx)).id),
      ]);
    const post = newPost({ collectionIds: first });
    await send("/post/draft/save", post);
    const placed = async () =>
      (
        await world.ctx.db
          .select()
          .from(collectionPosts)
          .where(eq(collectionPosts.postId, post.postId))
      ).map((one) => [one.collectionId, one.position]);
    expect(await placed()).toEqual([[first, 0]]);
    await send("/post/draft/save", { ...post, version: "1", collectionIds: second });
    expect(await placed()).toEqual([[second, 0]]);
    await send("/post/draft/save", { ...post, version: "2", collectionIds: foreign });
    expect(await placed()).toEqual([]);
  });

  test("preselects the post's collections, and refuses a full one with the typed values kept", async () => {
    const own = await collectionOf(world.ctx, ana, []);
    const post = newPost({ collectionIds: own.collectionId });
    await send("/post/draft/save", post);
    const opened = await routes.read<{
      values: Record<string, string>;
      collections: { id: string }[];
    }>(as, `/post/${post.postId}/edit`);
    expect([
      opened.values["collectionIds"],
      opened.collections.some(({ id }) => id === own.collectionId),
    ]).toEqual([own.collectionId, true]);
    await world.env.DB.prepare("UPDATE collections SET placed_count = 500 WHERE id = ?")
      .bind(own.collectionId)
      .run();
    const late = newPost({ title: "Não coube", collectionIds: own.collectionId });
    const problem = await refused("/post/create", late);
    expect([problem.status, problem.errors["collectionIds"], problem.values["title"]]).toEqual([
      429,
      expect.stringMatching(/até 500/),
      "Não coube",
    ]);
    expect(await storedPost(world.ctx, { postId: late.postId })).toBeNull();
  });

  test("refuses an edit based on an older version of a published post", async () => {
    const post = newPost();
    await send("/post/create", post);
    expect(
      (await send(`/post/${post.postId}/edit`, { ...post, version: "1", title: "Novo" })).status,
    ).toBe(302);
    expect(
      (await refused(`/post/${post.postId}/edit`, { ...post, version: "1", tab: "aba-2" })).status,
    ).toBe(409);
    expect(await storedPost(world.ctx, { postId: post.postId })).toMatchObject({ title: "Novo" });
  });

  test("reads the stored state of a post for its author only, so that only unsaved text is restored", async () => {
    const post = newPost({ title: "Guardada" });
    const keptOf = async (caller: ActingCaller) =>
      (await routes.read<{ savedCopy: unknown }>(caller, `/resources/posts/${post.postId}/kept`))
        .savedCopy;
    expect(await keptOf(as)).toBeNull();
    await send("/post/draft/save", post);
    expect(await keptOf(as)).toMatchObject({
      state: "draft",
      savedByTab: "aba-1",
      values: { title: "Guardada", version: "1", ways: "public" },
    });
    expect(await keptOf({ person: await createSeller(world.ctx), isCreator: true })).toBeNull();
    await send("/post/create", { ...post, version: "1" });
    expect(await keptOf(as)).toMatchObject({ state: "published", savedByTab: "aba-1" });
    await send(`/post/${post.postId}/deletion`, {});
    expect(await keptOf(as)).toMatchObject({ values: null });
  });

  test("previews a post as its reader will see it, and stores none", async () => {
    const post = newPost({
      content: "**forte** <script>alert(1)</script>",
      ways: "plans",
      planIds: ana.planId,
    });
    const answer = await send("/post/preview/content", post);
    expect(await answer.json()).toMatchObject({
      title: "Ensaio",
      html: "<p><strong>forte</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>",
      files: [],
      poll: null,
      author: { avatarUrl: null },
    });
    const long = await send("/post/preview/content", { content: "x".repeat(20_001) });
    expect(long.status).toBe(400);
    expect(await storedPost(world.ctx, { postId: post.postId })).toBeNull();
  });

  test("previews without JavaScript with everything typed, and an image that need not be chosen again", async () => {
    const form = new FormData();
    const typed = newPost({ title: "Com foto", publishAt: "2020-01-31T10:00", price: "3" });
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    form.set("imageAlt", "A rabeca");
    form.set("image", new File([await pngImage(40, 30)], "foto.png", { type: "image/png" }));
    const answer = await routes.postForm(as, "/post/preview", form);
    const shown = await answer.json<{
      state: string;
      post: { files: { id: string; alt: string }[] };
      values: Record<string, string>;
    }>();
    const [file] = shown.post.files;
    expect(shown).toMatchObject({
      state: "new",
      post: { title: "Com foto", files: [{ alt: "A rabeca", width: 40 }] },
      values: { ...typed, hasPicker: "true", mediaIds: file?.id, mediaAlts: "A rabeca" },
    });
    expect(await storedPost(world.ctx, { postId: typed.postId })).toBeNull();
    await send("/post/create", { ...shown.values, publishAt: "", price: "" });
    expect(await postToEdit(world.ctx, { postId: typed.postId, authorId: ana.id })).toMatchObject({
      media: [{ id: file?.id, alt: "A rabeca" }],
    });
  });

  test("tells how many drafts wait", async () => {
    const writer = await createSeller(world.ctx);
    const opened = async () =>
      await routes.read<{ drafts: number }>({ person: writer, isCreator: true }, "/post/create");
    expect((await opened()).drafts).toBe(0);
    await routes.post({ person: writer, isCreator: true }, "/post/draft/save", newPost());
    expect((await opened()).drafts).toBe(1);
  });

  test("refuses one megabyte with a message beside the text", async () => {
    const problem = await refused("/post/create", newPost({ content: "x".repeat(1_000_000) }));
    expect([problem.status, problem.errors["content"] ?? problem.message]).toEqual([
      400,
      expect.stringMatching(/20\.000|grande demais/),
    ]);
  });
});

describe("two versions of one post", () => {
  type Shown = FormProblem & {
    state?: string;
    other?: { copyId: string; state: string; values: Record<string, string> };
  };
  /** A post that a second tab saved after the first one opened it. */
  async function conflict() {
    const post = newPost({ title: "Como está", content: "Da primeira." });
    await send("/post/draft/save", post);
    const second = { ...post, version: "1", tab: "aba-2", content: "Da segunda." };
    await send("/post/draft/save", second);
    return { ...post, version: "1", title: "Como eu quero", content: "Ainda da primeira." };
  }
  const shown = async (path: string, fields: Record<string, string>) =>
    await (await send(path, fields)).json<Shown>();
  const stored = async (postId: string) =>
    await postToEdit(world.ctx, { postId, authorId: ana.id });

  test.each(["/post/draft/save", "/post/draft", "/post/create"])(
    "%s answers with both and changes nothing",
    async (path) => {
      const typed = await conflict();
      const answer = await shown(path, typed);
      expect(answer).toMatchObject({
        message: "Outra aba salvou esta publicação. Veja as duas e escolha.",
        values: { title: "Como eu quero", content: "Ainda da primeira." },
        other: { state: "draft", values: { content: "Da segunda.", version: "2" } },
      });
      expect(await stored(typed.postId)).toMatchObject({ content: "Da segunda.", version: 2 });
      expect((await shown(`/post/${typed.postId}/versions`, typed)).other?.values).toMatchObject({
        content: "Da segunda.",
      });
    },
  );

  test("an edit of a published post answers with both", async () => {
    const post = newPost();
    await send("/post/create", post);
    await send(`/post/${post.postId}/edit`, { ...post, version: "1", content: "Da segunda." });
    const late = { ...post, version: "1", tab: "aba-2", content: "Da primeira." };
    expect(await shown(`/post/${post.postId}/edit`, late)).toMatchObject({
      values: { content: "Da primeira." },
      other: { state: "published", values: { content: "Da segunda." } },
    });
    expect((await shown("/post/create", late)).other?.state).toBe("published");
  });

  test("choosing the typed one keeps the stored one as a draft, and the next save goes through", async () => {
    const typed = await conflict();
    const { other } = await shown("/post/create", typed);
    const fields = { ...typed, copyId: other?.copyId ?? "" };
    const chosen = await shown(`/post/${typed.postId}/versions/typed`, fields);
    await send(`/post/${typed.postId}/versions/typed`, fields);
    expect(chosen).toMatchObject({
      state: "draft",
      values: { title: "Como eu quero", content: "Ainda da primeira.", version: "2" },
    });
    expect(await stored(other?.copyId ?? "")).toMatchObject({
      title: "Como está (outra versão)",
      content: "Da segunda.",
      state: "draft",
    });
    expect((await send("/post/create", chosen.values)).headers.get("Location")).toBe(
      `/post/${typed.postId}`,
    );
    expect(await stored(typed.postId)).toMatchObject({
      content: "Ainda da primeira.",
      state: "published",
    });
  });

  test("choosing the stored one keeps the typed one as one draft, however often it is sent", async () => {
    const typed = await conflict();
    const { other } = await shown("/post/create", typed);
    const fields = { ...typed, copyId: other?.copyId ?? "" };
    const before = await unpublishedPosts(world.ctx, { authorId: ana.id, limit: 100 });
    for (const _ of [1, 2])
      expect(
        (await send(`/post/${typed.postId}/versions/stored`, fields)).headers.get("Location"),
      ).toBe(`/post/${typed.postId}/edit`);
    expect(await unpublishedPosts(world.ctx, { authorId: ana.id, limit: 100 })).toHaveLength(
      before.length + 1,
    );
    expect(await stored(other?.copyId ?? "")).toMatchObject({
      title: "Como eu quero (outra versão)",
      content: "Ainda da primeira.",
    });
    expect(await stored(typed.postId)).toMatchObject({ content: "Da segunda." });
  });

  test("shows nobody another author's version", async () => {
    const typed = await conflict();
    const stranger = { person: await createSeller(world.ctx), isCreator: true };
    for (const path of ["versions", "versions/typed", "versions/stored"]) {
      const answer = await routes.post(stranger, `/post/${typed.postId}/${path}`, {
        ...typed,
        copyId: typed.postId,
      });
      expect(await answer.text()).not.toContain("Da segunda.");
      expect(answer.status).toBe(404);
    }
  });
});

test("deleting a post offers an undo on the toast", async () => {
  const post = newPost();
  await send("/post/create", post);
  const gone = await send(`/post/${post.postId}/deletion`, {});
  const toast =
    gone.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-toast=")) ?? "";
  expect(atob(decodeURIComponent(/=([^;]*)/.exec(toast)?.[1] ?? "").split(".")[0] ?? "")).toContain(
    `/post/${post.postId}/restoration`,
  );
  expect((await send(`/post/${post.postId}/restoration`, {})).headers.get("Location")).toBe(
    `/post/${post.postId}`,
  );
  expect((await routes.get(as, `/post/${post.postId}/edit`)).status).toBe(200);
});
