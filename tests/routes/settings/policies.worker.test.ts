import { expect, test } from "vitest";
import * as policies from "#app/routes/settings/policies.tsx";
import { testContext } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

test("the account is closed on a page: no email is asked for that", async () => {
  const { ctx } = await testContext();
  const bruno = await createPerson(ctx, "Bruno");
  const html = await renderPagesAs(
    () => ctx,
    () => asMember(bruno),
    [{ path: "settings/policies", module: policies }],
  )("/settings/policies");
  expect(html).toMatch(/<a [^>]*href="\/auth\/account\/deletion"[^>]*>encerra a conta<\/a> aqui/);
  const aboutEmail = /[^.]*escreva para/.exec(html.replaceAll(/<[^>]*>/g, ""))?.[0];
  expect(aboutEmail).not.toMatch(/encerr|exclu/);
});
