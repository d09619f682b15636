import { beforeAll, describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { sharedServer } from "#tests/support/server.ts";
import { screenshot } from "#tests/support/steps.ts";

let origin = "";

beforeAll(() => {
  ({ origin } = sharedServer());
});

const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]+)"`).exec(html)?.[1] ?? "";
const htmlOf = async (path: string) => await (await fetch(origin + path)).text();

/** Returns the width and height of a PNG, from its first chunk. */
function pngSize(bytes: ArrayBuffer): [number, number] {
  const view = new DataView(bytes);
  expect(view.getUint32(0)).toBe(0x89504e47);
  return [view.getUint32(16), view.getUint32(20)];
}

describe("preview image of a shared link", () => {
  test("is drawn by the product for a page, a collection, and open and locked posts", async () => {
    const html = await htmlOf("/space/ana/public");
    const posts = [
      ...new Set(
        [...html.matchAll(/href="(\/space\/ana\/public\/[0-9a-z-]+)"/g)].map(
          ([, path = ""]) => path,
        ),
      ),
    ];
    const collection =
      /href="(\/space\/ana\/public\/collections\/[0-9a-z-]+)"/.exec(html)?.[1] ?? "";
    expect(posts.length).toBeGreaterThan(2);
    for (const path of ["/space/ana/public", collection, ...posts.slice(0, 3)]) {
      const picture = metaOf(await htmlOf(path), "og:image");
      const answer = await fetch(picture);
      expect([answer.status, answer.headers.get("Content-Type")], picture).toEqual([
        200,
        "image/png",
      ]);
      expect(answer.headers.get("Cache-Control")).toContain("public");
      const bytes = await answer.arrayBuffer();
      expect(pngSize(bytes)).toEqual([1_200, 630]);
      expect(bytes.byteLength).toBeGreaterThan(10_000);
      expect(new Uint8Array(await (await fetch(picture)).arrayBuffer())).toEqual(
        new Uint8Array(bytes),
      );
    }
  });

  test("is square for podcast players", async () => {
    const rss = await htmlOf("/space/ana/rss.xml");
    const cover = /<itunes:image href="([^"]+)"/.exec(rss)?.[1] ?? "";
    const answer = await fetch(cover);
    expect(answer.status).toBe(200);
    expect(pngSize(await answer.arrayBuffer())).toEqual([1_400, 1_400]);
  });
});

describe("edge-cached feeds", () => {
  test.each([
    "/space/ana/rss.xml",
    "/space/ana/atom.xml",
    "/space/ana/feed.json",
    "/sitemap.xml",
    "/sitemaps/creators-1.xml",
    "/sitemaps/posts-2.xml",
  ])("%s is not sent again to a client that has it", async (path) => {
    const first = await fetch(origin + path);
    const etag = first.headers.get("ETag") ?? "";
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"/)]);
    const again = await fetch(origin + path, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
  });

  test("crawlers find the sitemap, and are asked not to index member pages", async () => {
    expect(await htmlOf("/robots.txt")).toContain(`Sitemap: ${origin}/sitemap.xml`);
    const robotsOf = async (path: string) =>
      (await fetch(origin + path, { redirect: "manual" })).headers.get("X-Robots-Tag");
    expect(await Promise.all(["/me", "/space/ana", "/auth/reset"].map(robotsOf))).toEqual([
      "noindex",
      "noindex",
      "noindex",
    ]);
    const open = ["/", "/explore", "/space/ana/public", "/terms", "/auth/login"];
    expect(await Promise.all(open.map(robotsOf))).toEqual(open.map(() => null));
    for (const path of ["/terms", "/terms/privacy", "/terms/cookies", "/terms/creators"])
      expect(await htmlOf(`${path}?de=mail`)).toContain(
        `<link rel="canonical" href="${origin}${path}"/>`,
      );
  });
});

/** Creates a feed on its screen, reads it and turns it off. Returns its HTTP status after that. */
async function madeAndEnded(javaScript: boolean): Promise<number> {
  const page = await newPage({ javaScript, width: 390, height: 844 });
  await signIn(page, { login: "bruno@coreto.test", to: "/space/cida" });
  await page.getByLabel(/^Mais opções sobre /).click();
  await page.getByRole("link", { name: "Feed particular" }).click();
  await page.getByRole("heading", { name: /^Feed particular de / }).waitFor();
  await page.getByRole("button", { name: /^Gerar/ }).press("Enter");
  await page.getByRole("heading", { name: "Copie o seu endereço agora" }).waitFor();
  const address = await page.getByLabel("Endereço do feed (RSS)").innerText();
  await screenshot(page, `feed-made-390${javaScript ? "" : "-sem-js"}`);
  const answer = await fetch(address.trim());
  expect([
    answer.status,
    answer.headers.get("Content-Type"),
    answer.headers.get("Cache-Control"),
  ]).toEqual([200, "application/rss+xml; charset=utf-8", "private, no-cache"]);
  expect(answer.headers.get("X-Robots-Tag")).toContain("noindex");
  await page.goto("/settings/feeds");
  await page.locator('a[href="/settings/feeds/cida"]').click();
  await page.getByRole("link", { name: "Desligar" }).click();
  await page.getByRole("heading", { name: "Desligar este feed?" }).waitFor();
  await page.getByRole("button", { name: "Desligar feed" }).press("Enter");
  await page.getByRole("heading", { name: "Feeds particulares", level: 1 }).waitFor();
  await page.locator('a[href="/settings/feeds/cida"]').getByText("Sem feed particular").waitFor();
  await page.context().close();
  return (await fetch(address.trim())).status;
}

test("a subscriber creates a private feed from the creator's page and turns it off", async () => {
  expect(await madeAndEnded(true)).toBe(404);
});

test("a subscriber creates a private feed without JavaScript and turns it off", async () => {
  expect(await madeAndEnded(false)).toBe(404);
});

test("the page tells feed readers where its feeds are", async () => {
  const page = await newPage();
  await page.goto("/space/ana/public");
  await expect
    .poll(() =>
      page.locator('link[rel="alternate"][type="application/rss+xml"]').getAttribute("href"),
    )
    .toBe("/space/ana/rss.xml");
  await page.getByRole("link", { name: "Seguir por RSS" }).waitFor();
});
