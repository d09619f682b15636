import { describe, expect, test } from "vitest";
import { isOriginAllowed } from "#app/http/origin.ts";

const OURS = "https://coreto.test";

function asked(method: string, pathname: string, headers: Record<string, string>): boolean {
  return isOriginAllowed({
    method,
    pathname,
    requestOrigin: OURS,
    headers: new Headers(headers),
    appOrigin: OURS,
  });
}

describe("origin check of a request", () => {
  test.each([
    ["our own page posts", "POST", "/post/create", { Origin: OURS }, true],
    ["another site posts", "POST", "/post/create", { Origin: "https://evil.test" }, false],
    ["a sandboxed frame posts", "POST", "/post/create", { Origin: "null" }, false],
    ["a request without an Origin", "POST", "/post/create", {}, false],
    [
      "another port of our host",
      "POST",
      "/post/create",
      { Origin: "https://coreto.test:8443" },
      false,
    ],
    ["our host without TLS", "POST", "/post/create", { Origin: "http://coreto.test" }, false],
    [
      "a host that starts like ours",
      "POST",
      "/post/create",
      { Origin: "https://coreto.test.evil.test" },
      false,
    ],
    [
      "the device's share sheet",
      "POST",
      "/post/shared",
      { Origin: "null", "Sec-Fetch-Site": "none" },
      true,
    ],
    ["a share without an Origin", "POST", "/post/shared", { "Sec-Fetch-Site": "none" }, true],
    ["a share that says nothing of its sender", "POST", "/post/shared", { Origin: "null" }, false],
    [
      "another site shares",
      "POST",
      "/post/shared",
      { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" },
      false,
    ],
    [
      "another site says that it is the share sheet",
      "POST",
      "/post/shared",
      { Origin: "https://evil.test", "Sec-Fetch-Site": "none" },
      false,
    ],
    [
      "the share sheet at another address",
      "POST",
      "/post/create",
      { Origin: "null", "Sec-Fetch-Site": "none" },
      false,
    ],
    ["a resource route", "POST", "/resources/theme", { Origin: "https://evil.test" }, false],
    ["DELETE", "DELETE", "/post/1", { Origin: "https://evil.test" }, false],
    ["PUT without Origin", "PUT", "/post/1", {}, false],
    ["PATCH without Origin", "PATCH", "/post/1", {}, false],
    ["a made-up method", "FLY", "/post/1", {}, false],
    ["a read from another site", "GET", "/post/1", { Origin: "https://evil.test" }, true],
    ["a HEAD request", "HEAD", "/post/1", {}, true],
    ["a Bearer token on a page", "POST", "/post/create", { Authorization: "Bearer x" }, false],
    ["a mail program that stops emails", "POST", "/unsubscribe/p/sale/s", {}, true],
    ["the same with cookies", "POST", "/unsubscribe/p/sale/s", { Cookie: "a=b" }, false],
    ["another site there", "POST", "/unsubscribe/p/sale/s", { Origin: "https://evil.test" }, false],
    ["a program at the API", "POST", "/api/v1/auth/token", {}, true],
    [
      "a program with a token",
      "POST",
      "/api/v1/auth/register",
      { Authorization: "Bearer x" },
      true,
    ],
    [
      "a browser app of another site with a token",
      "POST",
      "/api/v1/auth/register",
      { Authorization: "Bearer x", Origin: "https://app.test" },
      true,
    ],
    [
      "another site at the API without a token",
      "POST",
      "/api/v1/auth/register",
      { Origin: "https://evil.test" },
      false,
    ],
    [
      "cookies at the API without our Origin",
      "POST",
      "/api/v1/auth/register",
      { Cookie: "a=b" },
      false,
    ],
    [
      "a token beside cookies",
      "POST",
      "/api/v1/auth/register",
      { Authorization: "Bearer x", Cookie: "a=b" },
      false,
    ],
    [
      "our own page at the API",
      "POST",
      "/api/v1/auth/register",
      { Cookie: "a=b", Origin: OURS },
      true,
    ],
    ["a path that only looks like the API", "POST", "/apiary", {}, false],
  ])("%s", (_what, method, pathname, headers, allowed) => {
    expect(asked(method, pathname, { ...headers } as Record<string, string>)).toBe(allowed);
  });
});
