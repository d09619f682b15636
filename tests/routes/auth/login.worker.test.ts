import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as codeEntry from "#app/routes/auth/code-entry.tsx";
import * as code from "#app/routes/auth/code.tsx";
import * as account from "#app/routes/auth/account.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as logout from "#app/routes/auth/logout.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { authSessions, authUsers } from "#drizzle/schema/local-identity.ts";
import { mailTo } from "#tests/support/account-browser.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  cookiesOf,
  createRouteCaller,
  formRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { memberCookies, insertMember } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs, MiddlewareFunction } from "react-router";

const whoami = {
  loader: ({ context }: LoaderFunctionArgs) =>
    Response.json({ viewer: context.get(viewerContext), now: context.get(domainContext).now() }),
};

const ask = createRouteCaller([
  { path: "auth/login", module: login },
  { path: "auth/code", module: code },
  { path: "auth/code/entry", module: codeEntry },
  { path: "auth/logout", module: logout },
  { path: "auth/account", module: account, middleware: [requireMember as MiddlewareFunction] },
  { path: "me", module: whoami, middleware: [requireMember as MiddlewareFunction] },
  { path: "who", module: whoami },
  { path: "terms", module: whoami },
]);

const db = openDatabase(testEnv.DB);
const get = (path: string, cookie = "") =>
  ask(new Request(TEST_ORIGIN + path, cookie ? { headers: { Cookie: cookie } } : {}));
const viewerOf = async (cookie: string) =>
  ((await (await get("/who", cookie)).json()) as { viewer: unknown }).viewer;
const signIn = (identifier: string, password: string) =>
  ask(formRequest("/auth/login", { identifier, password }));

describe("Entrar", () => {
  test("accepts e-mail and username in upper and lower case", async () => {
    const person = signUpFields();
    await insertMember(person);
    for (const identifier of [
      person.email,
      person.email.toUpperCase(),
      person.username,
      person.username.toUpperCase(),
      ` ${person.username} `,
    ]) {
      const answer = await signIn(identifier, person.password);
      expect(answer.status).toBe(302);
      expect(await viewerOf(cookiesOf(answer))).toMatchObject({ username: person.username });
    }
  });

  test("answers a wrong password and an unknown account alike", async () => {
    const person = signUpFields();
    await insertMember(person);
    const wrong = await signIn(person.email, "outra senha qualquer");
    const unknown = await signIn(signUpFields().email, "outra senha qualquer");
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const [one, other] = (await Promise.all([wrong.json(), unknown.json()])) as {
      message: string;
      errors: object;
    }[];
    expect(one?.message).toBe("Telefone, e-mail, nome de usuário ou senha incorretos.");
    expect({ message: other?.message, errors: other?.errors }).toEqual({
      message: one?.message,
      errors: one?.errors,
    });
    expect(wrong.headers.getSetCookie().filter((cookie) => cookie.includes("session"))).toEqual([]);
  });

  test("sets an HttpOnly, Secure, host-only cookie for seven days", async () => {
    const person = signUpFields();
    await insertMember(person);
    const cookie = (await signIn(person.email, person.password)).headers
      .getSetCookie()
      .find((set) => set.startsWith("__Host-coreto-session="));
    expect(cookie).toMatch(/Max-Age=604800/);
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toContain("Domain");
  });

  test("ignores a forged session cookie", async () => {
    expect(await viewerOf("__Host-coreto-session=abc.def")).toBeNull();
    const cookie = await memberCookies(signUpFields());
    expect(await viewerOf(cookie.replace(/(__Host-coreto-session=)./, "$1_"))).toBeNull();
  });

  test("after ten wrong passwords the account rests, even for the right one, and a code is offered", async () => {
    const person = signUpFields();
    await insertMember(person);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await signIn(person.username, "errada demais")).status).toBe(401);
    const eleventh = await signIn(person.username, person.password);
    expect(eleventh.status).toBe(429);
    expect(await eleventh.json()).toMatchObject({
      message: expect.stringMatching(/^Muitas tentativas com senha .* com um código/),
      link: { to: "/auth/code", text: "Entrar com um código" },
    });
    const going = await ask(
      formRequest("/auth/login?to=/me", {
        identifier: person.username,
        password: person.password,
      }),
    );
    expect(await going.json()).toMatchObject({ link: { to: "/auth/code?to=%2Fme" } });
    // Whoever has an account or not gets the same answer.
    const nobody = signUpFields();
    for (let tries = 0; tries < 10; tries += 1) await signIn(nobody.email, "errada demais");
    expect((await signIn(nobody.email, "errada demais")).status).toBe(429);
    // The code opens the account that the password does not, in a new browser.
    const asked = await ask(formRequest("/auth/code", { identifier: person.username }));
    expect(asked.headers.get("Location")).toBe("/auth/code/entry");
    const { code } = await mailTo(person.email);
    const entered = await ask(
      formRequest("/auth/code/entry", { code }, { Cookie: cookiesOf(asked) }),
    );
    expect(await viewerOf(cookiesOf(entered))).toMatchObject({ username: person.username });
  });

  test("does not count right passwords", async () => {
    const person = signUpFields();
    await insertMember(person);
    for (let tries = 0; tries < 12; tries += 1)
      expect((await signIn(person.username, person.password)).status).toBe(302);
  });

  test("redirects a signed-in member, with a message", async () => {
    const cookie = await memberCookies(signUpFields());
    const answer = await get("/auth/login", cookie);
    expect(answer.headers.get("Location")).toBe("/");
    expect(answer.headers.getSetCookie().some((set) => set.startsWith("__Host-toast="))).toBe(true);
  });

  test("refuses a suspended account, and its open session stops working", async () => {
    const person = signUpFields();
    const cookie = await memberCookies(person);
    await db
      .update(people)
      .set({ bannedAt: testClock.now() })
      .where(eq(people.email, person.email));
    expect(await viewerOf(cookie)).toBeNull();
    const answer = await signIn(person.email, person.password);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining("suspensa") });
  });
});

