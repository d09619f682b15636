import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated } from "#tests/support/steps.ts";

test("without Clerk keys no page loads anything of Clerk, from this host or another", async () => {
  const { origin } = sharedServer();
  const page = await newPage();
  const asked: string[] = [];
  const scripts: Promise<string>[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on(
    "response",
    (response) =>
      void (response.url().endsWith(".js") && scripts.push(response.text().catch(() => ""))),
  );
  for (const path of ["/auth/login", "/auth/register"]) {
    await page.goto(path);
    await hydrated(page);
  }
  await signInAsMember(page, await signUpMember(origin, "Lia Souza"));
  for (const path of ["/", "/auth/account", "/settings/teams"]) {
    await page.goto(path);
    await hydrated(page);
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(
    asked.filter((url) => new URL(url).origin !== origin || url.includes("browser.client")),
  ).toEqual([]);
  // These texts identify Clerk's own loader. Our containers for its screens contain none of it.
  expect((await Promise.all(scripts)).filter((text) => /clerk-js|@clerk\//.test(text))).toEqual([]);
  for (const path of ["/auth/again", "/auth/account/security", "/settings/teams/manage"]) {
    expect((await page.request.get(origin + path)).status(), path).toBe(404);
  }
});
