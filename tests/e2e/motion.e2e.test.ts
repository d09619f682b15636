import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { hydrated } from "#tests/support/steps.ts";

/** How many animations each view transition of the page ran. */
const transitions = (page: Page) =>
  page.evaluate(() => (window as unknown as { transitions: number[] }).transitions);

test.each([
  ["no-preference", true],
  ["reduce", false],
] as const)(
  "from the feed to a post the page fades (%s), and nothing moves for who wants less motion",
  async (reducedMotion, moves) => {
    const page = await newPage();
    await page.emulateMedia({ reducedMotion });
    await page.addInitScript(() => {
      const counts: number[] = [];
      Object.assign(window, { transitions: counts });
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const transition = start(update);
        void transition.ready.then(() => counts.push(document.getAnimations().length));
        return transition;
      };
    });
    await signIn(page, { login: "bruno" });
    await hydrated(page);
    await page
      .getByRole("feed")
      .getByRole("article")
      .first()
      .getByRole("heading")
      .getByRole("link")
      .click();
    await page.waitForURL("**/post/*");
    await expect
      .poll(async () => (await transitions(page)).map((count) => count > 0))
      .toEqual([moves]);
  },
);
