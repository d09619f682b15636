import { beforeEach, describe, expect, test } from "vitest";
import { viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as authToken from "#app/routes/api/auth-token.ts";
import * as isRegistered from "#app/routes/api/is-registered.ts";
import * as posts from "#app/routes/api/posts.ts";
import * as apiRegister from "#app/routes/api/register.ts";
import * as usersMe from "#app/routes/api/users-me.ts";
import * as code from "#app/routes/auth/code.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as registerProfile from "#app/routes/auth/register-profile.tsx";
import * as register from "#app/routes/auth/register.tsx";
import * as reset from "#app/routes/auth/reset.tsx";
import { fakeClerk, seconds } from "#tests/integrations/clerk/clerk.ts";
import {
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs, MiddlewareFunction } from "react-router";

const clerk = await fakeClerk();
const members = { middleware: [requireMember as MiddlewareFunction] };
const page = {
  loader: ({ context }: LoaderFunctionArgs) => Response.json(context.get(viewerContext)),
  action: () => Response.json("acted"),
};
const doorways = [
  { path: "me", module: page, ...members },
  { path: "post/create", module: page, ...members },
  { path: "terms", module: page },
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "auth/register/profile", module: registerProfile },
  { path: "auth/code", module: code },
  { path: "auth/reset", module: reset },
  { path: "api/v1/auth/token", module: authToken },
  { path: "api/v1/auth/is-registered", module: isRegistered },
  { path: "api/v1/auth/register", module: apiRegister },
  { path: "api/v1/users/me", module: usersMe },
  { path: "api/v1/posts", module: posts },
];

let isDown = false;

/**
 * A database whose `auth_` tables of the embedded identity provider fail while it is down. All
 * other tables answer.
 */
const failing = new Proxy(testEnv.DB, {
  get(target, name) {
    const value: unknown = Reflect.get(target, name);
    if (typeof value !== "function") return value;
    if (name !== "prepare") return value.bind(target) as unknown;
    return (query: string) => {
      if (isDown && query.includes("auth_")) throw new Error("D1_ERROR: Network connection lost.");
      return target.prepare(query);
    };
  },
});
const routes = {
  local: createRouteCaller(doorways, { ...testEnv, DB: failing }),
  clerk: createRouteCaller(doorways, clerk.env),
};
const SENTENCE = "Não conseguimos confirmar a sua conta agora. Tente de novo em alguns instantes.";

async function localCookie(): Promise<string> {
  const { userId } = await insertMember(signUpFields());
  const all = await sessionCookies(userId);
  return all
    .split("; ")
    .filter((pair) => pair.startsWith("__Host-coreto-session="))
    .join("; ");
}

/** A Clerk session of a member who has no row here yet, so that only Clerk can identify them. */
const clerkCookie = async () => clerk.cookie(clerk.addUser(signUpFields()));

beforeEach(() => {
  isDown = false;
  clerk.isDown = false;
});

function fail(): void {
  isDown = true;
  clerk.isDown = true;
}

describe.each([
  ["local", localCookie],
  ["clerk", clerkCookie],
] as const)("%s identity provider down", (provider, cookieOf) => {
  const ask = routes[provider];
  const get = (path: string, headers: Record<string, string>) =>
    ask(new Request(TEST_ORIGIN + path, { headers }));

  test("public pages still work", async () => {
    const Cookie = await cookieOf();
    fail();
    expect((await get("/terms", { Cookie })).status).toBe(200);
    expect((await get("/api/v1/posts", { Cookie })).status).toBe(200);
  });

  test("member pages answer 503 with a message and do not redirect to sign in", async () => {
    const Cookie = await cookieOf();
    fail();
    const answer = await get("/me?tab=1", { Cookie });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ message: SENTENCE, path: "/me?tab=1", typed: null });
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("a form returns the typed values without passwords, and its action does not run", async () => {
    const Cookie = await cookieOf();
    fail();
    const answer = await ask(
      formRequest("/post/create", { title: "Ensaio", content: "Duas horas de texto." }, { Cookie }),
    );
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      message: SENTENCE,
      path: "/post/create",
      typed: { values: { title: "Ensaio", content: "Duas horas de texto." }, isWhole: true },
    });
    const several = new Request(`${TEST_ORIGIN}/post/create`, {
      method: "POST",
      body: new URLSearchParams("planIds=1&planIds=2&title=Ensaio"),
      headers: { Origin: TEST_ORIGIN, Cookie },
    });
    expect(await (await ask(several)).json()).toMatchObject({
      typed: {
        values: { title: "Ensaio", planIds: "1\n2" },
        repeated: ["planIds"],
        isWhole: true,
      },
    });
    const secret = await ask(
      formRequest("/post/create", { title: "Ensaio", currentPassword: "segredo" }, { Cookie }),
    );
    expect(await secret.json()).toMatchObject({
      typed: { values: { title: "Ensaio" }, isWhole: false },
    });
  });

  test("the sign-in page shows the message to a member who comes with a session", async () => {
    const Cookie = await cookieOf();
    fail();
    expect(await (await get("/auth/login", { Cookie })).json()).toMatchObject({
      refused: SENTENCE,
    });
  });

  test("the API answers 503, and not 401", async () => {
    const Cookie = await cookieOf();
    fail();
    for (const path of ["/api/v1/users/me", "/api/v1/auth/is-registered"]) {
      const answer = await get(path, { Cookie });
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({ error: SENTENCE });
    }
    const register = await ask(
      jsonRequest("/api/v1/auth/register", signUpFields(), { Cookie, Origin: TEST_ORIGIN }),
    );
    expect(register.status).toBe(503);
  });

  test("pages work again once the provider answers", async () => {
    const Cookie = await cookieOf();
    fail();
    expect((await get("/me", { Cookie })).status).toBe(503);
    isDown = false;
    clerk.isDown = false;
    expect((await get("/me", { Cookie })).status).not.toBe(503);
  });
});

