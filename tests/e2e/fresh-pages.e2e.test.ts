import { expect, test } from "vitest";
import { createFormClient, publishPostByForm, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";

/** Less than a stored page stays fresh, so that only a purge can show a change by then. */
const BEFORE_IT_EXPIRES = { timeout: 30_000 };

test("a public page shows a change of its creator while its stored copy is still fresh", async () => {
  const { origin } = sharedServer();
  const seller = await signUpSeller(origin, { name: "Tereza Lira" });
  const path = `/space/${seller.username}/public`;
  const visitor = createFormClient(origin);
  const shown = async () => (await visitor.get(path)).text();
  expect(await shown()).not.toContain("O ensaio geral");
  await publishPostByForm(seller, { title: "O ensaio geral", visibility: "public", seed: 3 });
  await expect.poll(shown, BEFORE_IT_EXPIRES).toContain("O ensaio geral");

  await seller.postAndFollow("/settings/profile", {
    name: "Tereza Maria",
    craft: "Rabeca e forró",
    bio: "Toco rabeca.",
    city: "Recife, PE",
  });
  await expect.poll(shown, BEFORE_IT_EXPIRES).toContain("Tereza Maria");
});

test("a member and a visitor get the same bytes of a public page, and who has them gets 304", async () => {
  const { origin } = sharedServer();
  const seller = await signUpSeller(origin, { name: "Tereza Lira" });
  const path = `/space/${seller.username}/public`;
  const visitor = createFormClient(origin);
  for (const first of [seller, visitor]) {
    const asked = `${path}?cursor=made-up-${first === seller}`;
    const pages = [await first.get(asked), await visitor.get(path), await seller.get(path)];
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).not.toContain(seller.email);
    // One text, without the marks and the data that only a page with scripts needs.
    expect(texts[0]).toMatch(/^<!DOCTYPE html><html /);
    expect(texts[0]).not.toMatch(/<!-- -->|__reactRouterContext/);
    for (const page of pages) expect(page.headers.get("Set-Cookie")).toBeNull();
  }
  const etag = (await visitor.get(path)).headers.get("ETag") ?? "";
  const again = await visitor.get(path, { "If-None-Match": etag });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("many visitors of a page that is stored nowhere all get it", async () => {
  const { origin } = sharedServer();
  const seller = await signUpSeller(origin, { name: "Tereza Lira" });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await fetch(`${origin}/space/${seller.username}/public`);
      return `${answer.status} ${await answer.text()}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^200 .*Tereza Lira/s);
});
