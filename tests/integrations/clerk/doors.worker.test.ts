import { beforeEach, describe, expect, test } from "vitest";
import type { Member } from "#app/domain/identity/schema.ts";
import { refusedContext, viewerContext } from "#app/http/contexts.ts";
import * as apiToken from "#app/routes/api/auth-token.ts";
import * as login from "#app/routes/auth/login.tsx";
import * as logout from "#app/routes/auth/logout.tsx";
import * as register from "#app/routes/auth/register.tsx";
import { cookiesOf, door, formRequest, jsonRequest, newcomer, ORIGIN } from "#tests/support/door.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { clerkUser, fakeClerk, seconds } from "./clerk.ts";
import type { LoaderFunctionArgs } from "react-router";

const clerk = await fakeClerk();
const counted = countedDatabase(testEnv.DB);
const DB = Object.assign(counted.database, { withSession: () => Object.assign(counted.database, { getBookmark: () => null }) });
const whoami = {
  loader: ({ context }: LoaderFunctionArgs) => Response.json({ viewer: context.get(viewerContext), refused: context.get(refusedContext) }),
};
const doorways = [
  { path: "who", module: whoami },
  { path: "terms", module: whoami },
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "auth/logout", module: logout },
  { path: "api/v1/auth/token", module: apiToken },
];
const ask = door(doorways, { ...clerk.env, DB });
const askLocal = door(doorways);

type Seen = { viewer: Member | null; refused: string | null };
const seen = async (cookie: string): Promise<Seen> => (await ask(new Request(`${ORIGIN}/who`, { headers: { Cookie: cookie } }))).json();

beforeEach(() => {
  clerk.isDown = false;
  clerk.calls.length = 0;
});

describe("what a request costs", () => {
  test("of a member: one query, and nothing of Clerk's", async () => {
    const cookie = await clerk.cookie(clerk.addUser(newcomer()));
    await seen(cookie);
    clerk.calls.length = 0;
    counted.reset();
    expect((await seen(cookie)).viewer).not.toBeNull();
    expect(counted.count()).toBe(1);
    expect(clerk.calls).toEqual([]);
  });

  test("of a visitor, or on a page for everyone: nothing", async () => {
    counted.reset();
    await seen("theme=dark");
    await ask(new Request(`${ORIGIN}/terms`, { headers: { Cookie: await clerk.cookie(clerk.addUser(newcomer())) } }));
    expect(counted.count()).toBe(0);
    expect(clerk.calls).toEqual([]);
  });

  test("at first sight: one question to Clerk", async () => {
    const id = clerk.addUser(newcomer());
    await seen(await clerk.cookie(id));
    expect(clerk.calls).toEqual([`GET /v1/users/${id}`]);
  });
});

