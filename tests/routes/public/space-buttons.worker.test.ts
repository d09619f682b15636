import { expect, test } from "vitest";
import * as publicSpace from "#app/routes/public/space.tsx";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

test("a newcomer's main button follows by way of sign-up, and sign-in stands beside it", async () => {
  const { ctx } = await testContext();
  const [ana, visitor] = [await createSeller(ctx), await createPerson(ctx)];
  const html = await renderPagesAs(
    () => ctx,
    () => asMember(visitor),
    [{ path: "space/:username/public", module: publicSpace }],
  )(`/space/${ana.username}/public`);
  const header = /<header\b.*?<\/header>/s.exec(html)?.[0] ?? "";
  const [main = ""] = /<form\b.*?<\/form>/s.exec(header) ?? [];
  expect(main).toContain(`action="/auth/follow/${ana.username}"`);
  expect(main).toMatch(/<button [^>]*bg-signal[^>]*>Seguir</);
  const beside = header.slice(header.indexOf(main) + main.length);
  expect(/<a\b[^>]*>[^<]*/.exec(beside)?.[0]).toContain(
    `href="/auth/login?to=${encodeURIComponent(`/space/${ana.username}`)}"`,
  );
});
