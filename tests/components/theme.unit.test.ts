import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { EARNINGS_SCRIPT } from "#app/http/earnings-script.ts";
import {
  INLINE_SCRIPT_HASHES,
  LIBRARY_STYLE_HASHES,
  PUBLIC_SCRIPT,
  THEME_SCRIPT,
} from "#app/http/theme-script.ts";
import { rootClass, themeCookie, themeOf, themePreference } from "#app/lib/theme.ts";
import { inRoot } from "#scripts/paths.ts";

const asking = (cookie: string) =>
  new Request("http://localhost/", { headers: { Cookie: cookie } });

test("the theme is light by default and for an unknown cookie value", () => {
  expect(themeOf(new Request("http://localhost/"))).toBe("light");
  expect(themeOf(asking("coreto-theme=dark"))).toBe("dark");
  expect(themeOf(asking("a=1; coreto-theme=system; b=2"))).toBe("system");
  expect(themeOf(asking("coreto-theme=neon"))).toBe("light");
  expect(themeOf(asking("not-coreto-theme=dark"))).toBe("light");
  expect(themePreference(null)).toBe("light");
});

test("the cookie keeps the choice for a year, for the whole site, and our own script may read it", () => {
  expect(themeCookie("dark")).toBe(
    "coreto-theme=dark; Path=/; Max-Age=31536000; Secure; SameSite=Lax",
  );
});

test('the server sets the theme class, except for "system", which only the browser can resolve', () => {
  expect(rootClass("light")).toBe("light");
  expect(rootClass("dark")).toBe("dark");
  expect(rootClass("system")).toBe("");
});

test("the hashes in the content security policy match the inline scripts", () => {
  const hashOf = (script: string) =>
    `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  expect(INLINE_SCRIPT_HASHES).toEqual([
    hashOf(THEME_SCRIPT),
    hashOf(PUBLIC_SCRIPT),
    hashOf(EARNINGS_SCRIPT),
  ]);
});

test("the hashes of styles are those of the libraries that are installed", () => {
  const hashOf = (style: unknown) =>
    `'sha256-${createHash("sha256").update(String(style)).digest("base64")}'`;
  const source = (file: string) => readFileSync(inRoot(`node_modules/${file}`), "utf8");
  const toasts = /^__insertCSS\((".*")\);?$/m.exec(source("sonner/dist/index.mjs"))?.[1] ?? "";
  const themes = /createTextNode\(\s*`([^`]*)`/.exec(source("remix-themes/dist/index.js"))?.[1];
  expect(LIBRARY_STYLE_HASHES).toEqual([hashOf(""), hashOf(JSON.parse(toasts)), hashOf(themes)]);
});

type Browser = { cookie?: string; stored?: string; prefersDark?: boolean; storageFails?: boolean };

/** Classes that THEME_SCRIPT sets on a page cached as light. */
function classAfterScript({
  cookie = "",
  stored,
  prefersDark = false,
  storageFails = false,
}: Browser): { classes: string[]; stored: string | undefined } {
  const classes = new Set(["light"]);
  const storage = new Map(stored ? [["coreto-theme", stored]] : []);
  runInNewContext(THEME_SCRIPT, {
    document: {
      cookie,
      documentElement: {
        classList: {
          toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)),
        },
      },
    },
    localStorage: {
      getItem: (key: string) => {
        if (storageFails) throw new Error("denied");
        return storage.get(key) ?? null;
      },
      setItem: (key: string, value: string) => storage.set(key, value),
    },
    matchMedia: () => ({ matches: prefersDark }),
  });
  return { classes: [...classes], stored: storage.get("coreto-theme") };
}

test.each([
  ["nothing chosen, device dark: light is the default", { prefersDark: true }, "light"],
  ["dark chosen", { cookie: "coreto-theme=dark" }, "dark"],
  [
    "light chosen on a dark device",
    { cookie: "x=1; coreto-theme=light", prefersDark: true },
    "light",
  ],
  ["system on a dark device", { cookie: "coreto-theme=system", prefersDark: true }, "dark"],
  ["system on a light device", { cookie: "coreto-theme=system" }, "light"],
  ["cookies cleared, local storage remembers", { stored: "dark" }, "dark"],
  ["local storage refused", { storageFails: true }, "light"],
])("%s", (_name, browser, expected) => {
  expect(classAfterScript(browser).classes).toEqual([expected]);
});

test("the theme script copies the cookie's theme to local storage", () => {
  expect(classAfterScript({ cookie: "coreto-theme=dark", stored: "light" }).stored).toBe("dark");
});
