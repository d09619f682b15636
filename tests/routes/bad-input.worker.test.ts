import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { postToEdit, storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { civilMoment } from "#app/domain/posts/rules/composing.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { PUBLICATION_RATE_LIMITS } from "#app/domain/posts/rules/limits.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as postComments from "#app/routes/space/post-comments.tsx";
import * as postCreate from "#app/routes/studio/posts/post-create.tsx";
import * as draftSave from "#app/routes/studio/posts/post-draft-save.ts";
import * as postEdit from "#app/routes/studio/posts/post-edit.tsx";
import { comments } from "#drizzle/schema/comments.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import { media } from "#drizzle/schema/media.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { joined, mp4, pdf, uint32 } from "#tests/support/media-files.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

/**
 * Covers every line of "Bad input" in issue 4 that arrives by a form. Multipart uploads:
 * tests/domain/media. The sanitiser: tests/domain/posts/markdown.
 */

const routes = callRoutesAs([
  { path: "post/create", module: postCreate },
  { path: "post/draft/save", module: draftSave },
  { path: "post/:id/edit", module: postEdit },
  { path: "post/:id/comments", module: postComments },
]);

let world: World;
let ana: Seller;
let as: ActingCaller;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  as = { person: ana, isCreator: true };
});

type Fields = Record<string, string | Blob>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, value, "foto.png");
  }
  return form;
}
const post = (more: Fields = {}): Fields & { postId: string } => ({
  postId: world.ctx.newId(),
  tab: "aba",
  version: "0",
  title: "Ensaio",
  content: "Oito músicas.",
  ways: "public",
  ...more,
});
const sent = async (path: string, fields: Fields, caller = as) =>
  await routes.postForm(caller, path, formOf(fields));

/**
 * Sends a form that must be refused. Expects the typed values back and nothing written. Returns the
 * message beside `field`.
 */
async function refused(
  fields: Fields & { postId: string },
  field: string,
  caller = as,
): Promise<string> {
  const before = await written();
  const answer = await sent("/post/create", fields, caller);
  const problem = (await answer.json()) as FormProblem;
  expect(answer.status).toBe(400);
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string") expect(problem.values[name], name).toBe(value);
  expect(await storedPost(world.ctx, fields)).toBeNull();
  expect(await written()).toEqual(before);
  return (
    problem.errors[field] ??
    `nothing beside ${field}: ${JSON.stringify({ ...problem, values: null })}`
  );
}

/** Counts posts, media and outbox rows, to show that a refused form writes none. */
async function written(): Promise<number[]> {
  const [kept, files, told] = await world.ctx.db.batch([
    world.ctx.db.select({ id: posts.id }).from(posts),
    world.ctx.db.select({ id: media.id }).from(media),
    world.ctx.db.select({ id: outbox.id }).from(outbox),
  ]);
  return [kept.length, files.length, told.length];
}

const wordsOf = async (postId: string) => await postToEdit(world.ctx, { postId, authorId: ana.id });

