import type { Page } from "playwright-core";

/**
 * What is wider than the window: the page, and each element that leaves it and does not scroll by
 * itself. The body clips, so that the page alone would not show it.
 */
export const tooWide = (page: Page): Promise<string[]> =>
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
