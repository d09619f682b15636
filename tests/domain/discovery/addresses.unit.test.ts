import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exploreUrl } from "#app/components/explore/filters.tsx";
import {
  EXPLORE_PATHS,
  explorePath,
  exploreSchema,
  postKinds,
  readExplore,
} from "#app/domain/discovery/schema.ts";
import { PRODUCT_PAGES } from "#app/domain/syndication/rules/sitemap.ts";
import { exploreMeta } from "#app/http/public-pages/product-meta.ts";
import { pageTag } from "#app/lib/edge-cache.ts";
import { isPublicPage } from "#app/http/headers/cache.ts";

const read = (address: string) => {
  const { pathname, searchParams } = new URL(address, "https://coreto.test");
  return readExplore(searchParams, pathname.split("/")[2]);
};

describe("the addresses of /explore", () => {
  test.each([
    ["/explore", { kind: null, show: "all" }, null],
    ["/explore/imagens?sort=new", { kind: "image", show: "all", sort: "new" }, null],
    ["/explore/textos?q=a&show=posts", { kind: "text", show: "posts", q: "a" }, null],
    ["/explore/pessoas?category=music", { kind: null, show: "people", category: "music" }, null],
    ["/explore?kind=audio&sort=new", { kind: "audio" }, "/explore/audios?sort=new"],
    ["/explore?kind=text&show=people&q=a", { show: "people" }, "/explore/pessoas?q=a"],
    ["/explore?kind=nonsense", { kind: null }, "/explore"],
    ["/explore/imagens?kind=video", { kind: "image" }, "/explore/imagens"],
  ])("%s", (address, asked, movedTo) => {
    expect(read(address)).toMatchObject({ asked, movedTo });
  });

  test("a page that does not exist is none", () => {
    expect(read("/explore/nada")).toBeNull();
    expect(read("/explore/toString")).toBeNull();
  });

  test("each filter has one address, which reads as the filter and is not redirected", () => {
    const filter = fc.record({
      q: fc.constantFrom("", "samba", "a&b=c"),
      category: fc.constantFrom(null, "music" as const),
      kind: fc.constantFrom(null, ...postKinds),
      sort: fc.constantFrom("rising" as const, "new" as const),
      show: fc.constantFrom("all" as const, "posts" as const, "people" as const),
    });
    fc.assert(
      fc.property(filter, (wanted) => {
        const asked = { ...exploreSchema.parse({}), ...wanted };
        const kind = asked.show === "people" ? null : asked.kind;
        expect(read(exploreUrl(asked))).toEqual({ asked: { ...asked, kind }, movedTo: null });
      }),
    );
  });

  test("each page has a title and a description of its own, and is in the sitemap", () => {
    const pages = EXPLORE_PATHS.map((path) => {
      const asked = read(path)?.asked ?? exploreSchema.parse({ q: "none" });
      expect(explorePath(asked)).toBe(path);
      expect([
        isPublicPage(`/explore/public${path.slice(8)}`),
        pageTag(`/explore/public${path.slice(8)}`),
      ]).toEqual([true, "explore"]);
      const meta = JSON.stringify(exploreMeta({ asked, origin: "https://coreto.test" }));
      expect(meta).toContain(`"canonical","href":"https://coreto.test${path}"`);
      expect(meta).not.toContain("noindex");
      return [
        /"title":"([^"]+)"/.exec(meta)?.[1],
        /"description","content":"([^"]+)"/.exec(meta)?.[1],
      ];
    });
    expect(new Set(pages.map(([title]) => title)).size).toBe(EXPLORE_PATHS.length);
    expect(new Set(pages.map(([, description]) => description)).size).toBe(EXPLORE_PATHS.length);
    expect(PRODUCT_PAGES.map(({ path }) => path)).toEqual(
      expect.arrayContaining([...EXPLORE_PATHS]),
    );
  });
});
