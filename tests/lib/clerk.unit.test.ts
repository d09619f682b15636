import { expect, test } from "vitest";
import { hasClerkCredentials } from "#app/lib/clerk.ts";

test.each([
  ["a browser that Clerk knows as signed out", "__client_uat=0; __client_uat_abc=0", false],
  ["a cookie that was cleared", "__session=", false],
  ["no cookie of Clerk's", "theme=dark", false],
  ["a session", "__session=token", true],
  ["a session of one of several applications", "__client_uat_abc=1700000000", true],
  ["a handshake that is on its way", "__clerk_handshake=x", true],
])("%s (%s) may have a session: %s", (_, cookie, expected) => {
  const request = new Request("https://coreto.test/", { headers: { Cookie: cookie } });
  expect(hasClerkCredentials(request)).toBe(expected);
});