describe("the text of a post", () => {
  test.each(["title", "content", "ways"])("empty %s is refused beside its field", async (field) => {
    expect(await refused(post({ [field]: "" }), field)).toMatch(
      /^(Campo obrigatório|Escolha quem pode ver\.)$/,
    );
  });

  test.each([" ", "\n\n\t", "\u00a0\u3000", "\u200b\u200d\ufeff", "\u0301\u0301", "\u202e\u2066"])(
    "only blank characters (%j) are refused as empty, in the title and in the text",
    async (blank) => {
      expect(await refused(post({ title: blank }), "title")).toBe("Campo obrigatório");
      expect(await refused(post({ content: blank }), "content")).toBe("Campo obrigatório");
    },
  );

  test("1 MB is refused beside the field, and the typed text stays whole", async () => {
    const megabyte = "forró ".repeat(180_000);
    expect(await refused(post({ content: megabyte }), "content")).toBe(
      "Use até 20.000 caracteres.",
    );
    expect(await refused(post({ title: megabyte }), "title")).toBe("Use até 140 caracteres.");
    expect(await refused(post({ teaser: megabyte }), "teaser")).toBe("Use até 240 caracteres.");
  });

  test("a body over the server's limit is refused with one message for the form", async () => {
    const answer = await sent("/post/create", post({ content: "x".repeat(13 * 1024 * 1024) }));
    expect(((await answer.json()) as FormProblem).message).toMatch(/^O envio é grande demais/);
  });

  test("right-to-left text stays, and direction override characters are removed", async () => {
    const fields = post({
      title: "\u202eoãçacilbuP de ana",
      content: "שלום, צליל\n\u2067virado\u2069 fim",
    });
    expect((await sent("/post/create", fields)).status).toBe(302);
    expect(await wordsOf(fields.postId)).toMatchObject({
      title: "oãçacilbuP de ana",
      content: "שלום, צליל\nvirado fim",
    });
  });

  test("stacked combining marks are cut to four a letter; real scripts keep theirs", async () => {
    const marks = (count: number) => "\u0335".repeat(count);
    const fields = post({
      title: `q${marks(120)} forró`,
      content: `z${marks(500)} हिन्दी เพลง Tiếng Việt`,
    });
    expect((await sent("/post/create", fields)).status).toBe(302);
    expect(await wordsOf(fields.postId)).toMatchObject({
      title: `q${marks(4)} forró`,
      content: `z${marks(4)} हिन्दी เพลง Tiếng Việt`,
    });
  });

  test("10,000 mentions are refused as too long; 900 mentions notify nobody", async () => {
    const named = `@${(await createPerson(world.ctx)).username} `;
    expect(await refused(post({ content: named.repeat(10_000) }), "content")).toBe(
      "Use até 20.000 caracteres.",
    );
    const fields = post({ content: named.repeat(900) });
    expect((await sent("/post/create", fields)).status).toBe(302);
    const told = await world.ctx.db
      .select({ type: outbox.type })
      .from(outbox)
      .where(eq(outbox.id, `post:${fields.postId}:mentioned`));
    expect(told).toEqual([]);
  });

  test("field values that our forms never send are refused, and nothing is written", async () => {
    const never: Fields[] = [
      { postId: "../../etc" },
      { version: "-1" },
      { version: "mil" },
      { tab: "<script>" },
      { isSensitive: "talvez" },
    ];
    for (const strange of never) {
      const before = await written();
      expect((await sent("/post/create", post(strange))).status).toBe(400);
      expect(await written()).toEqual(before);
    }
  });
});

describe("comment form", () => {
  const commented = async (body: string) => {
    const { postId } = await publishPost(world.ctx, {
      authorId: ana.id,
      title: "Roda",
      content: "Texto.",
      teaser: "",
      audience: "public",
      planIds: [],
      image: null,
    });
    const caller = { person: await createPerson(world.ctx) };
    const answer = await routes.post(caller, `/post/${postId}/comments`, { body });
    const problem = answer.status === 302 ? null : ((await answer.json()) as FormProblem);
    const kept = await world.ctx.db
      .select({ id: comments.id, body: comments.body })
      .from(comments)
      .where(eq(comments.postId, postId));
    return { status: answer.status, problem, kept };
  };

  test.each<[string, string, string]>([
    ["empty", "", "Escreva o seu comentário."],
    ["only spaces", " \n\u200b\u3000", "Escreva o seu comentário."],
    ["of 1 MB", "a".repeat(1_000_000), "Use até 2.000 caracteres."],
    ["of 10,000 mentions", "@ana ".repeat(10_000), "Use até 2.000 caracteres."],
  ])(
    "%s is refused beside its field with the typed text, and nothing is written",
    async (_name, body, sentence) => {
      const { status, problem, kept } = await commented(body);
      expect([status, problem?.errors["body"], problem?.values["body"] === body]).toEqual([
        400,
        sentence,
        true,
      ]);
      expect(kept).toEqual([]);
    },
  );

  test("with 14 mentions notifies ten people", async () => {
    const crowd = [];
    for (let index = 0; index < 14; index += 1) crowd.push(await createPerson(world.ctx));
    const { status, kept } = await commented(crowd.map(({ username }) => `@${username}`).join(" "));
    expect(status).toBe(302);
    const told = await world.env.DB.prepare(
      "SELECT id FROM outbox WHERE type = 'comment.mentioned' AND INSTR(id, ?) > 0",
    )
      .bind(kept[0]?.id ?? "")
      .all();
    expect(told.results).toHaveLength(10);
  });

  test("with stacked marks or direction overrides is stored readable", async () => {
    const { kept } = await commented(`a${"\u0335".repeat(90)} \u202eoirártnoc oa`);
    expect(kept.map(({ body }) => body)).toEqual([`a${"\u0335".repeat(4)} oirártnoc oa`]);
  });
});