describe("Clerk down", () => {
  test("leaves its members signed in, and pages for everyone as they are", async () => {
    const cookie = await clerk.cookie(clerk.addUser(newcomer()));
    await seen(cookie);
    clerk.isDown = true;
    expect((await seen(cookie)).viewer).not.toBeNull();
    expect((await ask(new Request(`${ORIGIN}/terms`))).status).toBe(200);
  });

  test("asks somebody never seen before to wait, and makes nobody", async () => {
    const cookie = await clerk.cookie(clerk.addUser(newcomer()));
    clerk.isDown = true;
    expect(await seen(cookie)).toEqual({ viewer: null, refused: expect.stringContaining("Tente de novo em alguns instantes") });
    clerk.isDown = false;
    expect((await seen(cookie)).viewer).not.toBeNull();
  });

  test("cannot end a session: Sair says so, and the cookie stays", async () => {
    const cookie = await clerk.cookie(clerk.addUser(newcomer()));
    await seen(cookie);
    clerk.isDown = true;
    const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
    expect(answer.status).toBe(503);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

test("Sair ends the session at Clerk, by its id", async () => {
  const id = clerk.addUser(newcomer());
  const cookie = await clerk.cookie(id);
  await seen(cookie);
  clerk.calls.length = 0;
  const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
  expect(clerk.calls).toEqual([`POST /v1/sessions/sess_${id}/revoke`]);
  const cleared = answer.headers.getSetCookie().filter((set) => set.includes("Max-Age=0"));
  expect(new Set(cleared.map((set) => set.split("=")[0]))).toEqual(new Set(["__session", "__client_uat"]));
});

test("a page asked for with a session's token that is over goes through Clerk, and nothing else does", async () => {
  const old = await clerk.cookie(clerk.addUser(newcomer()), { iat: seconds(-180), nbf: seconds(-190), exp: seconds(-60) });
  const asked = (headers: Record<string, string>) => ask(new Request(`${ORIGIN}/who`, { headers: { Cookie: old, Origin: ORIGIN, ...headers } }));
  const page = await asked({ Accept: "text/html", "Sec-Fetch-Dest": "document" });
  expect(page.status).toBe(307);
  expect(page.headers.get("Location")).toContain("https://clerk.coreto.test/v1/client/handshake?");
  expect(page.headers.get("Cache-Control")).toBe("no-store");
  const data = await asked({ Accept: "*/*", "Sec-Fetch-Dest": "empty" });
  expect(await data.json()).toEqual({ viewer: null, refused: null });
});

describe("a user of Clerk's", () => {
  test("who was deleted there comes in no more", async () => {
    expect(await seen(await clerk.cookie("user_nobody"))).toEqual({ viewer: null, refused: "Esta conta não existe mais." });
  });

  test.each<[string, object, string]>([
    ["without an e-mail", { email_addresses: [], primary_email_address_id: null }, "não tem e-mail"],
    ["banned there", { banned: true }, "está suspensa"],
  ])("%s is told why", async (_, changes, sentence) => {
    const person = newcomer();
    clerk.users.set("user_odd", clerkUser("user_odd", person, changes));
    expect(await seen(await clerk.cookie("user_odd"))).toEqual({ viewer: null, refused: expect.stringContaining(sentence) });
  });

  test.each<[string, object, RegExp]>([
    ["a reserved word", { username: "admin" }, /^pessoa-/],
    ["what only looks like one", { username: "c0ret0" }, /^pessoa-/],
    ["accents and spaces", { username: "João da Silva" }, /^joaodasilva$/],
    ["letters of another alphabet", { username: "аdmіn" }, /^pessoa-/],
    ["too few letters", { username: "ab" }, /^pessoa-/],
    ["no username", { username: null }, /^[a-z0-9._-]{3,}$/],
  ])("with %s for a username gets one that this product takes", async (what, changes, expected) => {
    const id = `user_${what.length}${Date.now()}`;
    clerk.users.set(id, clerkUser(id, newcomer(), changes));
    expect((await seen(await clerk.cookie(id))).viewer?.username).toMatch(expected);
  });

  test("without a name is called by their username", async () => {
    const id = `user_unnamed${Date.now()}`;
    const person = newcomer();
    clerk.users.set(id, clerkUser(id, person, { first_name: null, last_name: null }));
    expect((await seen(await clerk.cookie(id))).viewer?.name).toBe(person.username);
  });
});

describe("one provider at a time", () => {
  test("a session of the embedded identity is nobody's where Clerk is configured, and Clerk's is nobody's where it is not", async () => {
    const local = cookiesOf(await askLocal(formRequest("/auth/register", newcomer())));
    expect(await seen(local)).toEqual({ viewer: null, refused: null });
    const cookie = await clerk.cookie(clerk.addUser(newcomer()));
    const answer = await askLocal(new Request(`${ORIGIN}/who`, { headers: { Cookie: cookie } }));
    expect(await answer.json()).toEqual({ viewer: null, refused: null });
  });

  test("passwords are never taken where Clerk is configured", async () => {
    const { email, password, ...rest } = newcomer();
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
