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

test.each([
  ["/pictures/post/abc/1?cb=random", "/pictures/post/abc/1"],
  ["/space/ana/public?cb=1&cursor=1_a&cursor=2_b", "/space/ana/public?cursor=1_a"],
  [
    "/space/ana/public/collections/abc?collection=1&cursor=1_a",
    "/space/ana/public/collections/abc?cursor=1_a",
  ],
  ["/space/ana/public/collections?collection=1&cursor=1_a", "/space/ana/public/collections"],
  [
    "/space/ana/public/abc?conversation=c2&cursor=1_a&collection=c1&utm_source=x",
    "/space/ana/public/abc?collection=c1&conversation=c2&cursor=1_a",
  ],
  ["/space/ana/rss.xml?cursor=1_a", "/space/ana/rss.xml"],
  ["/terms?a", "/terms"],
  ["/sitemap.xml?a=b", "/sitemap.xml"],
])("%s is the page %s: what a page does not read makes no other of it", (asked, page) => {
  expect(anonymousRequest(new Request(`https://coreto.test${asked}`)).url).toBe(
    `https://coreto.test${page}`,
  );
});

test("a response to a page's script has the visitor's cookies, and is not cached", () => {
  const asked = new Request("https://coreto.test/space/ana/public.data");
  expect(withCacheControl(new Response("x"), asked).headers.get("Cache-Control")).toBe(
    "private, no-store",
  );
  expect(
    withCacheControl(new Response("x"), new Request(PAGE)).headers.get("Cache-Control"),
  ).toContain("s-maxage=60");
});

test("a post with its comments is no older than a minute, whoever stores it", () => {
  const rule = (path: string) =>
    withCacheControl(new Response("x"), new Request(`https://coreto.test${path}`)).headers.get(
      "Cache-Control",
    );
  expect(rule("/space/ana/public/abc")).toBe("public, max-age=0, s-maxage=60");
  expect(rule("/space/ana/public/collections")).toContain("stale-while-revalidate");
  expect(rule("/space/ana/public")).toContain("stale-while-revalidate");
});
