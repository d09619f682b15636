import { expect, test } from "vitest";
import { civilMoment } from "#app/domain/posts/rules/composing.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import * as postCreate from "#app/routes/studio/posts/post-create.tsx";
import * as postDraft from "#app/routes/studio/posts/post-draft.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

const CREATE = { path: "post/create", module: postCreate };
const routes = callRoutesAs([CREATE, { path: "post/draft", module: postDraft }]);

test("an empty composer tells of the drafts and of the scheduled posts that wait", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx);
  const page = renderPagesAs(
    () => ctx,
    () => asMember(ana, { isCreator: true }),
    [CREATE],
  );
  const waiting = async () =>
    /<a [^>]*href="\/me\/drafts"[^>]*>([^<]*)</.exec(await page("/post/create"))?.[1] ?? null;
  const write = async (path: string, more: Record<string, string> = {}) => {
    const fields = {
      postId: ctx.newId(),
      tab: "aba",
      version: "0",
      title: "Ensaio",
      content: "Oi.",
    };
    const answer = await routes.post({ person: ana, isCreator: true }, path, {
      ...fields,
      ways: "public",
      ...more,
    });
    expect(answer.status).toBe(302);
  };
  expect(await waiting()).toBeNull();
  await write("/post/create", { publishAt: civilMoment(ctx.now() + 48 * HOUR_MS) });
  expect(await waiting()).toBe("Você tem 1 publicação agendada");
  await write("/post/draft");
  expect(await waiting()).toBe("Você tem 1 rascunho");
  await write("/post/draft");
  expect(await waiting()).toBe("Você tem 2 rascunhos");
});
