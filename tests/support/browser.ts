import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ensureChromium } from "#scripts/chromium.ts";
import { clockOffsetMs, shiftClockSource } from "#scripts/shifted-clock.ts";
import { waitForStablePages } from "./stable-pages.ts";
import { sharedServer } from "./server.ts";

export type PageOptions = {
  /** If false, every form and page must still work. */
  javaScript?: boolean;
  /** In CSS pixels. 390 is a phone, 1280 a desktop. */
  width?: number;
  height?: number;
  /** The device's colour scheme. Only the setting "Do aparelho" follows it. */
  theme?: "light" | "dark";
  /** Origin of a product other than the shared one. */
  origin?: string;
};

const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** One browser for all files of a process. It ends with the process. */
let browser: Promise<Browser> | null = null;
const open = new Set<BrowserContext>();

/**
 * Opens a page for this test that shares no cookies with other pages. Relative URLs go to the
 * shared product.
 */
export async function newPage(options: PageOptions = {}): Promise<Page> {
  browser ??= launch();
  const context = await (
    await browser
  ).newContext({
    baseURL: options.origin ?? sharedServer().origin,
    javaScriptEnabled: options.javaScript ?? true,
    viewport: { width: options.width ?? 1280, height: options.height ?? 860 },
    colorScheme: options.theme ?? "light",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  open.add(context);
  await context.addInitScript(shiftClockSource(clockOffsetMs()));
  waitForStablePages(context, { javaScript: options.javaScript ?? true });
  return context.newPage();
}

/** Closes all pages. An open page keeps requesting live updates and slows the next test. */
export async function closePages(): Promise<void> {
  const left = [...open];
  open.clear();
  await Promise.all(left.map((context) => context.close()));
}

/** How often the sign-in form is sent, and how long each waits. */
const SIGN_IN_TRIES = 3;
const SIGN_IN_WAIT_MS = 20_000;

/**
 * Signs in by the form and ends on `to`. A form without an answer is sent again: on a busy machine
 * one was seen to wait for ever, for a reason that is not known.
 */
export async function signIn(
  page: Page,
  person: { login: string; password?: string; to?: string },
): Promise<void> {
  await page.goto(`/auth/login?to=${encodeURIComponent(person.to ?? "/")}`);
  await page.getByLabel("E-mail ou nome de usuário").fill(person.login);
  await page.getByLabel("Senha", { exact: true }).fill(person.password ?? "coreto-demo-2026");
  const hasLeft = (url: URL) => !url.pathname.startsWith("/auth/login");
  for (let left = SIGN_IN_TRIES; !hasLeft(new URL(page.url())); left -= 1) {
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    try {
      await page.waitForURL(hasLeft, { timeout: SIGN_IN_WAIT_MS });
    } catch (fault) {
      if (left <= 1) throw fault;
    }
  }
}

async function launch(): Promise<Browser> {
  const found = ensureChromium();
  if ("problem" in found) throw new Error(found.problem);
  return chromium.launch({ executablePath: found.path, args: FLAGS });
}
