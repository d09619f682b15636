import { afterEach, expect, test, vi } from "vitest";
import { edgePageCache } from "#app/integrations/edge-cache/page-cache.server.ts";
import { edgeCache, PURGED_AT_HEADER, purgeMarkUrl } from "#app/lib/edge-cache.ts";

const ORIGIN = "https://coreto.test";
const ZONE = { zoneId: "zone", apiToken: "token", apiUrl: "https://api.example.test/v4" };

afterEach(() => vi.unstubAllGlobals());

const pageCache = (zone: typeof ZONE | null) =>
  edgePageCache({ origin: ORIGIN, realNow: () => 5_000, zone });

test("a purge marks each tag in the cache of this data center, a little ahead of the clock", async () => {
  await pageCache(null).purge(["space:ana", "explore"]);
  for (const tag of ["space:ana", "explore"]) {
    const mark = await edgeCache().match(purgeMarkUrl(ORIGIN, tag));
    expect(mark?.headers.get(PURGED_AT_HEADER)).toBe("5200");
  }
});

test("with a zone it also purges the tags in every other data center, or throws", async () => {
  const asked: { url: string; authorization: string | null; body: unknown }[] = [];
  let status = 200;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const authorization = new Headers(init.headers).get("Authorization");
    asked.push({ url, authorization, body: JSON.parse(String(init.body)) });
    return Response.json({ success: status === 200 }, { status });
  });
  await pageCache(ZONE).purge(["space:ana"]);
  expect(asked).toEqual([
    {
      url: "https://api.example.test/v4/zones/zone/purge_cache",
      authorization: "Bearer token",
      body: { tags: ["space:ana"] },
    },
  ]);
  status = 429;
  await expect(pageCache(ZONE).purge(["space:ana"])).rejects.toThrow("429");
});
