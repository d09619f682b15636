import { chromium } from "playwright-core";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { ensureChromium } from "#scripts/chromium.ts";
import { clockOffsetMs, shiftClockSource } from "#scripts/shifted-clock.ts";
import type { RunningProduct } from "#scripts/local-product.ts";
import { CLERK_HOST, clerkKeys } from "#tests/support/clerk-tokens.ts";
import { testClock } from "#tests/support/clock.ts";
import { ownProduct } from "#tests/support/own-product.ts";
import { waitForStablePages } from "#tests/support/stable-pages.ts";
import { plainServer, tlsEdge } from "./edge.ts";
import { fakeFrontendApi } from "./frontend-api.ts";
import type { FakeFrontendApi } from "./frontend-api.ts";
import type { ClerkPerson } from "./json.ts";

export const APP_ORIGIN = "https://app.coreto.test";

export type ClerkProduct = {
  clerk: FakeFrontendApi;
  /** Opens a page with its own cookies. Its console messages and errors go to `complaints`. */
  newPage(options?: { theme?: "light" | "dark"; width?: number }): Promise<Page>;
  complaints: string[];
  newcomer(firstName?: string): Omit<ClerkPerson, "id">;
  /** Creates a person who completed their profile through our API. */
  member(): Promise<ClerkPerson>;
  /** Sends a request straight to the product, as a program does. */
  ask(
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<{ status: number; json(): Promise<unknown>; text(): Promise<string> }>;
  /** Sends a webhook of Clerk, signed as Svix does. Returns the response status. */
  deliver(event: object): Promise<number>;
  stop(): Promise<void>;
};

const WEBHOOK_SECRET = "whsec_Y29yZXRvLWNsZXJrLXdlYmhvb2stc2VjcmV0LTE=";

/**
 * Starts the built product with Clerk's keys at `https://app.coreto.test`, and a fake Clerk at
 * `https://clerk.coreto.test`. It needs no network and no Clerk account.
 */
export async function clerkProduct(): Promise<ClerkProduct> {
  const keys = await clerkKeys();
  const clerk = await fakeFrontendApi({ appOrigin: APP_ORIGIN, keys });
  const backend = await plainServer(clerk.backend);
  const env = {
    APP_ORIGIN,
    API_BASE_URL: `${APP_ORIGIN}/api/v1`,
    CLERK_PUBLISHABLE_KEY: clerk.publishableKey,
    CLERK_SECRET_KEY: "sk_live_of_a_test",
    CLERK_JWT_KEY: keys.publicPem,
    CLERK_JWT_TEMPLATE: "production",
    CLERK_WEBHOOK_SIGNING_SECRET: WEBHOOK_SECRET,
    CLERK_API_URL: `http://127.0.0.1:${backend.port}`,
  };
  const coreto = await ownProduct(env, 0, { tick: false });
  const edge = await tlsEdge({
    "app.coreto.test": (request) => dispatched(coreto.miniflare, request),
    [CLERK_HOST]: clerk.frontend,
  });
  const found = ensureChromium();
  if ("problem" in found) throw new Error(found.problem);
  const browser = await chromium.launch({
    executablePath: found.path,
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=MAP *.coreto.test 127.0.0.1:${edge.port}, MAP * ~NOTFOUND`,
    ],
  });
  const complaints: string[] = [];
  const newcomer = (firstName = "Lia") => {
    const username = `pessoa-${crypto.randomUUID().slice(0, 8)}`;
    return {
      email: `${username}@exemplo.test`,
      username,
      firstName,
      lastName: "Souza",
      password: "uma senha comprida",
    };
  };
  const ask: ClerkProduct["ask"] = (path, init) =>
    coreto.miniflare.dispatchFetch(APP_ORIGIN + path, { ...init, redirect: "manual" });
  return {
    clerk,
    complaints,
    ask,
    newcomer,
    async deliver(event) {
      const body = JSON.stringify(event);
      const sentAt = testClock.date();
      const signature = new Webhook(WEBHOOK_SECRET).sign("msg_1", sentAt, body);
      const headers = {
        "svix-id": "msg_1",
        "svix-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "svix-signature": signature,
      };
      return (await ask("/webhooks/clerk", { method: "POST", headers, body })).status;
    },
    async member() {
      const person = clerk.addPerson(newcomer());
      const body = JSON.stringify({
        name: person.firstName,
        username: person.username,
        birthDate: "31/12/1990",
        termsVersion: TERMS_VERSION,
      });
      const headers = {
        Authorization: `Bearer ${await clerk.tokenFor(person)}`,
        "Content-Type": "application/json",
      };
      const answer = await ask("/api/v1/auth/register", { method: "POST", headers, body });
      if (answer.status !== 200) throw new Error(await answer.text());
      return person;
    },
    async newPage({ theme = "light", width = 1280 } = {}) {
      const context = await browser.newContext({
        baseURL: APP_ORIGIN,
        ignoreHTTPSErrors: true,
        viewport: { width, height: 900 },
        colorScheme: theme,
        locale: "pt-BR",
        timezoneId: "America/Sao_Paulo",
      });
      await context.addInitScript(shiftClockSource(clockOffsetMs()));
      waitForStablePages(context, { javaScript: true });
      const page = await context.newPage();
      page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
      return page;
    },
    async stop() {
      await browser.close();
      await edge.stop();
      await coreto.stop();
      await backend.stop();
    },
  };
}

async function dispatched(
  miniflare: RunningProduct["miniflare"],
  request: Request,
): Promise<Response> {
  const body =
    request.method === "GET" || request.method === "HEAD" ? undefined : await request.arrayBuffer();
  const answer = await miniflare.dispatchFetch(request.url, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(body ? { body } : {}),
    redirect: "manual",
  });
  const headers = new Headers();
  for (const [name, value] of answer.headers) if (name !== "set-cookie") headers.set(name, value);
  for (const cookie of answer.headers.getSetCookie()) headers.append("Set-Cookie", cookie);
  const isEmpty = [101, 204, 205, 304].includes(answer.status);
  return new Response(isEmpty ? null : await answer.arrayBuffer(), {
    status: answer.status,
    headers,
  });
}

/** No page of the test tried what its content security policy refuses. */
export function expectNothingRefused({ complaints }: ClerkProduct): void {
  expect(complaints.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
}

export const identifier = (page: Page) => page.locator("input[name=identifier]");
export const password = (page: Page) => page.locator("input[name=password]");

/** Signs in by keyboard alone. Requests the path `to` and ends on `landing`. */
export async function signIn(
  page: Page,
  person: { email: string; password: string },
  landing = "/explore",
  to = landing,
): Promise<void> {
  await page.goto(`/auth/login?to=${encodeURIComponent(to)}`);
  await identifier(page).fill(person.email);
  await page.keyboard.press("Enter");
  await password(page).fill(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname + url.search === landing);
}
