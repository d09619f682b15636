import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { hydrated } from "#tests/support/steps.ts";

const main = (page: Page) => page.getByRole("main");
const isBusy = (page: Page) => main(page).getAttribute("aria-busy");
const shapes = (page: Page) => page.locator(".skeleton");

async function signedIn(login: string): Promise<Page> {
  const page = await newPage({ width: 390 });
  await signIn(page, { login });
  await hydrated(page);
  return page;
}

/** Answers to `address` wait for `release`. `asked` says when the first is asked for. */
async function held(page: Page, address: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    ask();
    await released;
    await route.continue();
  });
  return { asked, release };
}

describe("a page that takes long", () => {
  test("is shown in its shape only after a moment, and then whole", async () => {
    const page = await signedIn("ana");
    const answer = await held(page, "**/analytics.data*");
    // From here time stands still but for what the test lets pass.
    const now = testClock.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 60_000);
    await page.evaluate(() => {
      const link = document.querySelector<HTMLAnchorElement>('a[href="/analytics"]');
      link?.click();
    });
    await answer.asked;
    await page.clock.runFor(200);
    await expect.poll(() => shapes(page).count()).toBe(0);
    await page.clock.runFor(100);
    await main(page).getByRole("status", { name: "Carregando" }).waitFor();
    await expect.poll(() => isBusy(page)).toBe("true");
    await page.clock.resume();
    answer.release();
    await page.waitForURL("**/analytics");
    await expect.poll(() => isBusy(page)).toBe("false");
    await expect.poll(() => shapes(page).count()).toBe(0);
  });

  test("does not move for who wants less motion", async () => {
    const page = await signedIn("bruno");
    await page.emulateMedia({ reducedMotion: "reduce" });
    const answer = await held(page, "**/notifications.data*");
    await page
      .getByRole("link", { name: /^Notificações/ })
      .first()
      .click();
    await shapes(page).first().waitFor();
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    answer.release();
    await page.waitForURL("**/notifications");
  });
});

test("other results of the same page leave the earlier ones in their place meanwhile", async () => {
  const page = await signedIn("ana");
  await page.goto("/analytics?range=28");
  await hydrated(page);
  const figure = page.locator("dl").first();
  const before = await figure.boundingBox();
  const answer = await held(page, "**/analytics.data*");
  await page.getByRole("link", { name: "90 dias" }).click();
  await expect.poll(() => isBusy(page)).toBe("true");
  expect(await figure.boundingBox()).toEqual(before);
  await expect.poll(() => shapes(page).count()).toBe(0);
  answer.release();
  await page.waitForURL("**/analytics?range=90");
  await expect.poll(() => isBusy(page)).toBe("false");
});

test("the palette keeps the place of people and posts that are still searched", async () => {
  const page = await signedIn("bruno");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Buscar ou ir para" });
  await palette.waitFor();
  const answer = await held(page, "**/resources/palette?q=nilo");
  await page.keyboard.type("nilo");
  const list = palette.getByRole("listbox");
  await list.locator(".skeleton").first().waitFor();
  await expect.poll(() => list.getAttribute("aria-busy")).toBe("true");
  answer.release();
  await list.getByRole("group", { name: "Pessoas" }).getByText("Seu Nilo").waitFor();
  await expect.poll(() => list.getAttribute("aria-busy")).toBe("false");
  await expect.poll(() => list.locator(".skeleton").count()).toBe(0);
});
