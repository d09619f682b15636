import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import {
  cloudflareContext,
  domainContext,
  blockedSignInContext,
  incompleteMemberContext,
  viewerContext,
} from "#app/http/contexts.ts";
import * as apiToken from "#app/routes/api/auth-token.ts";
import * as login from "#app/routes/auth/login.tsx";
import * as logout from "#app/routes/auth/logout.tsx";
import * as register from "#app/routes/auth/register.tsx";
import { authUsers } from "#drizzle/schema/local-identity.ts";
import { people } from "#drizzle/schema/identity.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { memberCookies, insertMember } from "#tests/support/registered.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { clerkUser, fakeClerk, seconds } from "./clerk.ts";
import type { LoaderFunctionArgs } from "react-router";

const clerk = await fakeClerk();
const counted = countedDatabase(testEnv.DB);
const DB = Object.assign(counted.database, {
  withSession: () => Object.assign(counted.database, { getBookmark: () => null }),
});
const whoami = {
  loader: ({ context }: LoaderFunctionArgs) =>
    Response.json({
      viewer: context.get(viewerContext),
      unfinished: context.get(incompleteMemberContext),
      refused: context.get(blockedSignInContext),
    }),
};
const fresh = {
  async loader({ request, context }: LoaderFunctionArgs) {
    await requireReauthentication(
      { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request },
      "/auth/account/keys/create",
    );
    return Response.json({});
  },
};
const doorways = [
  { path: "who", module: whoami },
  { path: "fresh", module: fresh },
  { path: "terms", module: whoami },
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "auth/logout", module: logout },
  { path: "api/v1/auth/token", module: apiToken },
];
const ask = createRouteCaller(doorways, { ...clerk.env, DB });
const askLocal = createRouteCaller(doorways);

type Seen = { viewer: Member | null; unfinished: Member | null; refused: string | null };
const seen = async (cookie: string): Promise<Seen> =>
  (await ask(new Request(`${TEST_ORIGIN}/who`, { headers: { Cookie: cookie } }))).json();

/** Returns the cookies of a member that the product already knows. */
async function memberCookie(): Promise<string> {
  const person = signUpFields();
  const cookie = await clerk.cookie(clerk.addUser(person));
  await seen(cookie);
  await openDatabase(testEnv.DB)
    .update(people)
    .set({ registeredAt: 1 })
    .where(eq(people.email, person.email));
  return cookie;
}

beforeEach(() => {
  clerk.isDown = false;
  clerk.calls.length = 0;
});

describe("member imported to Clerk from the embedded identity", () => {
  async function moved() {
    const person = signUpFields();
    const { userId, personId } = await insertMember(person);
    const id = clerk.addUser(person);
    clerk.users.set(id, clerkUser(id, person, { external_id: personId }));
    return { person, userId, personId, id };
  }

  test("stays the same member at once, and earlier sessions of the embedded identity are rejected", async () => {
    const { person, userId, personId, id } = await moved();
    const both = await Promise.all([1, 2].map(async () => seen(await clerk.cookie(id))));
    for (const { viewer } of both)
      expect(viewer).toMatchObject({
        id: personId,
        username: person.username,
        email: person.email,
      });
    const db = openDatabase(testEnv.DB);
    expect(
      await db
        .select({ provider: people.provider, providerUserId: people.providerUserId })
        .from(people)
        .where(eq(people.id, personId)),
    ).toEqual([{ provider: "clerk", providerUserId: id }]);
    expect(await db.$count(authUsers, eq(authUsers.id, userId))).toBe(0);
  });

  test("is linked once: another Clerk user with the same external id gets no account", async () => {
    const { personId, id } = await moved();
    await seen(await clerk.cookie(id));
    const other = signUpFields();
    const thief = clerk.addUser(other);
    clerk.users.set(thief, clerkUser(thief, other, { external_id: personId }));
    const { viewer, unfinished } = await seen(await clerk.cookie(thief));
    expect(viewer).toBeNull();
    expect(unfinished?.id).not.toBe(personId);
  });
});

describe("cost of a request", () => {
  test("of a member: one query, and no call to Clerk", async () => {
    const cookie = await memberCookie();
    clerk.calls.length = 0;
    counted.reset();
    expect((await seen(cookie)).viewer).not.toBeNull();
    expect(counted.count()).toBe(1);
    expect(clerk.calls).toEqual([]);
  });

  test("of a visitor, or on a public page: no query and no call", async () => {
    counted.reset();
    await seen("theme=dark");
    await ask(
      new Request(`${TEST_ORIGIN}/terms`, {
        headers: { Cookie: await clerk.cookie(clerk.addUser(signUpFields())) },
      }),
    );
    expect(counted.count()).toBe(0);
    expect(clerk.calls).toEqual([]);
  });

  test("of a member seen for the first time: one call to Clerk", async () => {
    const id = clerk.addUser(signUpFields());
    await seen(await clerk.cookie(id));
    expect(clerk.calls).toEqual([`GET /v1/users/${id}`]);
  });
});

