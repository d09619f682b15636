import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { drawsAsApproved, pictureProblem } from "#tests/support/approved-pictures.ts";
import { newPage } from "#tests/support/browser.ts";
import { tooWide } from "#tests/support/sideways-scrolling.ts";
import { GALLERY_SCREENS } from "#workers/sandbox-psp/gallery/screens/screens.ts";

const HEIGHT = 860;
/** Axe looks at each layout and at each theme once. */
const LOOKS = [
  { width: 390, theme: "light", isChecked: false },
  { width: 390, theme: "dark", isChecked: true },
  { width: 820, theme: "dark", isChecked: false },
  { width: 820, theme: "light", isChecked: false },
  { width: 1440, theme: "light", isChecked: true },
  { width: 1440, theme: "dark", isChecked: false },
] as const;

/** Rules that no list of one component in several states can keep. Its screens keep them. */
const RULES_OF_SCREENS = [
  "duplicate-id-aria",
  "heading-order",
  "landmark-complementary-is-top-level",
  "landmark-contentinfo-is-top-level",
  "landmark-main-is-top-level",
  "landmark-no-duplicate-contentinfo",
  "landmark-no-duplicate-main",
  "landmark-unique",
  "page-has-heading-one",
];

/** What plays or blinks is not in a picture. */
const STILL =
  "audio, video { visibility: hidden !important } * { caret-color: transparent !important }";

async function breachesOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    .disableRules(RULES_OF_SCREENS)
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** Fonts and pictures are there. */
const drawn = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });

test(
  "every page of the gallery looks as approved, scrolls nothing sideways, and axe finds nothing",
  { timeout: 600_000 },
  async () => {
    const page = await newPage({ width: LOOKS[0].width, height: HEIGHT });
    await page.emulateMedia({ reducedMotion: "reduce" });
    const drawsAlike = await drawsAsApproved(page);
    const problems: Promise<(string | null)[]>[] = [];
    for (const { slug } of GALLERY_SCREENS) {
      expect([slug, (await page.goto(`/sandbox/gallery/${slug}`))?.status()]).toEqual([slug, 200]);
      await drawn(page);
      for (const { width, theme, isChecked } of LOOKS) {
        const name = `${slug}-${width}-${theme}`;
        await page.setViewportSize({ width, height: HEIGHT });
        await page.evaluate((chosen) => (document.documentElement.className = chosen), theme);
        const picture = await page.screenshot({ fullPage: true, style: STILL });
        problems.push(pictureProblem(name, picture, { drawsAlike }).then((problem) => [problem]));
        if (!isChecked) continue;
        const found = [...(await breachesOf(page)), ...(await tooWide(page))];
        problems.push(Promise.resolve(found.map((breach) => `${name}: ${breach}`)));
      }
    }
    expect((await Promise.all(problems)).flat().filter((problem) => problem !== null)).toEqual([]);
  },
);
