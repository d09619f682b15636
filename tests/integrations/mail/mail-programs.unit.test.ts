import { caniemail } from "caniemail";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";
import { galleryItems } from "#workers/sandbox-psp/gallery/gallery.ts";

/** The programs of docs/emails.md, with the platforms of each by caniemail's names. */
const PROGRAMS: Record<string, { name: string; platforms: Record<string, string> }> = {
  gmail: {
    name: "Gmail",
    platforms: {
      android: "Android",
      ios: "iOS",
      "desktop-webmail": "web",
      "mobile-webmail": "mobile web",
    },
  },
  outlook: {
    name: "Outlook",
    platforms: {
      windows: "Windows",
      "windows-mail": "Windows Mail",
      macos: "macOS",
      android: "Android",
      ios: "iOS",
      "outlook-com": "outlook.com",
    },
  },
  "apple-mail": { name: "Apple Mail", platforms: { macos: "macOS", ios: "iOS" } },
  yahoo: {
    name: "Yahoo",
    platforms: { android: "Android", ios: "iOS", "desktop-webmail": "web" },
  },
  "samsung-email": { name: "Samsung Email", platforms: { android: "Android" } },
  protonmail: {
    name: "Proton Mail",
    platforms: { android: "Android", ios: "iOS", "desktop-webmail": "web" },
  },
};

const CLIENTS = Object.entries(PROGRAMS).flatMap(([family, { platforms }]) =>
  Object.keys(platforms).map((platform) => `${family}.${platform}`),
) as Parameters<typeof caniemail>[0]["clients"];

/** "Gmail (mobile web); Yahoo": the platforms are named where not all of them lack it. */
function programNames(clients: Set<string>): string {
  const names = Object.entries(PROGRAMS).flatMap(([family, { name, platforms }]) => {
    const missing = Object.keys(platforms).filter((one) => clients.has(`${family}.${one}`));
    if (missing.length === 0) return [];
    if (missing.length === Object.keys(platforms).length) return [name];
    return [`${name} (${missing.map((one) => platforms[one]).join(", ")})`];
  });
  return names.join("; ");
}

/** The features of `html` that a program lacks, each with the names of those programs. */
function missingFeatures(html: string): Record<string, string> {
  const clientsOf = new Map<string, Set<string>>();
  for (const [client, features] of caniemail({ clients: CLIENTS, html }).issues.errors)
    for (const { title } of features)
      clientsOf.set(title, (clientsOf.get(title) ?? new Set()).add(client));
  return Object.fromEntries(
    [...clientsOf].map(([title, clients]) => [title, programNames(clients)] as const),
  );
}

/** The rows of the table in docs/emails.md. */
function tableRows(): { feature: string; programs: string; effect: string }[] {
  const lines = readFileSync(inRoot("docs", "emails.md"), "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const [feature = "", programs = "", effect = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return { feature: feature.replaceAll("`", ""), programs, effect };
    });
}

const mails = galleryItems().flatMap(({ mail }) => mail ?? []);

test("docs/emails.md has every feature of an email that a program lacks, and what is seen there", () => {
  expect(mails.length).toBeGreaterThan(50);
  const rows = tableRows();
  const documented = Object.fromEntries(rows.map(({ feature, programs }) => [feature, programs]));
  expect(documented).toEqual(missingFeatures(mails.map(({ html }) => html).join("\n")));
  expect(rows.filter(({ effect }) => effect.length < 20)).toEqual([]);
});

test("no email places its content by what a program lacks", () => {
  const forbidden =
    /display:\s*(flex|grid)|position:|float:|<(video|audio|form|input|script|svg)\b/;
  expect(mails.filter(({ html }) => forbidden.test(html)).map(({ subject }) => subject)).toEqual(
    [],
  );
});

test("Outlook on Windows gets a column of its own, and colours stand on the elements", () => {
  for (const { html } of mails) {
    expect(html.match(/<!--\[if mso\]><table [^>]*width="560"/g)).toHaveLength(1);
    expect(html.match(/<!--\[if mso\]><\/td><\/tr><\/table><!\[endif\]-->/g)).toHaveLength(1);
    for (const [element] of html.matchAll(/<[a-z]+ class="(?:paper|card|button)"[^>]*>/g))
      expect(element).toMatch(/style="[^"]*background:#[0-9a-f]{6}/);
    for (const [element] of html.matchAll(/<[a-z]+ class="(?:ink|muted)"[^>]*>/g))
      expect(element).toMatch(/style="[^"]*color:#[0-9a-f]{6}/);
  }
});

test("a feature that nobody has is found", () => {
  const found = missingFeatures('<div style="display:grid">Oi</div>');
  expect(Object.keys(found).some((title) => title.includes("grid"))).toBe(true);
});
