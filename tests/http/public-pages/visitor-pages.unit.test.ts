import { describe, expect, test } from "vitest";
import {
  asVisitorResponse,
  hasTypedQuery,
  visitorPageAddress,
  visitorPagePath,
  visitorRequest,
} from "#app/http/public-pages/visitor-pages.ts";

describe("an address that members and visitors share", () => {
  test.each([
    ["/", "/public"],
    ["/explore", "/explore/public"],
    ["/Explore/", "/explore/public"],
    ["/me", null],
    ["/explore/public", null],
    ["/explore/imagens", "/explore/public/imagens"],
    ["/explore/Pessoas/", "/explore/public/pessoas"],
    ["/explore/imagens.data", null],
    ["/explore/imagens/1", null],
    ["/public", null],
    ["//", null],
  ])("%s has the visitor's page %s", (address, path) => {
    expect(visitorPagePath(address)).toBe(path);
  });

  test.each([
    ["/public", "/"],
    ["/explore/public/", "/explore"],
    ["/explore/public.data", "/explore"],
    ["/explore/public/imagens", "/explore/imagens"],
    ["/space/ana/public", null],
    ["/", null],
  ])("%s is shown at %s", (path, address) => {
    expect(visitorPageAddress(path)).toBe(address);
  });
});

test("the page is asked for with the visitor's network and nothing else of the visitor", () => {
  const asked = visitorRequest(
    new Request("https://coreto.test/explore?q=samba", {
      headers: {
        Cookie: "__Host-coreto-session=a",
        "CF-Connecting-IP": "203.0.113.7",
        "User-Agent": "x",
      },
    }),
    "/explore/public",
  );
  expect(asked.url).toBe("https://coreto.test/explore/public?q=samba");
  expect([...asked.headers]).toEqual([["cf-connecting-ip", "203.0.113.7"]]);
});

test("what somebody typed makes an answer of its own, a chosen filter does not", () => {
  const isTyped = ([path, query]: readonly [string, string]) =>
    hasTypedQuery(path, new URLSearchParams(query));
  const typed = [
    ["/explore/public", "q=a"],
    ["/explore/public/imagens", "q=a"],
    ["/public", "assinantes=1"],
    ["/public", "assinantes=&preco="],
  ] as const;
  expect(typed.map(isTyped)).toEqual([true, true, true, true]);
  const chosen = [
    ["/public", ""],
    ["/public", "q=a"],
    ["/explore/public", "q=%20"],
    ["/explore/public", "preco=1&category=music"],
    ["/explore/public", "utm_source=x"],
  ] as const;
  expect(chosen.map(isTyped)).toEqual([false, false, false, false, false]);
});

test("a browser asks again for the page each time, because a member's is at the same address", () => {
  const cached = new Response("x", {
    headers: { "Cache-Control": "public, max-age=0, s-maxage=60, stale-while-revalidate=600" },
  });
  const { headers } = asVisitorResponse(cached, ["a=1", "b=2"]);
  expect([headers.get("Cache-Control"), headers.get("Vary"), headers.getSetCookie()]).toEqual([
    "private, no-cache",
    "Cookie",
    ["a=1", "b=2"],
  ]);
});
