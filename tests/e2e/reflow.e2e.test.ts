import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { hydrated, screenshot } from "#tests/support/steps.ts";
import { openTownAs, TOWN_READERS } from "#tests/support/town-pages.ts";

/** A phone of 320 pixels, and a window of 1280 at 200 % zoom (WCAG 1.4.10 and 1.4.4). */
const WIDTHS = [320, 640];

/**
 * What is wider than the window: the page, and each element that leaves it and does not scroll by
 * itself. The body clips, so that the page alone would not show it.
 */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isClipped = (element: Element): boolean => {
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== "visible") return true;
      return false;
    };
    const leaving = [...document.body.querySelectorAll("*")].filter((element) => {
      const { right, width: own, height } = element.getBoundingClientRect();
      const isShown = element.checkVisibility() && own > 1 && height > 1;
      return isShown && right > width + 1 && !isClipped(element);
    });
    const scrolls = document.documentElement.scrollWidth > width ? ["the page"] : [];
    return [...scrolls, ...leaving.map((element) => element.outerHTML.slice(0, 120))];
  });

async function expectNoSidewaysScrolling(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
    expect([path, await tooWide(page)]).toEqual([path, []]);
  }
}

describe.each(WIDTHS)("no page scrolls sideways at %i pixels", (width) => {
  test.each(TOWN_READERS)("for %s", async (reader) => {
    const page = await newPage({ width, height: 700 });
    await expectNoSidewaysScrolling(page, await openTownAs(page, reader));
  });

  test("with the menus of a conversation open", async () => {
    const page = await newPage({ width, height: 700 });
    await signIn(page, { login: "bruno", to: "/messages" });
    await page.locator('a[href^="/messages/0"]').first().click();
    const menus = page.locator('summary[aria-label^="Opções d"]');
    await menus.first().waitFor();
    await hydrated(page);
    for (const menu of await menus.all()) {
      await menu.click();
      expect(await tooWide(page)).toEqual([]);
      await page.keyboard.press("Escape");
    }
  });

  test("with the palette and the key help open", async () => {
    const page = await newPage({ width, height: 700 });
    await signIn(page, { login: "ana" });
    await hydrated(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Publicar" }).waitFor();
    expect(await tooWide(page)).toEqual([]);
    await screenshot(page, `palette-${width}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Atalhos do teclado" }).waitFor();
    expect(await tooWide(page)).toEqual([]);
    await screenshot(page, `help-${width}`);
  });
});
