import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { ownProduct } from "#tests/support/own-product.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

let coreto: RunningProduct;
beforeAll(async () => {
  coreto = await ownProduct({ ANALYTICS_MEASUREMENT_ID: "G-TEST123" });
});
afterAll(() => coreto.stop());

/** Opens a page whose requests to other hosts are answered here, and listed. */
async function watched(path: string): Promise<{ page: Page; asked: string[] }> {
  const page = await newPage({ origin: coreto.origin });
  const asked: string[] = [];
  await page.context().route(
    (url) => url.origin !== coreto.origin,
    async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ contentType: "text/javascript", body: "" });
    },
  );
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  return { page, asked };
}

const notice = (page: Page) => page.getByRole("region", { name: "Medição de visitas" });

test.each(["/terms", "/explore"])(
  "%s asks no other host before consent, and the two answers are equal",
  async (path) => {
    const { page, asked } = await watched(path);
    await notice(page).waitFor();
    expect(asked).toEqual([]);
    const sizes = await Promise.all(
      ["Recusar", "Aceitar"].map(async (name) => {
        const button = notice(page).getByRole("button", { name });
        const look = await button.evaluate((element) => {
          const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element);
          return { color, backgroundColor, fontSize, fontWeight };
        });
        return { ...look, height: (await button.boundingBox())?.height };
      }),
    );
    expect(sizes[0]).toEqual(sizes[1]);
  },
);

test("a yes loads web analytics, a refusal does not, and the choice can be changed", async () => {
  const { page, asked } = await watched("/terms");
  await notice(page).getByRole("button", { name: "Recusar" }).click();
  await notice(page).waitFor({ state: "hidden" });
  await page.goto("/terms/cookies");
  await page.waitForLoadState("networkidle");
  expect(asked).toEqual([]);
  const form = page.locator("main [data-measurement]");
  await expect
    .poll(() => form.getByRole("button", { name: "Recusar" }).getAttribute("aria-pressed"))
    .toBe("true");
  await form.getByRole("button", { name: "Aceitar" }).click();
  await expect.poll(() => asked).toEqual(["https://www.googletagmanager.com/gtag/js?id=G-TEST123"]);
  await form.getByRole("button", { name: "Recusar" }).click();
  await expect
    .poll(() => form.getByRole("button", { name: "Recusar" }).getAttribute("aria-pressed"))
    .toBe("true");
  await page.goto("/terms");
  await page.waitForLoadState("networkidle");
  expect(asked).toHaveLength(1);
});

test("after a yes, no page with a secret in its address asks another host", async () => {
  const { page, asked } = await watched("/terms");
  await notice(page).getByRole("button", { name: "Aceitar" }).click();
  await expect.poll(() => asked.length).toBe(1);
  for (const path of ["/auth/login", "/auth/reset/secret", "/auth/verify/secret"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
  }
  expect(asked).toHaveLength(1);
});

test("a refusal deletes the cookies of an earlier yes", async () => {
  const { page } = await watched("/terms/cookies");
  const names = async () => (await page.context().cookies()).map(({ name }) => name);
  await page.evaluate(() => (document.cookie = "_ga_TEST=1; Path=/; Max-Age=1000"));
  expect(await names()).toContain("_ga_TEST");
  await page.locator("main [data-measurement]").getByRole("button", { name: "Recusar" }).click();
  await expect.poll(names).not.toContain("_ga_TEST");
});

test("a browser that asks not to be tracked is not asked, even after a yes", async () => {
  const { page, asked } = await watched("/terms");
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "globalPrivacyControl", { value: true }),
  );
  await page.evaluate(() => (document.cookie = "coreto-measurement=yes; Path=/"));
  await page.goto("/terms/cookies");
  await page.waitForLoadState("networkidle");
  expect(asked).toEqual([]);
  await expect.poll(() => notice(page).isVisible()).toBe(false);
});

test("without JavaScript the choice is saved too", async () => {
  const page = await newPage({ origin: coreto.origin, javaScript: false });
  await page.goto("/terms/cookies");
  await page.locator("main [data-measurement]").getByRole("button", { name: "Recusar" }).click();
  await expect
    .poll(async () => (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`))
    .toContain("coreto-measurement=no");
});

test("a page that the edge answers is counted each time, a bot's visit never", async () => {
  const db = await coreto.miniflare.getD1Database("DB", "app");
  const at = testClock.now();
  await db.batch([
    db
      .prepare(
        "INSERT INTO people (id, provider, provider_user_id, email, created_at, registered_at) VALUES ('edge-ana', 'test', 'edge-ana', 'edge-ana@exemplo.test', ?1, ?1)",
      )
      .bind(at),
    db
      .prepare(
        "INSERT INTO profiles (person_id, username, name, is_creator, created_at) VALUES ('edge-ana', 'edge-ana', 'Ana', 1, ?1)",
      )
      .bind(at),
  ]);
  const visit = (agent: string) =>
    fetch(`${coreto.origin}/space/edge-ana/public`, { headers: { "User-Agent": agent } });
  const states: (string | null)[] = [];
  for (const agent of [FIREFOX, FIREFOX, FIREFOX, "Googlebot/2.1"]) {
    const response = await visit(agent);
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Coreto-Visited")).toBeNull();
    states.push(response.headers.get("CF-Cache-Status"));
    await response.text();
  }
  expect(states.at(-1)).toBe("HIT");
  const counted = async () =>
    (await db
      .prepare("SELECT COUNT(*) AS count FROM coreto_views WHERE index1 = 'edge-ana'")
      .first("count")) as number;
  await expect.poll(counted).toBe(3);
});
