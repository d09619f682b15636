import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { hydrated } from "#tests/support/steps.ts";
import { openTownAs, TOWN_READERS } from "#tests/support/town-pages.ts";

type LayoutShift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Runs in the page. Notes each element that moves without an act of the reader. */
function watchLayoutShifts(): void {
  const moved: string[] = [];
  Reflect.set(window, "layoutShifts", moved);
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources, value } of list.getEntries() as LayoutShift[])
      for (const { node, previousRect, currentRect } of hadRecentInput ? [] : sources) {
        // The browser's own parts of a player have no node.
        if (!node) continue;
        const [from, to] = [previousRect, currentRect].map(({ x, y }) => `${x}, ${y}`);
        moved.push(
          `${node.nodeName} "${(node.textContent ?? "").slice(0, 40)}" from ${from} to ${to} (${value.toFixed(4)})`,
        );
      }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Two frames after hydration: what the script adds has been painted, and noted. */
const layoutShifts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    return Reflect.get(window, "layoutShifts") as string[];
  });

test.each(TOWN_READERS)("nothing moves by itself when a page starts, for %s", async (reader) => {
  const page = await newPage({ width: 390 });
  const paths = await openTownAs(page, reader);
  await page.addInitScript(watchLayoutShifts);
  // When a font arrives depends on the machine. Without fonts, only the page itself moves things.
  await page.route("**/*.woff2", (route) => route.abort());
  for (const path of paths) {
    // A busy machine may paint half of the HTML first: what moves each time is the page's own.
    const open = async (): Promise<[string, string[]]> => {
      await page.goto(path);
      if (reader !== "visitor") await hydrated(page);
      return [path, await layoutShifts(page)];
    };
    await expect.poll(open, { interval: 0 }).toEqual([path, []]);
  }
});
