import { beforeAll, expect, test } from "vitest";
import * as notFound from "#app/routes/public/not-found.tsx";
import * as spaceAddress from "#app/routes/public/space-address.tsx";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { memberCookies } from "#tests/support/registered.ts";

const ask = createRouteCaller([
  { path: ":address", module: spaceAddress },
  { path: "*", module: notFound },
]);
const get = async (path: string, cookie = "") =>
  await ask(new Request(TEST_ORIGIN + path, cookie ? { headers: { Cookie: cookie } } : {}));

/** Where a deployment hides them, these routes answer at the addresses of their pages. */
const UNCOMPLETED_PAGES = ["/messages", "/messages/1", "/settings/messages", "/events"];

let cookie: string;
beforeAll(async () => {
  cookie = await memberCookies(signUpFields());
});

test.each(["/naoexiste", "/nada/aqui", ...UNCOMPLETED_PAGES])(
  "%s keeps the navigation of who is signed in, and shows a visitor none",
  async (path) => {
    const [mine, visited] = [await get(path, cookie), await get(path)];
    expect([mine.status, visited.status]).toEqual([404, 404]);
    expect(await mine.json()).toMatchObject({
      shell: { member: { username: expect.any(String) }, acting: { spaceId: null } },
    });
    expect(await visited.json()).toEqual({ shell: null });
  },
);
