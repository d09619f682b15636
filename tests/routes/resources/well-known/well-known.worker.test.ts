import { createExecutionContext } from "cloudflare:test";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { cloudflareContext } from "#app/http/contexts.ts";
import * as changePassword from "#app/routes/resources/well-known/change-password.ts";
import * as humans from "#app/routes/resources/well-known/humans-txt.ts";
import * as security from "#app/routes/resources/well-known/security-txt.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testClock } from "#tests/support/clock.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const routes = [
  { path: "humans.txt", module: humans },
  { path: ".well-known/security.txt", module: security },
  { path: ".well-known/change-password", module: changePassword },
];
const ask = createRouteCaller(routes);
const get = async (path: string) => await ask(new Request(TEST_ORIGIN + path));

test("security.txt names the configured contact, and expires within a year from now", async () => {
  const answer = await get("/.well-known/security.txt");
  const text = await answer.text();
  expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(text).toMatch(/^Contact: mailto:\S+@\S+$/m);
  expect(text).toContain(`Canonical: ${TEST_ORIGIN}/.well-known/security.txt`);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
  expect(expires).toBeGreaterThan(testClock.now() + 90 * DAY_MS);
  expect(expires).toBeLessThan(testClock.now() + 365 * DAY_MS);
});

test("humans.txt says who makes the product", async () => {
  const answer = await get("/humans.txt");
  expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(await answer.text()).toMatch(/Company: \S/);
});

test("change-password leads to the page that changes it, with either identity", async () => {
  const local = await get("/.well-known/change-password");
  expect([local.status, local.headers.get("Location")]).toEqual([302, "/auth/account/password"]);
  const context = new RouterContextProvider();
  context.set(cloudflareContext, {
    env: { ...testEnv, CLERK_PUBLISHABLE_KEY: "pk_test_Y2xlcmsuY29yZXRvLnRlc3Qk" },
    ctx: createExecutionContext(),
  });
  const url = new URL("/.well-known/change-password", TEST_ORIGIN);
  const clerk = changePassword.loader({
    request: new Request(url),
    url,
    params: {},
    pattern: url.pathname,
    context,
  });
  expect(clerk.headers.get("Location")).toBe("/auth/account");
});
