import { beforeAll, describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { sharedServer } from "#tests/support/server.ts";

let origin = "";
let sandboxOrigin = "";

beforeAll(() => {
  ({ origin, sandboxOrigin } = sharedServer());
});

describe("edge responses", () => {
  test("the health endpoint reports the version", async () => {
    const response = await fetch(`${origin}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ok",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  test("every response carries the security headers", async () => {
    for (const path of ["/terms", "/auth/login", "/healthz", "/naoexiste", "/api/v1/posts"]) {
      const { headers } = await fetch(origin + path);
      expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
      expect(headers.get("X-Frame-Options"), path).toBe("DENY");
      expect(headers.get("Referrer-Policy"), path).toBe("strict-origin-when-cross-origin");
    }
  });

  test("so do answers to programs, and files", async () => {
    for (const [method, path] of [
      ["GET", "/webhooks/sandbox"],
      ["POST", "/webhooks/sandbox"],
      ["GET", "/live/feed"],
      ["GET", "/favicon.svg"],
      ["GET", "/manifest.webmanifest"],
      ["GET", "/assets/x.js"],
    ]) {
      const { headers } = await fetch(`${origin}${path}`, method ? { method } : {});
      expect(
        [headers.get("X-Content-Type-Options"), headers.get("Strict-Transport-Security")],
        `${method} ${path}`,
      ).toEqual(["nosniff", "max-age=31536000; includeSubDomains"]);
    }
  });

  test("a public page is cached by the edge, has no nonce, no framework JavaScript, and sets no cookie", async () => {
    const asked = { headers: { Cookie: "coreto-theme=dark" } };
    await fetch(`${origin}/terms/privacy`, asked);
    const response = await fetch(`${origin}/terms/privacy`, asked);
    const page = await response.text();
    expect(response.headers.get("CF-Cache-Status")).toBe("HIT");
    expect(response.headers.get("Set-Cookie")).toBeNull();
    expect(response.headers.get("Content-Security-Policy")).not.toContain("nonce-");
    expect(page).not.toContain("/assets/entry.client");
    expect(page).toContain('class="light"');
  });

  test("a personal page is not cached, and its scripts have a new nonce each time", async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(`${origin}/auth/login`)).headers),
    );
    const [one, other] = policies.map(
      (headers) => /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1],
    );
    expect(one).toBeTruthy();
    expect(one).not.toBe(other);
    expect(policies[0]?.get("Cache-Control")).toContain("no-store");
  });

  test("a file with a hash in its name is cached for a year", async () => {
    const page = await (await fetch(`${origin}/auth/login`)).text();
    const script = /\/assets\/entry\.client-[\w-]+\.js/.exec(page)?.[0];
    const response = await fetch(`${origin}${script}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toContain("immutable");
  });

  test("a missing file is not cached", async () => {
    for (const path of ["/assets/x.js", "/assets/entry.client-00000000.js", "/assets/"]) {
      const { status, headers } = await fetch(origin + path);
      expect([path, status, headers.get("Cache-Control")]).toEqual([path, 404, "no-store"]);
    }
  });

  test.each(["https://evil.test", "https://", "not a url", "null", "[::1", "http://a b"])(
    "a form from the origin %j gets our own refusal, on a page and as its data",
    async (from) => {
      for (const path of ["/auth/login", "/auth/login.data", "/terms", "/resources/theme"]) {
        const response = await fetch(origin + path, {
          method: "POST",
          headers: { Origin: from },
          redirect: "manual",
        });
        expect([path, response.status, await response.text()]).toEqual([
          path,
          403,
          "Este pedido não veio do Coreto e foi recusado.",
        ]);
      }
    },
  );

  test("the sandbox provider answers on an origin of its own", async () => {
    expect(new URL(sandboxOrigin).hostname).not.toBe(new URL(origin).hostname);
    expect((await fetch(`${sandboxOrigin}/sandbox`)).status).toBeLessThan(500);
  });
});

test.each(["/terms", "/auth/login", "/auth/register", "/naoexiste"])(
  "%s loads in a browser without console errors",
  async (path) => {
    const page = await newPage();
    const complaints: string[] = [];
    page.on(
      "console",
      (message) =>
        message.type() === "error" &&
        !message.text().includes("status of 404") &&
        complaints.push(message.text()),
    );
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(path, { waitUntil: "networkidle" });
    expect(complaints).toEqual([]);
  },
);

test("toasts, a change of theme and the pages of a creator add no style that the policy refuses", async () => {
  const page = await newPage();
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  await signIn(page, { login: "ana@coreto.test" });
  for (const path of ["/", "/me", "/analytics", "/post/create", "/settings/profile"])
    await page.goto(path, { waitUntil: "networkidle" });
  await page.goto("/auth/login", { waitUntil: "networkidle" });
  const toast = page.locator("[data-sonner-toast]");
  await toast.waitFor();
  // Without its style sheet it would stand in the text.
  await expect
    .poll(() => toast.evaluate((element) => getComputedStyle(element).position))
    .toBe("absolute");
  await page.getByRole("button", { name: "Escuro" }).first().click();
  await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
  expect(refused).toEqual([]);
});