describe("Clerk unavailable", () => {
  test("leaves its members signed in, and public pages as they are", async () => {
    const cookie = await memberCookie();
    clerk.isDown = true;
    expect((await seen(cookie)).viewer).not.toBeNull();
    expect((await ask(new Request(`${TEST_ORIGIN}/terms`))).status).toBe(200);
  });

  test("asks a new member to wait, and creates no account", async () => {
    const cookie = await clerk.cookie(clerk.addUser(signUpFields()));
    clerk.isDown = true;
    expect(await seen(cookie)).toEqual({
      viewer: null,
      unfinished: null,
      refused: expect.stringContaining("Tente de novo em alguns instantes"),
    });
    clerk.isDown = false;
    expect((await seen(cookie)).unfinished).not.toBeNull();
  });

  test("cannot end a session: sign-out says so, and the cookie stays", async () => {
    const cookie = await clerk.cookie(clerk.addUser(signUpFields()));
    await seen(cookie);
    clerk.isDown = true;
    const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
    expect(answer.status).toBe(503);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

test("sign-out ends the session at Clerk, by its id", async () => {
  const id = clerk.addUser(signUpFields());
  const cookie = await clerk.cookie(id);
  await seen(cookie);
  clerk.calls.length = 0;
  const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
  expect(clerk.calls).toEqual([`POST /v1/sessions/sess_${id}/revoke`]);
  const cleared = answer.headers.getSetCookie().filter((set) => set.includes("Max-Age=0"));
  expect(new Set(cleared.map((set) => set.split("=")[0]))).toEqual(
    new Set(["__session", "__client_uat"]),
  );
});

test("sign-out ends the session of an expired token, and of no token with a foreign signature", async () => {
  const id = clerk.addUser(signUpFields());
  const over = { iat: seconds(-7200), nbf: seconds(-7210), exp: seconds(-7140) };
  const answer = await ask(
    formRequest(
      "/auth/logout",
      {},
      { Cookie: await clerk.cookie(id, over), "Sec-Fetch-Dest": "document" },
    ),
  );
  expect(answer.status).toBe(302);
  expect(clerk.calls).toEqual([`POST /v1/sessions/sess_${id}/revoke`]);
  clerk.calls.length = 0;
  const [header, claims] = (await clerk.cookie(id, over)).split(".");
  await ask(formRequest("/auth/logout", {}, { Cookie: `${header}.${claims}.c2lnbmVk` }));
  expect(clerk.calls).toEqual([]);
});

test("a form is never redirected to Clerk's host, and a handshake returns here whatever host a request names", async () => {
  const old = await clerk.cookie(clerk.addUser(signUpFields()), {
    iat: seconds(-180),
    nbf: seconds(-190),
    exp: seconds(-60),
  });
  const posted = await ask(
    formRequest(
      "/auth/login",
      { identifier: "x", password: "y" },
      { Cookie: old, "Sec-Fetch-Dest": "document" },
    ),
  );
  expect(posted.status).toBe(403);
  const headers = {
    Cookie: old,
    "Sec-Fetch-Dest": "document",
    "X-Forwarded-Host": "evil.test",
    "X-Forwarded-Proto": "http",
  };
  const location = new URL(
    (await ask(new Request(`${TEST_ORIGIN}/who?a=1`, { headers }))).headers.get("Location") ?? "",
  );
  expect(location.searchParams.get("redirect_url")).toBe(`${TEST_ORIGIN}/who?a=1`);
});

test("only a page requested with an expired session token is redirected through Clerk", async () => {
  const old = await clerk.cookie(clerk.addUser(signUpFields()), {
    iat: seconds(-180),
    nbf: seconds(-190),
    exp: seconds(-60),
  });
  const asked = (headers: Record<string, string>) =>
    ask(
      new Request(`${TEST_ORIGIN}/who`, {
        headers: { Cookie: old, Origin: TEST_ORIGIN, ...headers },
      }),
    );
  const page = await asked({ Accept: "text/html", "Sec-Fetch-Dest": "document" });
  expect(page.status).toBe(307);
  expect(page.headers.get("Location")).toContain("https://clerk.coreto.test/v1/client/handshake?");
  expect(page.headers.get("Cache-Control")).toBe("no-store");
  const data = await asked({ Accept: "*/*", "Sec-Fetch-Dest": "empty" });
  expect(await data.json()).toEqual({ viewer: null, unfinished: null, refused: null });
});

describe("Clerk user", () => {
  test("who was deleted there can no longer sign in", async () => {
    expect(await seen(await clerk.cookie("user_nobody"))).toEqual({
      viewer: null,
      unfinished: null,
      refused: "Esta conta não existe mais.",
    });
  });

  test.each<[string, object, string]>([
    [
      "without an e-mail",
      { email_addresses: [], primary_email_address_id: null },
      "não tem e-mail",
    ],
    ["banned there", { banned: true }, "está suspensa"],
  ])("%s is told why access is refused", async (_, changes, sentence) => {
    const person = signUpFields();
    clerk.users.set("user_odd", clerkUser("user_odd", person, changes));
    expect(await seen(await clerk.cookie("user_odd"))).toEqual({
      viewer: null,
      unfinished: null,
      refused: expect.stringContaining(sentence),
    });
  });

  test.each<[string, object, RegExp]>([
    ["a reserved word", { username: "admin" }, /^pessoa-/],
    ["a word that only looks reserved", { username: "c0ret0" }, /^pessoa-/],
    ["accents and spaces", { username: "João da Silva" }, /^joaodasilva$/],
    ["letters of another alphabet", { username: "аdmіn" }, /^pessoa-/],
    ["too few letters", { username: "ab" }, /^pessoa-/],
    ["no username", { username: null }, /^[a-z0-9._-]{3,}$/],
  ])(
    "with %s for a username gets one that this product accepts",
    async (what, changes, expected) => {
      const id = `user_${what.length}${testClock.now()}`;
      clerk.users.set(id, clerkUser(id, signUpFields(), changes));
      expect((await seen(await clerk.cookie(id))).unfinished?.username).toMatch(expected);
    },
  );

  test("without a name is called by their username", async () => {
    const id = `user_unnamed${testClock.now()}`;
    const person = signUpFields();
    clerk.users.set(id, clerkUser(id, person, { first_name: null, last_name: null }));
    expect((await seen(await clerk.cookie(id))).unfinished?.name).toBe(person.username);
  });
});

describe("recent authentication", () => {
  const askedFor = async (changes: object): Promise<string> => {
    const cookie = await clerk.cookie(clerk.addUser(signUpFields()), changes);
    const answer = await ask(new Request(`${TEST_ORIGIN}/fresh`, { headers: { Cookie: cookie } }));
    return `${answer.status} ${answer.headers.get("Location") ?? ""}`.trim();
  };
  const AGAIN = "302 /auth/again?to=%2Fauth%2Faccount%2Fkeys%2Fcreate";

  test.each<[string, object, string]>([
    ["of just now", { fva: [0, -1] }, "200"],
    ["of nine minutes ago", { fva: [9, -1] }, "200"],
    ["of ten minutes ago", { fva: [10, -1] }, AGAIN],
    ["that never happened", { fva: [-1, -1] }, AGAIN],
    ["that Clerk does not report", { fva: undefined }, AGAIN],
    ["in another shape", { fva: "0" }, AGAIN],
  ])("a sign-in %s decides whether the account may change", async (_, changes, expected) => {
    expect(await askedFor(changes)).toBe(expected);
  });

  test("starts by signing out, and returns to a path of this site only", async () => {
    const cookie = await clerk.cookie(clerk.addUser(signUpFields()));
    for (const [to, location] of [
      ["/auth/account/keys/create", "/auth/login?to=%2Fauth%2Faccount%2Fkeys%2Fcreate"],
      ["https://evil.test", "/auth/login"],
    ]) {
      const answer = await ask(
        formRequest(`/auth/logout?to=${encodeURIComponent(to ?? "")}`, {}, { Cookie: cookie }),
      );
      expect(answer.headers.get("Location")).toBe(location);
    }
  });
});

describe("one identity provider at a time", () => {
  test("a session of the embedded identity is rejected with Clerk configured, and Clerk's is rejected without it", async () => {
    const local = await memberCookies(signUpFields());
    expect(await seen(local)).toEqual({ viewer: null, unfinished: null, refused: null });
    const cookie = await clerk.cookie(clerk.addUser(signUpFields()));
    const answer = await askLocal(
      new Request(`${TEST_ORIGIN}/who`, { headers: { Cookie: cookie } }),
    );
    expect(await answer.json()).toEqual({ viewer: null, unfinished: null, refused: null });
  });

  test("passwords are never accepted where Clerk is configured", async () => {
    const { email, password, ...rest } = signUpFields();
    const answers = [
      await ask(formRequest("/auth/login", { identifier: email, password })),
      await ask(formRequest("/auth/register", { ...rest, email, password })),
      await ask(jsonRequest("/api/v1/auth/token", { identifier: email, password })),
    ];
    for (const answer of answers) {
      expect([403, 404]).toContain(answer.status);
      expect(answer.headers.getSetCookie().join()).not.toContain("session");
    }
  });
});