describe("a file in the post form", () => {
  const png = (...parts: Parameters<typeof joined>) =>
    new Blob([joined([0x89], "PNG\r\n", [0x1a, 0x0a], ...parts)], { type: "image/png" });

  test.each<[string, () => Promise<Blob> | Blob]>([
    [
      "a page sent as a PNG (wrong Content-Type)",
      () => new Blob(["<!doctype html><script>alert(1)</script>"], { type: "image/png" }),
    ],
    [
      "an SVG",
      () => new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"], { type: "image/svg+xml" }),
    ],
    [
      "a PNG that is a PDF too (polyglot)",
      () => png(uint32(13), "IHDR", uint32(10, 10), "%PDF-1.4"),
    ],
    [
      "a decompression bomb",
      () => png(uint32(13), "IHDR", uint32(60_000, 60_000), new Uint8Array(9)),
    ],
    ["a video where an image goes", () => new Blob([mp4()], { type: "image/png" })],
    ["a PDF where an image goes", () => new Blob([pdf()], { type: "image/png" })],
    [
      "an image of more than 10 MB",
      async () =>
        new Blob([await pngImage(40, 40), new Uint8Array(10 * 1024 * 1024)], { type: "image/png" }),
    ],
  ])("%s is refused beside its field, and the typed text stays", async (_name, file) => {
    expect(await refused(post({ image: await file() }), "image")).toMatch(
      /^(Envie uma imagem|A imagem precisa|O arquivo)/,
    );
  });
});

describe("schedule and audience of a post", () => {
  test("an invalid, past or too distant date is refused beside the field", async () => {
    expect(await refused(post({ publishAt: "2020-01-31T10:00" }), "publishAt")).toBe(
      "Essa hora já passou. Escolha outra, ou deixe em branco para publicar agora.",
    );
    expect(
      await refused(
        post({ publishAt: civilMoment(world.ctx.now() + 9_999 * HOUR_MS) }),
        "publishAt",
      ),
    ).toBe("Agende para no máximo um ano.");
    for (const strange of ["amanhã", "2026-02-30T10:00", "2026-11-27T25:00", "'; DROP TABLE posts"])
      expect(await refused(post({ publishAt: strange }), "publishAt")).toBe(
        "Confira a data e a hora.",
      );
  });

  test("an archived, foreign or unknown plan is refused beside the plans", async () => {
    const other = await createSeller(world.ctx);
    const theirs = { person: other, isCreator: true };
    for (const planIds of [other.planId, "nunca-existiu"])
      expect(await refused(post({ ways: "plans", planIds }), "planIds")).toBe(
        "Escolha entre os seus planos ativos.",
      );
    await archivePlan(world.ctx, { creatorId: other.id, planId: other.planId });
    expect(await refused(post({ ways: "plans", planIds: other.planId }), "planIds", theirs)).toBe(
      "Escolha entre os seus planos ativos.",
    );
  });

  test("a draft that names a plan archived later stays a draft, and publishing names the problem", async () => {
    const other = await createSeller(world.ctx);
    const theirs = { person: other, isCreator: true };
    const draft = post({ ways: "plans", planIds: other.planId });
    expect((await sent("/post/draft/save", draft, theirs)).status).toBe(200);
    await archivePlan(world.ctx, { creatorId: other.id, planId: other.planId });
    const answer = await sent("/post/create", { ...draft, version: "1" }, theirs);
    expect([answer.status, ((await answer.json()) as FormProblem).errors["planIds"]]).toEqual([
      400,
      "Escolha entre os seus planos ativos.",
    ]);
    expect(await storedPost(world.ctx, draft)).toMatchObject({ state: "draft", version: 1 });
  });
});