describe("local identity provider down: signed-out forms", () => {
  const { local: ask } = routes;
  const person = signUpFields();
  const { password: _password, ...typed } = person;

  test.each<[string, Record<string, string>, Record<string, string>]>([
    [
      "/auth/login",
      { identifier: person.email, password: person.password },
      { identifier: person.email },
    ],
    ["/auth/register", person, typed],
    ["/auth/reset", { identifier: person.email }, { identifier: person.email }],
    ["/auth/code", { identifier: person.email }, { identifier: person.email }],
  ])("%s returns the typed values with the message", async (path, fields, values) => {
    fail();
    const answer = await ask(formRequest(path, fields));
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ errors: {}, message: SENTENCE, values });
  });

  test("the token endpoint answers 503 with the message", async () => {
    fail();
    const answer = await ask(
      jsonRequest("/api/v1/auth/token", { identifier: person.email, password: person.password }),
    );
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ error: SENTENCE });
  });
});

test("the profile form of a registration returns the typed values while Clerk is down", async () => {
  const Cookie = await clerkCookie();
  fail();
  const { name, username, birthDate, termsVersion } = signUpFields();
  const typed = { name, username, birthDate, termsVersion };
  const answer = await routes.clerk(formRequest("/auth/register/profile", typed, { Cookie }));
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    message: SENTENCE,
    typed: { values: typed, isWhole: true },
  });
});

test("members with a row here stay signed in while Clerk is down", async () => {
  const person = signUpFields();
  const Cookie = await clerk.cookie(clerk.addUser(person));
  const { name, username, birthDate, termsVersion } = person;
  await routes.clerk(
    formRequest("/auth/register/profile", { name, username, birthDate, termsVersion }, { Cookie }),
  );
  fail();
  expect(
    await (await routes.clerk(new Request(`${TEST_ORIGIN}/me`, { headers: { Cookie } }))).json(),
  ).toMatchObject({ username });
});

describe("Clerk down with an expired session token", () => {
  const old = () =>
    clerk.cookie(clerk.addUser(signUpFields()), {
      iat: seconds(-180),
      nbf: seconds(-190),
      exp: seconds(-60),
    });
  const page = async (path: string, Cookie: string) =>
    routes.clerk(
      new Request(TEST_ORIGIN + path, {
        headers: { Cookie, Accept: "text/html", "Sec-Fetch-Dest": "document" },
      }),
    );

  test("a member page answers 503 instead of redirecting to Clerk, and public pages still work", async () => {
    const Cookie = await old();
    expect((await page("/me", Cookie)).status).toBe(307);
    fail();
    const answer = await page("/me", Cookie);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ message: SENTENCE, path: "/me" });
    expect((await page("/terms", Cookie)).status).toBe(200);
  });

  test.each(["document", "empty"])(
    "a form (%s) returns the typed values, also while Clerk answers",
    async (destination) => {
      const Cookie = await old();
      const send = () =>
        routes.clerk(
          formRequest(
            "/post/create",
            { title: "Ensaio" },
            { Cookie, "Sec-Fetch-Dest": destination },
          ),
        );
      for (const answer of [await send(), (fail(), await send())]) {
        expect(answer.status).toBe(503);
        expect(await answer.json()).toMatchObject({
          message: SENTENCE,
          typed: { values: { title: "Ensaio" }, isWhole: true },
        });
      }
    },
  );
});
