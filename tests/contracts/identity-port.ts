import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/env.ts";
import { refusedContext, viewerContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as apiRegister from "#app/routes/api/register.ts";
import * as isRegistered from "#app/routes/api/is-registered.ts";
import * as logout from "#app/routes/auth/logout.tsx";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { cookiesOf, door, formRequest, jsonRequest, ORIGIN } from "#tests/support/door.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs, MiddlewareFunction } from "react-router";

export type Somebody = { name: string; username: string; email: string; password: string };

/** What differs between the providers: how somebody comes to have a cookie or a token. */
export type IdentityHarness = {
  /** The product as configured for the provider. */
  env: Env;
  newcomer(): Somebody;
  /** Makes an account at the provider as its own screens do, and gives the cookies of the browser that did. */
  signUp(person: Somebody): Promise<string>;
  /** A new session of an account that exists; gives its cookies. */
  signIn(person: Somebody): Promise<string>;
  /** A Bearer token for the API. */
  token(person: Somebody): Promise<string>;
};

type Seen = { viewer: Member | null; refused: string | null };

/** What the product asks of every identity provider. */
export function identityContract(provider: string, { env, newcomer, signUp, signIn, token }: IdentityHarness): void {
  const whoami = {
    loader: ({ context }: LoaderFunctionArgs) => Response.json({ viewer: context.get(viewerContext), refused: context.get(refusedContext) }),
  };
  const ask = door(
    [
      { path: "who", module: whoami },
      { path: "me", module: whoami, middleware: [requireMember as MiddlewareFunction] },
      { path: "terms", module: whoami },
      { path: "auth/logout", module: logout },
      { path: "api/v1/auth/is-registered", module: isRegistered },
      { path: "api/v1/auth/register", module: apiRegister },
    ],
    env,
  );
  const db = openDatabase(testEnv.DB);
  const get = (path: string, headers: Record<string, string> = {}) => ask(new Request(ORIGIN + path, { headers }));
  const seen = async (headers: Record<string, string>): Promise<Seen> => (await get("/who", headers)).json();
  const viewer = async (cookie: string) => (await seen({ Cookie: cookie })).viewer;

  describe(`${provider}: a person`, () => {
    test("who signs up is a member with a profile, made once", async () => {
      const person = newcomer();
      const cookie = await signUp(person);
      const { name, username, email } = person;
      expect(await viewer(cookie)).toMatchObject({ name, username, email, isCreator: false, isModerator: false });
      await viewer(cookie);
      const made = await db.select({ provider: people.provider }).from(people).where(eq(people.email, email));
      expect(made).toEqual([{ provider }]);
    });

    test("who signs in again is the same person", async () => {
      const person = newcomer();
      const first = await viewer(await signUp(person));
      const again = await viewer(await signIn(person));
      expect(again?.id).toBe(first?.id);
    });

    test("five requests at first sight make one person", async () => {
      const person = newcomer();
      const cookie = await signUp(person);
      await forget(person);
      const seenBy = await Promise.all(Array.from({ length: 5 }, () => viewer(cookie)));
      expect(new Set(seenBy.map((member) => member?.id)).size).toBe(1);
      expect(await db.select().from(people).where(eq(people.email, person.email))).toHaveLength(1);
    });

    test("a username that somebody else has here gets an ending of its own", async () => {
      const person = newcomer();
      const cookie = await signUp(person);
      await forget(person);
      const other = newcomer();
      await viewer(await signUp(other));
      await db.update(profiles).set({ username: person.username }).where(eq(profiles.username, other.username));
      const member = await viewer(cookie);
      expect(member?.username).toMatch(new RegExp(`^${person.username}-[a-z0-9]{6}$`));
    });

    test("an e-mail that somebody else has here is refused in words, and nobody is signed in", async () => {
      const person = newcomer();
      const cookie = await signUp(person);
      await forget(person);
      const other = newcomer();
      await viewer(await signUp(other));
      await db.update(people).set({ email: person.email }).where(eq(people.email, other.email));
      expect(await seen({ Cookie: cookie })).toEqual({ viewer: null, refused: expect.stringContaining("já está em uso") });
    });

    test("a suspended person is nobody, and reads why", async () => {
      const person = newcomer();
      const cookie = await signUp(person);
      await viewer(cookie);
      await db.update(people).set({ bannedAt: Date.now() }).where(eq(people.email, person.email));
      expect(await seen({ Cookie: cookie })).toEqual({ viewer: null, refused: "Esta conta está suspensa. Fale com o suporte." });
      expect((await get("/me", { Cookie: cookie })).headers.get("Location")).toBe("/auth/login?to=%2Fme");
    });
  });

  describe(`${provider}: a session`, () => {
    test("ends with Sair, in this browser and at the provider", async () => {
      const cookie = await signUp(newcomer());
      expect(await viewer(cookie)).not.toBeNull();
      const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
      expect(answer.headers.get("Location")).toBe("/auth/login");
      const ended = answer.headers.getSetCookie().filter((set) => /Max-Age=0/i.test(set)).map((set) => set.split("=")[0]);
      expect(cookie.split("; ").map((pair) => pair.split("=")[0]).filter((name) => ended.includes(name))).not.toEqual([]);
      expect(await viewer(cookiesOf(answer))).toBeNull();
    });

    test("another site ends none", async () => {
      const cookie = await signUp(newcomer());
      expect((await ask(formRequest("/auth/logout", {}, { Cookie: cookie, Origin: "https://evil.test" }))).status).toBe(403);
      expect(await viewer(cookie)).not.toBeNull();
    });

    test("is nobody's on a page for everyone", async () => {
      const cookie = await signUp(newcomer());
      const page = await get("/terms", { Cookie: cookie });
      expect(((await page.json()) as Seen).viewer).toBeNull();
      expect(page.headers.getSetCookie()).toEqual([]);
    });

    test("with one letter changed is nobody's", async () => {
      const cookie = await signUp(newcomer());
      const forged = cookie.replaceAll(/=([^;]{20,})/g, (_, value: string) => `=${value.slice(0, -6)}${value.at(-6) === "A" ? "B" : "A"}${value.slice(-5)}`);
      expect(await viewer(forged)).toBeNull();
    });
  });

  describe(`${provider}: a token for the API`, () => {
    test("is its person's, without any cookie", async () => {
      const person = newcomer();
      await signUp(person);
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      expect((await seen(authorization)).viewer).toMatchObject({ username: person.username });
      expect(await (await get("/api/v1/auth/is-registered", authorization)).json()).toEqual({ isRegistered: true });
    });

    test("finishes a registration once, however often it is asked to", async () => {
      const person = newcomer();
      await signUp(person);
      await forget(person);
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      const answers = await Promise.all([1, 2].map(() => ask(jsonRequest("/api/v1/auth/register", {}, authorization))));
      expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([{ isRegistered: true }, { isRegistered: true }]);
      expect(await db.select().from(people).where(eq(people.email, person.email))).toHaveLength(1);
    });

    test.each([
      ["no token at all", "Bearer"],
      ["another scheme", "Basic YTpi"],
      ["a word", "Bearer abc"],
      ["three words with dots", "Bearer a.b.c"],
      ["what is no Base64", "Bearer ..."],
      ["one megabyte", `Bearer ${"a".repeat(1024 * 1024)}`],
      ["one megabyte of dots", `Bearer ${".".repeat(1024 * 1024)}`],
    ])("that is %s is nobody's, and breaks nothing", async (_, authorization) => {
      expect(await seen({ Authorization: authorization })).toEqual({ viewer: null, refused: null });
    });
  });

  async function forget({ email }: Somebody): Promise<void> {
    const [known] = await db.select({ id: people.id }).from(people).where(eq(people.email, email));
    if (!known) return;
    await db.batch([db.delete(profiles).where(eq(profiles.personId, known.id)), db.delete(people).where(eq(people.id, known.id))]);
  }
}
