import { expect, test } from "vitest";
import { anonymousRequest, withCacheControl } from "#app/http/headers/cache.ts";
import { withRobotsHeader } from "#app/http/headers/indexing.ts";
import { signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import { productSigner } from "#app/integrations/signer.server.ts";

const ORIGIN = "https://coreto.test";
const signer = productSigner("a secret of at least thirty-two letters");
const SPACE = "/space/ana/public";
const COLLECTION = "/space/ana/public/collections/abc";
const POST = "/space/ana/public/abc";
const [ofSpace, ofCollection, ofPost] = await Promise.all([
  signCursor(signer, SPACE, "1_a"),
  signCursor(signer, COLLECTION, "1_a"),
  signCursor(signer, POST, "1_a"),
]);
const PAGE = `${ORIGIN}${SPACE}?cursor=${ofSpace}`;

test("a public page is built from its URL alone: no header of a visitor reaches the shared response", async () => {
  const headers = {
    Cookie: "__Host-coreto-session=a",
    Authorization: "Bearer a",
    "X-React-Router-SPA-Mode": "yes",
    "X-Forwarded-Host": "evil.test",
    Range: "bytes=0-1",
  };
  const asked = await anonymousRequest(new Request(PAGE, { headers }), () => signer);
  expect([...asked.headers]).toEqual([]);
  expect({ url: asked.url, method: asked.method }).toEqual({ url: PAGE, method: "GET" });
  const head = await anonymousRequest(new Request(PAGE, { method: "HEAD", headers }), () => signer);
  expect(head.method).toBe("HEAD");
});

test.each([
  ["/pictures/post/abc/1?cb=random", "/pictures/post/abc/1"],
  [`${SPACE}?cb=1&cursor=${ofSpace}&cursor=2_b`, `${SPACE}?cursor=${ofSpace}`],
  [`${COLLECTION}?collection=1&cursor=${ofCollection}`, `${COLLECTION}?cursor=${ofCollection}`],
  [`${SPACE}?l=insta&utm_source=x`, `${SPACE}?l=insta`],
  [`${SPACE}?l=ana%40mail.com`, SPACE],
  [`${POST}?l=insta&x=1`, `${POST}?l=insta`],
  [`${POST}?l=ana%40mail.com`, POST],
  [`${COLLECTION}?l=insta`, `${COLLECTION}?l=insta`],
  ["/explore/public?l=insta", "/explore/public"],
  ["/explore/public/imagens?category=music&q=samba", "/explore/public/imagens?category=music"],
  ["/space/ana/public/collections?collection=1&cursor=1_a", "/space/ana/public/collections"],
  [
    `${POST}?conversation=c2&cursor=${ofPost}&collection=c1&utm_source=x`,
    `${POST}?collection=c1&conversation=c2&cursor=${ofPost}`,
  ],
  ["/space/%61n%61/public/%41b%2Dc%2F%C3%A1", "/space/ana/public/Ab-c%2F%C3%A1"],
  ["/space/ana/rss.xml?cursor=1_a", "/space/ana/rss.xml"],
  ["/space/ana/public/feeds?collection=1&conversation=2", "/space/ana/public/feeds"],
  ["/terms?a", "/terms"],
  ["/public?assinantes=3&utm_source=x", "/public"],
  [
    "/explore/public?show=people&category=music&kind=x&sort=rising&cursor=1_a&q=samba",
    "/explore/public?category=music&show=people",
  ],
  ["/sitemap.xml?a=b", "/sitemap.xml"],
])("%s is the page %s: what a page does not read makes no other of it", async (asked, page) => {
  expect((await anonymousRequest(new Request(ORIGIN + asked), () => signer)).url).toBe(
    ORIGIN + page,
  );
});

test.each([
  ["random text", `${SPACE}?cursor=random`],
  ["a cursor without a signature", `${SPACE}?cursor=1_a`],
  ["another cursor under a genuine signature", `${SPACE}?cursor=${ofSpace.replace("1_a", "2_a")}`],
  ["a changed signature", `${SPACE}?cursor=${ofSpace}x`],
  ["something after the signature", `${SPACE}?cursor=${ofSpace}.x`],
  ["a cursor of another page", `${SPACE}?cursor=${ofCollection}`],
  ["a cursor of another creator", `/space/bia/public?cursor=${ofSpace}`],
])("%s is the first page: a made-up cursor makes no page of its own", async (_, asked) => {
  const { url } = await anonymousRequest(new Request(ORIGIN + asked), () => signer);
  expect(url).toBe(ORIGIN + asked.split("?")[0]);
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

test("an event's page is cached for a minute and found by search engines; its calendar file is not", () => {
  const answerTo = (path: string) => {
    const asked = new Request(`https://coreto.test${path}`);
    return withRobotsHeader(withCacheControl(new Response("x"), asked), path).headers;
  };
  const page = answerTo("/space/ana/public/events/abc");
  expect(page.get("Cache-Control")).toBe("public, max-age=0, s-maxage=60");
  expect(page.has("X-Robots-Tag")).toBe(false);
  expect(answerTo("/space/ana/public/events/abc/agenda.ics").get("Cache-Control")).toBe(
    "private, no-store",
  );
  expect(answerTo("/events/abc").get("X-Robots-Tag")).toBe("noindex");
});
