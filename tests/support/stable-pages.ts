import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { testClock } from "./clock.ts";

const ACTS_WITHIN_MS = 60_000;
const ACTS = [
  "waitFor",
  "click",
  "fill",
  "check",
  "uncheck",
  "press",
  "focus",
  "hover",
  "setInputFiles",
  "selectOption",
  "boundingBox",
  "evaluate",
  "scrollIntoViewIfNeeded",
] as const;
const made = new WeakSet<object>();

/** Makes the pages of `context` wait in states where Playwright alone fails or goes on early. */
export function waitForStablePages(
  context: BrowserContext,
  { javaScript }: { javaScript: boolean },
): void {
  context.setDefaultTimeout(ACTS_WITHIN_MS);
  context.on("page", (page) => {
    waitsUntilUnique(page.locator("html"));
    if (javaScript) arrivesDrawn(page);
  });
}

/**
 * Retries each act while its locator matches several elements. Between two pages, a name may match
 * elements of both. Playwright waits while none matches, but throws while several match. A locator
 * that stays ambiguous still fails.
 */
function waitsUntilUnique(sample: Locator): void {
  const locators = Object.getPrototypeOf(sample) as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  if (made.has(locators)) return;
  made.add(locators);
  for (const name of ACTS) {
    const act = locators[name];
    if (!act) throw new Error(`a locator has no ${name}`);
    locators[name] = async function once(this: Locator, ...given: unknown[]): Promise<unknown> {
      for (const until = testClock.now() + ACTS_WITHIN_MS; ; await pause(50)) {
        try {
          return await act.apply(this, given);
        } catch (fault) {
          if (testClock.now() > until || !String(fault).includes("strict mode violation"))
            throw fault;
        }
      }
    };
  }
}

/**
 * Makes `waitForURL` also wait until the browser is idle. The router changes the URL a moment
 * before React renders the page.
 */
function arrivesDrawn(page: Page): void {
  const arrive = page.waitForURL.bind(page);
  page.waitForURL = async (...given) => {
    await arrive(...given);
    await page.waitForFunction(
      () => new Promise((resolve) => requestIdleCallback(() => resolve(true), { timeout: 5_000 })),
    );
  };
}
