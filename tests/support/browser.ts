import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ensureChromium } from "#scripts/chromium.ts";
import { clockOffsetMs, shiftClockSource } from "#scripts/shifted-clock.ts";
import { waitForStablePages } from "./stable-pages.ts";
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

const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** One for all files of a process, with which it ends. */
let browser: Promise<Browser> | null = null;
const open = new Set<BrowserContext>();

/**
 * A page of a person of its own, for this test: no cookie is shared with any other page. Relative
 * addresses go to the shared product.
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

/** A page that is left open goes on asking for news, which the next test pays for. */
export async function closePages(): Promise<void> {
  const left = [...open];
  open.clear();
  await Promise.all(left.map((context) => context.close()));
}

/** Signs in by the form, as a person does, and ends on `to`. */
export async function signIn(
  page: Page,
  person: { login: string; password?: string; to?: string },
): Promise<void> {
  await page.goto(`/auth/login?to=${encodeURIComponent(person.to ?? "/")}`);
  await page.getByLabel("E-mail ou nome de usuário").fill(person.login);
  await page.getByLabel("Senha", { exact: true }).fill(person.password ?? "coreto-demo-2026");
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/auth/login"));
}

async function launch(): Promise<Browser> {
  const found = ensureChromium();
  if ("problem" in found) throw new Error(found.problem);
  return chromium.launch({ executablePath: found.path, args: FLAGS });
}
