import type { Browser, Locator, Page } from "playwright-core";
import type { SellerClient } from "#tests/support/form-client.ts";
import { hydrated, signInAsMember } from "#tests/support/steps.ts";
import { sized } from "./size.ts";

const LONG_TEXT_SIZE = sized(10_000, 20);
/** Shorter events are not reported by browsers. */
const REPORTED_FROM_MS = 16;

type Asked = { seller: SellerClient; postPath: string };
type Delay = { name: string; delayMs: number };

/**
 * Likes, comments, changes the tab and types into a long text. Returns the longest time from an
 * input to the next paint of each (Interaction to Next Paint); 0 where all took less than 16 ms.
 */
export async function interactionDelays(
  browser: Browser,
  { seller, postPath }: Asked,
): Promise<Delay[]> {
  const context = await browser.newContext({
    baseURL: seller.origin,
    viewport: { width: 390, height: 844 },
    locale: "pt-BR",
  });
  try {
    const page = await context.newPage();
    await signInAsMember(page, seller);
    const delays: Delay[] = [];
    for (const { name, path, act } of INTERACTIONS) {
      await page.goto(path ?? postPath);
      await hydrated(page);
      await page.waitForLoadState("networkidle");
      await watchInteractions(page);
      await act(page);
      delays.push({ name, delayMs: await longestInteraction(page) });
    }
    return delays;
  } finally {
    await context.close();
  }
}

const INTERACTIONS: { name: string; path?: string; act(page: Page): Promise<void> }[] = [
  {
    name: "like",
    act: async (page) => {
      await page.getByRole("button", { name: "Curtir 0" }).first().click();
      await page.getByRole("button", { name: "Curtido 1" }).first().waitFor();
    },
  },
  {
    name: "comment",
    act: async (page) => {
      await page.getByLabel("Seu comentário").pressSequentially("Que beleza de ensaio!");
      await page.getByRole("button", { name: "Comentar" }).click();
      await page.getByText("Que beleza de ensaio!").first().waitFor();
    },
  },
  {
    name: "tab",
    path: "/analytics",
    act: async (page) => {
      await page.getByRole("link", { name: "Pessoas" }).first().click();
      await page.waitForURL("**/analytics/people**");
    },
  },
  {
    name: `typing among ${LONG_TEXT_SIZE.toLocaleString("en")} words`,
    path: "/post/create",
    act: async (page) => {
      const text = page.getByLabel("Texto", { exact: true });
      await openLongText(text, "palavra ".repeat(LONG_TEXT_SIZE));
      await text.press("Control+End");
      await text.pressSequentially("e mais uma frase no fim");
    },
  },
];

/** Gives the field a text as an opened draft has it. Text of an editing command slows Chromium. */
async function openLongText(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, value) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(
      element,
      value,
    );
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
}

/** Collects the durations of a person's inputs in the page, from now on. */
async function watchInteractions(page: Page): Promise<void> {
  await page.evaluate((durationThreshold) => {
    const durations: number[] = [];
    Object.assign(window, { interactionDurations: durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ((entry as PerformanceEventTiming).interactionId) durations.push(entry.duration);
    }).observe({ type: "event", durationThreshold, buffered: false } as PerformanceObserverInit);
  }, REPORTED_FROM_MS);
}

/** The longest of them, once the page has painted what the last one changed. */
async function longestInteraction(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => resolve(null)));
    await painted();
    await painted();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { interactionDurations } = window as unknown as { interactionDurations: number[] };
    return Math.max(0, ...interactionDurations);
  });
}
