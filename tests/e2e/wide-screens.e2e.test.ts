import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";

const BRUNO = "bruno@coreto.test";

/** The box of an element in the page, once it is shown. */
async function boxOf(element: Locator) {
  await element.waitFor();
  const box = await element.boundingBox();
  if (!box) throw new Error("the element has no box");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

const boxesOf = async (elements: Locator) =>
  await Promise.all((await elements.all()).map((element) => boxOf(element)));

test("a creator's page at 1440 keeps its buttons on one line, its menu in the corner, and each plan whole", async () => {
  const page = await newPage({ width: 1440, height: 900 });
  await signIn(page, { login: BRUNO, to: "/space/ana" });
  const header = page.locator("header:has(h1)").first();
  await header.waitFor();
  const buttons = await boxesOf(header.locator("h1 + div > *:visible, h1 + div > form:visible"));
  expect(buttons.length).toBeGreaterThan(1);
  expect(new Set(buttons.map(({ y }) => Math.round(y))).size).toBe(1);
  const inside = await boxOf(header);
  const menu = await boxOf(header.locator("summary[aria-label^='Mais opções']"));
  expect(inside.right - menu.right).toBeLessThan(48);

  await expectWholePlans(page);
});

test("so does the creator's own page", async () => {
  const page = await newPage({ width: 1440, height: 900 });
  await signIn(page, { login: "ana@coreto.test", to: "/me" });
  await expectWholePlans(page);
});

/** Three plans fill the strip: none is cut, and no empty space is beside the last. */
async function expectWholePlans(page: Page): Promise<void> {
  const region = page.getByRole("region", { name: "Planos" });
  const strip = await boxOf(region);
  const plans = await boxesOf(region.locator(":scope > ul > li"));
  expect(plans.length).toBe(3);
  for (const plan of plans) {
    expect(plan.x).toBeGreaterThanOrEqual(strip.x - 1);
    expect(plan.right).toBeLessThanOrEqual(strip.right + 1);
  }
  expect(strip.right - (plans.at(-1)?.right ?? 0)).toBeLessThan(2);
}

test.each([
  ["for a member", BRUNO, "/space/ana"],
  ["for visitors", null, "/space/ana/public"],
])("at 200 % zoom the name does not stand on the cover, %s", async (_, login, path) => {
  // 1280 at 200 % has as many CSS pixels as 640.
  const page = await newPage({ width: 640, height: 430 });
  if (login === null) await page.goto(path);
  else await signIn(page, { login, to: path });
  const cover = await boxOf(page.locator("header:has(h1) > :first-child").first());
  const name = await boxOf(page.locator("header h1").first());
  expect(name.y).toBeGreaterThanOrEqual(cover.bottom);
});

test("explore fills the right third of a wide screen", async () => {
  const page = await newPage({ width: 1440, height: 900 });
  await signIn(page, { login: BRUNO, to: "/explore" });
  const people = await boxOf(page.getByRole("region", { name: "Quem está na praça" }));
  const posts = await boxOf(page.getByRole("region", { name: "Publicações" }));
  expect(people.x).toBeGreaterThan(posts.right);
  expect(people.right).toBeGreaterThan(1_200);
});
