import { describe, expect, test } from "vitest";
import type { Env } from "#app/configuration/env.ts";
import { contentSecurityPolicy } from "#app/http/headers/security-headers.ts";
import { LIBRARY_STYLE_HASHES } from "#app/http/theme-script.ts";

const envWith = (variables: Partial<Env>): Env =>
  ({ SANDBOX_PUBLIC_URL: "http://127.0.0.1:5174", ...variables }) as Env;
const WITH_CLERK = envWith({ CLERK_PUBLISHABLE_KEY: `pk_live_${btoa("clerk.coreto.test$")}` });

/** The sources of each directive of a policy. */
const directives = (policy: string): Record<string, string[]> =>
  Object.fromEntries(
    policy
      .split("; ")
      .map((directive) => [directive.split(" ")[0] ?? "", directive.split(" ").slice(1)]),
  );

describe("the content security policy", () => {
  test("lets web analytics in only where it is configured, and only on pages for everyone", () => {
    const configured = envWith({ ANALYTICS_MEASUREMENT_ID: "G-1" });
    expect(contentSecurityPolicy(configured, null)).toContain("https://www.googletagmanager.com");
    expect(contentSecurityPolicy(configured, "n")).not.toContain("google");
    expect(contentSecurityPolicy(envWith({}), null)).not.toContain("google");
  });

  test("has nothing of Clerk without a valid Clerk key", () => {
    for (const CLERK_PUBLISHABLE_KEY of [
      undefined,
      "",
      "pk_live_",
      "pk_live_!!!",
      `pk_live_${btoa("clerk.test/ 'unsafe-eval'$")}`,
      `pk_live_${btoa("*$")}`,
    ]) {
      expect(
        contentSecurityPolicy(
          envWith(CLERK_PUBLISHABLE_KEY === undefined ? {} : { CLERK_PUBLISHABLE_KEY }),
          "n",
        ),
      ).not.toMatch(/clerk|unsafe-eval|cloudflare|\*/);
    }
  });

  test("adds exactly what Clerk needs where it is configured, and keeps the card field", () => {
    const policy = directives(contentSecurityPolicy(WITH_CLERK, "n"));
    const without = directives(contentSecurityPolicy(envWith({}), "n"));
    const added = Object.fromEntries(
      Object.entries(policy).map(([name, sources]) => [
        name,
        sources.filter((source) => !without[name]?.includes(source)),
      ]),
    );
    expect(
      Object.fromEntries(Object.entries(added).filter(([, sources]) => sources.length > 0)),
    ).toEqual({
      "script-src": ["https://clerk.coreto.test", "https://challenges.cloudflare.com"],
      "style-src-elem": ["'nonce-n'", expect.stringMatching(/^'sha256-/)],
      "connect-src": ["https://clerk.coreto.test"],
      "frame-src": ["https://challenges.cloudflare.com"],
      "img-src": ["https://img.clerk.com"],
      "worker-src": ["blob:"],
    });
    expect(contentSecurityPolicy(WITH_CLERK, "n")).not.toContain("unsafe");
    expect(policy["frame-src"]).toContain("http://127.0.0.1:5174");
    // The hosts where a provider asks a payer to confirm are not known in advance. No form of ours
    // posts to another site.
    expect(policy["form-action"]).toEqual(["'self'"]);
  });

  test("of styles is our files and two known ones, with no style attribute in our markup", () => {
    const policy = directives(contentSecurityPolicy(envWith({}), "n"));
    expect(policy["style-src"]).toEqual(["'self'"]);
    expect(policy["style-src-elem"]).toEqual(["'self'", ...LIBRARY_STYLE_HASHES]);
    expect(policy["style-src-attr"]).toBeUndefined();
    const forEveryone = directives(contentSecurityPolicy(WITH_CLERK, null));
    expect([forEveryone["style-src"], forEveryone["style-src-elem"]]).toEqual([
      ["'self'"],
      ["'self'"],
    ]);
  });

  test("is nobody else's on a page for everyone", () => {
    expect(contentSecurityPolicy(WITH_CLERK, null)).not.toMatch(/https?:/);
  });
});
