import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { viewerContext } from "#app/http/contexts.ts";
import * as login from "#app/routes/auth/login.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { authSessions } from "#drizzle/schema/local-identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { fakeClerk } from "#tests/integrations/clerk/clerk.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  createRouteCaller,
  formRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs } from "react-router";

const clerk = await fakeClerk();
const counted = countedDatabase(testEnv.DB);
const DB = Object.assign(counted.database, {
  withSession: () =>
    Object.assign(counted.database, { getBookmark: () => `after-${counted.count()}` }),
});
const whoami = {
  loader: ({ context }: LoaderFunctionArgs) => Response.json(context.get(viewerContext)),
  action: () => Response.json("written"),
};
const doorways = [
  { path: "who", module: whoami },
  { path: "terms", module: whoami },
  { path: "auth/login", module: login },
];
const routes = {
  local: createRouteCaller(doorways, { ...testEnv, DB }),
  clerk: createRouteCaller(doorways, { ...clerk.env, DB }),
};
const db = openDatabase(testEnv.DB);

/**
 * Returns a member's browser for one provider. It keeps cookies and counts the queries of each
 * page.
 */
function browserOf(provider: keyof typeof routes, first: string) {
  const cookies = new Map(
    first
      .split("; ")
      .map((pair): [string, string] => [
        pair.slice(0, pair.indexOf("=")),
        pair.slice(pair.indexOf("=") + 1),
      ]),
  );
  const asked = async (request: (cookie: string) => Request) => {
    counted.reset();
    const answer = await routes[provider](
      request([...cookies].map(([name, value]) => `${name}=${value}`).join("; ")),
    );
    const queries = counted.count();
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (/Max-Age=0/i.test(set)) cookies.delete(name);
      else cookies.set(name, pair.slice(name.length + 1));
    }
    return { answer, queries };
  };
  return {
    cookies,
    page: async (path = "/who") => {
      const { answer, queries } = await asked(
        (Cookie) => new Request(TEST_ORIGIN + path, { headers: { Cookie } }),
      );
      return { member: (await answer.json()) as Member | null, queries };
    },
    write: () => asked((Cookie) => formRequest("/who", {}, { Cookie })),
  };
}

async function localMember() {
  const person = signUpFields();
  const { userId, personId } = await insertMember(person);
  return { person, personId, userId, browser: browserOf("local", await sessionCookies(userId)) };
}

async function clerkMember() {
  const person = signUpFields();
  const browser = browserOf("clerk", await clerk.cookie(clerk.addUser(person)));
  await browser.page();
  const personId =
    (await db.select({ id: people.id }).from(people).where(eq(people.email, person.email)).get())
      ?.id ?? "";
  await db.update(people).set({ registeredAt: 1 }).where(eq(people.id, personId));
  clerk.calls.length = 0;
  return { person, personId, browser };
}

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: testClock.now() + seconds * 1_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ["local", localMember],
  ["clerk", clerkMember],
] as const)("%s provider: resolving the current member", (provider, memberOf) => {
  test("takes one query, none for 30 seconds afterwards, and no network call", async () => {
    const { person, browser } = await memberOf();
    if (provider === "local") browser.cookies.delete("__Host-coreto-session-data");
    const first = await browser.page();
    expect(first.member?.username).toBe(person.username);
    expect(first.queries).toBe(1);
    const second = await browser.page();
    expect(second).toEqual({ member: first.member, queries: 0 });
    expect(clerk.calls).toEqual([]);
  });

  test("repeats after 30 seconds, so that a suspension takes effect within a minute", async () => {
    const { personId, browser } = await memberOf();
    await browser.page();
    await db.update(people).set({ bannedAt: testClock.now() }).where(eq(people.id, personId));
    pass(31);
    expect((await browser.page()).member).toBeNull();
  });

  test("repeats after every write, even when an older answer sets its cookie late", async () => {
    const { personId, browser } = await memberOf();
    await browser.page();
    const late = browser.cookies.get("__Host-coreto-member") ?? "";
    expect(late).not.toBe("");
    await browser.write();
    expect(browser.cookies.has("__Host-coreto-member")).toBe(false);
    await db.update(profiles).set({ name: "Nome Novo" }).where(eq(profiles.personId, personId));
    browser.cookies.set("__Host-coreto-member", late);
    expect((await browser.page()).member?.name).toBe("Nome Novo");
  });

  test("ignores a forged cookie and another member's cookie", async () => {
    const [one, other] = [await memberOf(), await memberOf()];
    await one.browser.page();
    const own = one.browser.cookies.get("__Host-coreto-member") ?? "";
    other.browser.cookies.set("__Host-coreto-member", own);
    expect((await other.browser.page()).member?.username).toBe(other.person.username);
    const [text = "", hash = ""] = own.split(".");
    for (const forged of [
      `${text.slice(0, -2)}AA.${hash}`,
      `${text}.${hash.replace(/^./, (letter) => (letter === "0" ? "1" : "0"))}`,
      text,
      ".",
      "a.b",
      "",
    ]) {
      one.browser.cookies.set("__Host-coreto-member", forged);
      expect((await one.browser.page()).queries).toBeGreaterThan(0);
    }
  });

  test("is skipped on public pages, without query or cookie", async () => {
    const { browser } = await memberOf();
    expect(await browser.page("/terms")).toEqual({ member: null, queries: 0 });
    expect(browser.cookies.has("__Host-coreto-member")).toBe(false);
  });
});

test("a session ended elsewhere stops working within a minute, whatever the cookies cache", async () => {
  const { userId, browser } = await localMember();
  await browser.page();
  await db.delete(authSessions).where(eq(authSessions.userId, userId));
  pass(31);
  expect((await browser.page()).member).toBeNull();
});

test("a visitor takes no query, also with a member's cookie and no session", async () => {
  const { browser } = await localMember();
  await browser.page();
  const visitor = browserOf(
    "local",
    `__Host-coreto-member=${browser.cookies.get("__Host-coreto-member")}`,
  );
  expect(await visitor.page()).toEqual({ member: null, queries: 0 });
});
