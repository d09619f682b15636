import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { tooWide } from "#tests/support/sideways-scrolling.ts";
import { screenshot } from "#tests/support/steps.ts";
import { galleryItems } from "#workers/sandbox-psp/gallery/gallery.ts";

/** A mail program on a phone, and one beside a list of emails. */
const WIDTHS = [390, 600];
const SHOWN = ["charge.refunded", "post.mailed", "team.invited"];

const mails = galleryItems().flatMap(({ type, mail }) => (mail ? [{ type, ...mail }] : []));

describe("every email", () => {
  test.each(
    WIDTHS.flatMap((width) => [
      { width, theme: "light" as const },
      { width, theme: "dark" as const },
    ]),
  )("fits $width pixels in $theme colours", async ({ width, theme }) => {
    const page = await newPage({ width, height: 900, theme, javaScript: true });
    const findings: string[] = [];
    for (const { type, subject, html } of mails) {
      await page.setContent(html);
      findings.push(...(await tooWide(page)).map((what) => `${type}, ${subject}: ${what}`));
      if (SHOWN.includes(type)) await screenshot(page, `mail-${type}-${theme}-${width}`);
    }
    expect(mails.length).toBeGreaterThan(50);
    expect(findings).toEqual([]);
  });
});