describe("Sair", () => {
  test("ends the session, in this browser and in the database", async () => {
    const person = signUpFields();
    const cookie = await memberCookies(person);
    const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
    expect(answer.headers.get("Location")).toBe("/auth/login");
    expect(cookiesOf(answer)).not.toContain("__Host-coreto-session");
    const [user] = await db.select().from(authUsers).where(eq(authUsers.email, person.email));
    expect(
      await db
        .select()
        .from(authSessions)
        .where(eq(authSessions.userId, user?.id ?? "")),
    ).toEqual([]);
    const tokenOnly = cookie
      .split("; ")
      .filter((pair) => pair.startsWith("__Host-coreto-session="))
      .join("; ");
    expect(await viewerOf(tokenOnly)).toBeNull();
  });

  test("a GET request does not sign out", async () => {
    const cookie = await memberCookies(signUpFields());
    expect((await get("/auth/logout", cookie)).status).toBe(200);
    expect(await viewerOf(cookie)).not.toBeNull();
  });

  test("refuses a request from another origin", async () => {
    const cookie = await memberCookies(signUpFields());
    expect(
      (await ask(formRequest("/auth/logout", {}, { Cookie: cookie, Origin: "https://evil.test" })))
        .status,
    ).toBe(403);
    expect(await viewerOf(cookie)).not.toBeNull();
  });

  test("ends the other sessions from the account page and keeps this one", async () => {
    const person = signUpFields();
    const elsewhere = await memberCookies(person);
    const here = cookiesOf(await signIn(person.email, person.password));
    const page = (await (await get("/auth/account", here)).json()) as {
      sessions: { isCurrent: boolean }[];
      email: string;
    };
    expect(page.email).toBe(person.email);
    expect(page.sessions.map((open) => open.isCurrent)).toEqual([true, false]);
    expect((await ask(formRequest("/auth/account", {}, { Cookie: here }))).status).toBe(302);
    const tokenOnly = elsewhere
      .split("; ")
      .filter((pair) => pair.startsWith("__Host-coreto-session="))
      .join("; ");
    expect(await viewerOf(tokenOnly)).toBeNull();
    expect(await viewerOf(here)).not.toBeNull();
  });
});

test("a suspended member redirected to sign in reads why", async () => {
  const person = signUpFields();
  const cookie = await memberCookies(person);
  await db.update(people).set({ bannedAt: testClock.now() }).where(eq(people.email, person.email));
  expect((await get("/me", cookie)).headers.get("Location")).toBe("/auth/login?to=%2Fme");
  expect(await (await get("/auth/login?to=%2Fme", cookie)).json()).toMatchObject({
    refused: "Esta conta está suspensa. Fale com o suporte.",
  });
});

describe("member pages", () => {
  test("redirect a visitor to sign in, with the path to return to", async () => {
    const answer = await get("/me?tab=1");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe("/auth/login?to=%2Fme%3Ftab%3D1");
  });

  test("are private and not stored; public pages are cacheable, anonymous and set no cookie", async () => {
    const cookie = await memberCookies(signUpFields());
    expect((await get("/me", cookie)).headers.get("Cache-Control")).toBe("private, no-store");
    const shared = await get("/terms", cookie);
    expect(shared.headers.get("Cache-Control")).toContain("s-maxage");
    expect(shared.headers.getSetCookie()).toEqual([]);
    expect(((await shared.json()) as { viewer: unknown }).viewer).toBeNull();
  });

  test("a write sets a bookmark cookie, so that the next page shows it", async () => {
    const person = signUpFields();
    await insertMember(person);
    const answer = await signIn(person.email, person.password);
    expect(
      answer.headers.getSetCookie().some((set) => set.startsWith("__Host-coreto-bookmark=")),
    ).toBe(true);
    expect(await viewerOf(cookiesOf(answer))).not.toBeNull();
    expect(await viewerOf("__Host-coreto-bookmark=%00 drop")).toBeNull();
  });
});
