import { expect, test } from "vitest";
import { anonymousRequest, withCacheControl } from "#app/http/headers/cache.ts";

const PAGE = "https://coreto.test/space/ana/public?cursor=1_a";

test("a public page is built from its URL alone: no header of a visitor reaches the shared response", () => {
  const headers = {
    Cookie: "__Host-coreto-session=a",
    Authorization: "Bearer a",
    "X-React-Router-SPA-Mode": "yes",
    "X-Forwarded-Host": "evil.test",
    Range: "bytes=0-1",
  };
  const asked = anonymousRequest(new Request(PAGE, { headers }));
  expect([...asked.headers]).toEqual([]);
  expect({ url: asked.url, method: asked.method }).toEqual({ url: PAGE, method: "GET" });
  expect(anonymousRequest(new Request(PAGE, { method: "HEAD", headers })).method).toBe("HEAD");
});

test("a data request of a public page is private and not cached, and the document is cached", () => {
  const asked = new Request("https://coreto.test/space/ana/public.data");
  expect(withCacheControl(new Response("x"), asked).headers.get("Cache-Control")).toBe(
    "private, no-store",
  );
  expect(
    withCacheControl(new Response("x"), new Request(PAGE)).headers.get("Cache-Control"),
  ).toContain("s-maxage=60");
});
