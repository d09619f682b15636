import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { tooWide } from "#tests/support/sideways-scrolling.ts";
import { openTownAs, TOWN_READERS } from "#tests/support/town-pages.ts";

/**
 * A phone in the dark and a desktop in the light: each theme and each layout once. `narrowed` is a
 * phone of 320 pixels, and a window of 1280 at 200 % zoom (WCAG 1.4.10 and 1.4.4).
 */
const LOOKS = [
  { width: 390, theme: "dark", narrowed: 320 },
  { width: 1440, theme: "light", narrowed: 640 },
] as const;
const HEIGHT = 860;

/** Breaches of the rules of axe, by rule, with the elements that breach it. */
async function breachesOf(page: Page): Promise<string[]> {
  // No page has frames, and only the breaches' elements are of interest: a third of the time.
  const { violations, passes } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  if (passes.length === 0) throw new Error("axe checked nothing");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

// One visit for both checks, because most of their time is the page's.
describe.each(LOOKS)(
  "axe finds nothing at $width pixels, $theme, and nothing scrolls sideways at $narrowed",
  ({ width, theme, narrowed }) => {
    test.each(TOWN_READERS)("for %s", { timeout: 240_000 }, async (reader) => {
      const page = await newPage({ width, height: HEIGHT, theme });
      // A colour that is still changing is no colour of the design.
      await page.emulateMedia({ reducedMotion: "reduce" });
      for (const path of await openTownAs(page, reader)) {
        expect([path, (await page.goto(path))?.status()]).toEqual([path, 200]);
        await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
        expect([path, await breachesOf(page)]).toEqual([path, []]);
        await page.setViewportSize({ width: narrowed, height: HEIGHT });
        expect([path, await tooWide(page)]).toEqual([path, []]);
        await page.setViewportSize({ width, height: HEIGHT });
      }
    });
  },
);
