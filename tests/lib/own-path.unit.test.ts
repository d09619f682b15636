import { describe, expect, test } from "vitest";
import { loginPath, internalPath } from "#app/lib/own-path.ts";

describe("redirects stay on paths of this site", () => {
  test.each([
    ["/"],
    ["/post/1"],
    ["/checkout?plan=1&interval=monthly"],
    ["/space/ana/public#planos"],
    ["/explore?q=caf%C3%A9"],
    ["/a?to=//evil.test"],
    ["/%2F%2Fevil.test"],
  ])("%s is accepted", (path) => {
    expect(internalPath(path)).toBe(path);
  });

  test.each([
    [null],
    [undefined],
    [""],
    ["post/1"],
    ["//evil.test"],
    ["///evil.test"],
    ["/\\evil.test"],
    ["\\\\evil.test"],
    ["/\t/evil.test"],
    ["/\n/evil.test"],
    ["\t//evil.test"],
    [" //evil.test"],
    ["/ /evil.test"],
    ["/.//evil.test"],
    ["/a/..//evil.test"],
    ["/%2e//evil.test"],
    ["/a/%2E%2e//evil.test"],
    ["https://evil.test"],
    ["https:/evil.test"],
    ["http:evil.test"],
    ["javascript:alert(1)"],
    ["JaVaScRiPt:alert(1)"],
    ["data:text/html,oi"],
    ["/\u0000evil"],
    ["/\u00a0/evil"],
    ["/\u2028/evil"],
    ["/auth/login"],
    ["/auth/login?to=/auth/login"],
    ["/auth/logout"],
    ["/AUTH/LOGOUT"],
    [`/${"a".repeat(2_000)}`],
  ])("%j becomes the home page", (path) => {
    expect(internalPath(path)).toBe("/");
  });

  test("a refused path becomes the caller's default", () => {
    expect(internalPath("//evil.test", "/me")).toBe("/me");
  });

  test("every accepted path stays on our host when a browser resolves it", () => {
    for (const path of [
      "/.//evil.test",
      "//evil.test",
      "/\\evil.test",
      "/x/../..//evil.test",
      "/;//evil.test",
      "/@evil.test",
      "/a\\..\\\\evil.test",
    ]) {
      expect(new URL(internalPath(path), "https://coreto.test").host).toBe("coreto.test");
    }
  });
});

test("the sign-in page receives the requested path", () => {
  expect(loginPath("/checkout?plan=1&interval=monthly")).toBe(
    "/auth/login?to=%2Fcheckout%3Fplan%3D1%26interval%3Dmonthly",
  );
  expect(loginPath("/")).toBe("/auth/login");
  expect(loginPath("//evil.test")).toBe("/auth/login");
});
