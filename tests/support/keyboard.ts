import type { Page } from "playwright-core";

const STOPS_MAX = 80;

/**
 * Moves the focus by Tab, or by another key, to the element whose name matches. Fails if none of
 * the next 80 stops is it. Of links and buttons the name is what a screen reader says.
 */
export async function tabTo(page: Page, name: RegExp, key = "Tab"): Promise<void> {
  const names: string[] = [];
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await page.keyboard.press(key);
    const focused = await focusedName(page);
    if (name.test(focused)) return;
    names.push(focused);
  }
  throw new Error(`${String(name)} is none of the stops: ${names.join(" | ")}`);
}

/** The name of the focused element, as far as a test needs it. */
export async function focusedName(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return "";
    const labels = "labels" in focused ? [...(focused.labels as NodeListOf<HTMLElement>)] : [];
    const label = labels.map(({ textContent }) => textContent).join(" ");
    const text = focused.tagName === "MAIN" ? "" : focused.textContent;
    return (focused.getAttribute("aria-label") ?? (label || text)).replaceAll(/\s+/g, " ").trim();
  });
}
