import { describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { tooWide } from "#tests/support/sideways-scrolling.ts";
import { hydrated, screenshot } from "#tests/support/steps.ts";

/**
 * A phone of 320 pixels, and a window of 1280 at 200 % zoom (WCAG 1.4.10 and 1.4.4). The pages as
 * they open are in town-pages.e2e.test.ts.
 */
const WIDTHS = [320, 640];

describe.each(WIDTHS)("nothing scrolls sideways at %i pixels", (width) => {
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