describe("same draft open in several tabs", () => {
  test("three parallel publications publish once; the others get 409 and keep the typed text", async () => {
    const draft = post();
    await sent("/post/draft/save", draft);
    const tabs = ["aba-1", "aba-2", "aba-3"].map((tab) => ({
      ...draft,
      tab,
      version: "1",
      title: `Da ${tab}`,
    }));
    const answers = await Promise.all(tabs.map((fields) => sent("/post/create", fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409, 409]);
    const kept = await storedPost(world.ctx, draft);
    expect(kept).toMatchObject({
      state: "published",
      version: 2,
      title: tabs[answers.findIndex(({ status }) => status === 302)]?.title,
    });
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 302) continue;
      const problem = (await answer.json()) as FormProblem;
      expect(problem.message).toMatch(/Outra aba|já saiu/);
      expect(problem.values).toMatchObject({ title: tabs[index]?.title, content: "Oito músicas." });
    }
    const told = await world.ctx.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(eq(outbox.id, `post:${draft.postId}:published`));
    expect(told).toHaveLength(1);
  });

  test("publishing a version that another tab already published is refused and overwrites nothing", async () => {
    const draft = post();
    await sent("/post/create", draft);
    const late = await sent("/post/create", {
      ...draft,
      tab: "aba-2",
      version: "1",
      title: "Por cima",
    });
    expect([late.status, ((await late.json()) as FormProblem).message]).toEqual([
      409,
      "Esta publicação já saiu. Recarregue a página para editar.",
    ]);
    expect((await sent("/post/create", draft)).status).toBe(302);
    expect(await storedPost(world.ctx, draft)).toMatchObject({ title: "Ensaio", version: 1 });
  });
});

test("the hourly publication limit holds for parallel requests, keeps the typed text, and ends after an hour", async () => {
  const flooder = await createSeller(world.ctx);
  const caller = { person: flooder, isCreator: true };
  expect((await sent("/post/create", post(), caller)).status).toBe(302);
  const [hourly] = PUBLICATION_RATE_LIMITS;
  await world.ctx.db
    .update(floodCounts)
    .set({ count: (hourly?.limit ?? 0) - 2 })
    .where(eq(floodCounts.key, `publish:${flooder.id}:${HOUR_MS}`));
  const last = ["Uma", "Duas", "Três", "Quatro"].map((title) => post({ title }));
  const answers = await Promise.all(last.map((fields) => sent("/post/create", fields, caller)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 302, 429, 429]);
  const late = answers.findIndex(({ status }) => status === 429);
  const problem = (await answers[late]?.json()) as FormProblem;
  const [window] = await world.ctx.db
    .select()
    .from(floodCounts)
    .where(eq(floodCounts.key, `publish:${flooder.id}:${HOUR_MS}`));
  const from = retryAfterText((window?.windowStartedAt ?? 0) + HOUR_MS);
  expect([problem.message, problem.values["title"]]).toEqual([
    `Você publicou muitas vezes seguidas; o seu texto continua aqui. ${from}`,
    last[late]?.["title"],
  ]);
  expect(await storedPost(world.ctx, { postId: last[late]?.postId ?? "" })).toBeNull();
  expect((await sent("/post/draft/save", post(), caller)).status).toBe(200);
  await world.ctx.db
    .update(floodCounts)
    .set({ windowStartedAt: world.ctx.now() - HOUR_MS })
    .where(eq(floodCounts.key, `publish:${flooder.id}:${HOUR_MS}`));
  expect((await sent("/post/create", post(), caller)).status).toBe(302);
});
