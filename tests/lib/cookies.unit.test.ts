import { expect, test } from "vitest";
import { requestCookie, withCookies } from "#app/lib/cookies.ts";

const refreshed = new Headers([
  ["Set-Cookie", "session=refreshed; Path=/"],
  ["Set-Cookie", "bookmark=1; Path=/"],
]);

test("headers set by the middleware are added to the response", () => {
  const answer = withCookies(new Response("oi", { headers: { "X-Kept": "1" } }), refreshed);
  expect(answer.headers.getSetCookie()).toEqual([
    "session=refreshed; Path=/",
    "bookmark=1; Path=/",
  ]);
  expect(answer.headers.get("X-Kept")).toBe("1");
});

test("the cookie cleared by a sign-out is not replaced by a refreshed session", () => {
  const signedOut = new Response(null, {
    headers: { "Set-Cookie": "session=; Max-Age=0; Path=/" },
  });
  expect(withCookies(signedOut, refreshed).headers.getSetCookie()).toEqual([
    "session=; Max-Age=0; Path=/",
    "bookmark=1; Path=/",
  ]);
});

test("a publicly cacheable response has no cookie", () => {
  const shared = new Response("imagem", { headers: { "Cache-Control": "public, max-age=60" } });
  expect(withCookies(shared, refreshed).headers.getSetCookie()).toEqual([]);
});

test("a cookie is read by its exact name", () => {
  const request = new Request("https://coreto.test", { headers: { Cookie: "ab=1; a=2=3; xa=4" } });
  expect(requestCookie(request, "a")).toBe("2=3");
  expect(requestCookie(request, "b")).toBeNull();
});
