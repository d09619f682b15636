import { parse } from "parse5";
import { describe, expect, test } from "vitest";
import { NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import { MESSAGES } from "#app/notification-registry.ts";
import { galleryItems, galleryPage } from "#workers/sandbox-psp/gallery/gallery.ts";

const items = galleryItems();
const kinds = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
/** What a person reads. */
const texts = items.flatMap(({ row, mail }) => [
  ...(row ? [row.body] : []),
  ...(mail ? [mail.subject, mail.text] : []),
]);

describe("every notification, with example data", () => {
  test.each(Object.keys(MESSAGES))("%s is shown", (type) => {
    expect(items.some((item) => item.type === type)).toBe(true);
  });

  test.each(kinds)("the kind %s has a row, and an email if it promises one", (kind) => {
    const own = items.filter((item) => item.kind === kind);
    expect(own.some(({ row }) => row !== null)).toBe(true);
    const promises = NOTIFICATION_KINDS[kind].mail !== "none";
    expect([kind, own.some(({ mail }) => mail !== null)]).toEqual([kind, promises]);
  });

  test("says nothing that no person would write", () => {
    expect(texts.filter((text) => /undefined|NaN|null|Invalid|\[object|\$\{/.test(text))).toEqual(
      [],
    );
    expect(items.filter(({ row }) => row?.body.trim() === "")).toEqual([]);
    expect(items.filter(({ mail }) => mail && (mail.subject === "" || mail.text === ""))).toEqual(
      [],
    );
    expect(texts.filter((text) => /(^|\s)1 \p{L}+s(\s|$)/u.test(text))).toEqual([]);
  });

  test("leads to a page of this site", () => {
    const paths = items.flatMap(({ row }) => row?.path ?? []);
    expect(paths.filter((path) => !/^\/[a-z]/.test(path))).toEqual([]);
  });

  test("has emails with a description of each picture, a dark theme, a language and a text part", () => {
    for (const { type, mail } of items) {
      if (!mail) continue;
      const pictures = mail.html.match(/<img [^>]*>/g) ?? [];
      expect([type, pictures.filter((picture) => !/ alt="/.test(picture))]).toEqual([type, []]);
      expect(mail.html).toContain('<html lang="pt-BR">');
      expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
      // A long address breaks: it made the email wider than a phone.
      expect(mail.html).toContain("overflow-wrap:anywhere");
      // Each colour that is written on an element has its dark one.
      const dark = mail.html.slice(mail.html.indexOf("@media (prefers-color-scheme:dark)"));
      for (const name of ["paper", "card", "ink", "muted", "button"])
        if (mail.html.includes(`class="${name}"`)) expect(dark).toContain(`.${name}`);
      expect(mail.text).not.toMatch(/<\/?(p|a|div|img|br)\b|mail\/opening/);
      expect(mail.text.length).toBeGreaterThan(40);
    }
    const pictured = items.filter(({ mail }) => mail?.html.includes("/media/exemplo/640"));
    expect(pictured).toHaveLength(1);
  });

  test("has emails of HTML that parses, with one button at most, under 100 kB", () => {
    for (const { type, mail } of items) {
      if (!mail) continue;
      const errors: string[] = [];
      parse(mail.html, { onParseError: ({ code }) => errors.push(code) });
      expect([type, errors]).toEqual([type, []]);
      expect(mail.html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(new TextEncoder().encode(mail.html).length).toBeLessThan(100_000);
      expect(mail.subject.length).toBeLessThanOrEqual(150);
    }
  });
});

test("the gallery's page has a section for each kind", async () => {
  const page = await galleryPage().text();
  for (const kind of kinds) expect(page).toContain(`<section id="${kind}">`);
});
