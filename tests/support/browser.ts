import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll } from "vitest";
import { ensureChromium } from "#scripts/chromium.ts";
import { sharedServer } from "./server.ts";

export type PageOptions = {
  /** False: every form and page must still work. */
  javaScript?: boolean;
  /** CSS pixels; 390 is a phone, 1280 a desk. */
  width?: number;
  height?: number;
  /** What the device asks for, which only "Do aparelho" follows. */
  theme?: "light" | "dark";
  /** Another product than the shared one. */
  origin?: string;
};

const FLAGS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const ACTS_WITHIN_MS = 15_000;
let browser: Promise<Browser> | null = null;

/** A page of a person of its own: no cookie is shared with any other page. Relative addresses go to the shared product. */
export async function newPage(options: PageOptions = {}): Promise<Page> {
  browser ??= launch();
  const context = await (await browser).newContext({
    baseURL: options.origin ?? sharedServer().origin,
    javaScriptEnabled: options.javaScript ?? true,
    viewport: { width: options.width ?? 1280, height: options.height ?? 860 },
    colorScheme: options.theme ?? "light",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(ACTS_WITHIN_MS);
  const page = await context.newPage();
  waitsUntilUnique(page.locator("html"));
  if (options.javaScript !== false) arrivesDrawn(page);
  return page;
}

/** Signs in by the form, as a person does, and ends on `to`. */
export async function signIn(page: Page, person: { login: string; password?: string; to?: string }): Promise<void> {
  await page.goto(`/auth/login?to=${encodeURIComponent(person.to ?? "/")}`);
  await page.getByLabel("E-mail ou nome de usuário").fill(person.login);
  await page.getByLabel("Senha", { exact: true }).fill(person.password ?? "coreto-demo-2026");
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/auth/login"));
}

const ACTS = ["waitFor", "click", "fill", "check", "uncheck", "press", "focus", "hover", "setInputFiles", "selectOption", "boundingBox", "evaluate", "scrollIntoViewIfNeeded"] as const;
const made = new WeakSet<object>();

/**
 * Between two pages a name may fit elements of both. Playwright waits while it fits none and throws while it fits several:
 * here each act waits as long for that state to end. What stays ambiguous fails as before.
 */
function waitsUntilUnique(sample: Locator): void {
  const locators = Object.getPrototypeOf(sample) as Record<string, (...given: unknown[]) => Promise<unknown>>;
  if (made.has(locators)) return;
  made.add(locators);
  for (const name of ACTS) {
    const act = locators[name];
    if (!act) throw new Error(`a locator has no ${name}`);
    locators[name] = async function once(this: Locator, ...given: unknown[]): Promise<unknown> {
      for (const until = Date.now() + ACTS_WITHIN_MS; ; await pause(50)) {
        try {
          return await act.apply(this, given);
        } catch (fault) {
          if (Date.now() > until || !String(fault).includes("strict mode violation")) throw fault;
        }
      }
    };
  }
}

/** The router changes the address a moment before React draws the page of it: a journey goes on when the browser has nothing left to draw. */
function arrivesDrawn(page: Page): void {
  const arrive = page.waitForURL.bind(page);
  page.waitForURL = async (...given) => {
    await arrive(...given);
    await page.waitForFunction(() => new Promise((resolve) => requestIdleCallback(() => resolve(true), { timeout: 5_000 })));
  };
}

async function launch(): Promise<Browser> {
  const found = ensureChromium();
  if ("problem" in found) throw new Error(found.problem);
  return chromium.launch({ executablePath: found.path, args: FLAGS });
}

afterAll(async () => {
  if (browser) await (await browser).close();
  browser = null;
});
