import { expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { screenshot } from "#tests/support/steps.ts";

const PAGES = [
  "documents",
  "disputes",
  "payouts",
  "fees",
  "fiscal",
  "margin",
  "ledger",
  "reconciliation",
] as const;

test.each([
  [390, "light"],
  [390, "dark"],
  [1440, "light"],
] as const)(
  "staff pages at %i wide in %s show the tab of the page they are on, and nothing sideways",
  async (width, theme) => {
    const page = await newPage({ width, height: 844 });
    await signIn(page, { login: "carla", to: "/admin/documents" });
    for (const name of PAGES) {
      await page.goto(`/admin/${name}`);
      if (theme === "dark")
        await page.evaluate(() => document.documentElement.classList.add("dark"));
      const tab = page
        .getByRole("navigation", { name: "Moderação" })
        .locator('[aria-current="page"]');
      const box = await tab.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= width && box.y < 400, name).toBe(true);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, name).toBeLessThanOrEqual(width);
      await screenshot(page, `staff-${name}-${width}-${theme}`);
    }
  },
);
