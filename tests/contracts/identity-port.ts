import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { banPerson, unbanPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { BackendApi } from "#app/integrations/clerk/backend-api.server.ts";
import { testClock } from "#tests/support/clock.ts";
import { settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import { createModerator } from "#tests/support/people.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import {
  blockedSignInContext,
  incompleteMemberContext,
  viewerContext,
} from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as apiRegister from "#app/routes/api/register.ts";
import * as isRegistered from "#app/routes/api/is-registered.ts";
import * as logout from "#app/routes/auth/logout.tsx";
import * as registerProfile from "#app/routes/auth/register-profile.tsx";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  cookiesOf,
  createRouteCaller,
  formRequest,
  jsonRequest,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import type { SignUpFields } from "#tests/support/call-route.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { LoaderFunctionArgs, MiddlewareFunction } from "react-router";

export type Somebody = SignUpFields;

/** The provider-specific parts: how a person gets a cookie or a token. */
export type IdentityHarness = {
  /** The environment of a product configured for the provider. */
  env: Env;
  newcomer(): Somebody;
  /** Creates an account through the provider's own screens. Returns the browser's cookies. */
  signUp(person: Somebody): Promise<string>;
  /** Starts a new session of an existing account. Returns its cookies. */
  signIn(person: Somebody): Promise<string>;
  /** Returns a Bearer token for the API. */
  token(person: Somebody): Promise<string>;
  /**
   * Changes the primary e-mail address through the provider's own screens, and waits until the
   * product knows it.
   */
  changeEmail(person: Somebody, cookie: string, email: string): Promise<void>;
  /** Clerk's Backend API, if the provider has one. */
  clerk?: BackendApi;
  /** Returns whether the provider still has the account. */
  knows(person: Somebody): Promise<boolean>;
};

type Seen = { viewer: Member | null; unfinished: Member | null; refused: string | null };

/** The tests that every identity provider must pass. */
export function identityContract(
  provider: string,
  { env, newcomer, signUp, signIn, token, changeEmail, clerk, knows }: IdentityHarness,
): void {
  const whoami = {
    loader: ({ context }: LoaderFunctionArgs) =>
      Response.json({
        viewer: context.get(viewerContext),
        unfinished: context.get(incompleteMemberContext),
        refused: context.get(blockedSignInContext),
      }),
  };
  const ask = createRouteCaller(
    [
      { path: "who", module: whoami },
      { path: "me", module: whoami, middleware: [requireMember as MiddlewareFunction] },
      { path: "terms", module: whoami },
      { path: "auth/logout", module: logout },
      { path: "auth/register/profile", module: registerProfile },
      { path: "api/v1/auth/is-registered", module: isRegistered },
      { path: "api/v1/auth/register", module: apiRegister },
    ],
    env,
  );
  const db = openDatabase(testEnv.DB);
  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(new Request(TEST_ORIGIN + path, { headers }));
  const seen = async (headers: Record<string, string>): Promise<Seen> =>
    (await get("/who", headers)).json();
  const viewer = async (cookie: string) => (await seen({ Cookie: cookie })).viewer;
  const unfinished = async (cookie: string) => (await seen({ Cookie: cookie })).unfinished;
  const details = ({ name, username, birthDate, termsVersion }: Somebody) => ({
    name,
    username,
    birthDate,
    termsVersion,
  });
  const finish = (cookie: string, person: Somebody) =>
    ask(formRequest("/auth/register/profile?to=/me", details(person), { Cookie: cookie }));
  /** Signs up at the provider, and finishes the profile where the provider's sign-up does not. */
  const join = async (person: Somebody): Promise<string> => {
    const cookie = await signUp(person);
    if (await unfinished(cookie)) await finish(cookie, person);
    return cookie;
  };

  describe(`${provider}: a person`, () => {
    test("who signs up becomes a member with a profile, created once", async () => {
      const person = newcomer();
      const cookie = await join(person);
      const { name, username, email } = person;
      expect(await viewer(cookie)).toMatchObject({
        name,
        username,
        email,
        isCreator: false,
        isModerator: false,
      });
      await viewer(cookie);
      const made = await db
        .select({ provider: people.provider })
        .from(people)
        .where(eq(people.email, email));
      expect(made).toEqual([{ provider }]);
    });

    test("who signs in again is the same member", async () => {
      const person = newcomer();
      const first = await viewer(await join(person));
      const again = await viewer(await signIn(person));
      expect(again?.id).toBe(first?.id);
    });

    test("five concurrent first requests create one member", async () => {
      const person = newcomer();
      const cookie = await join(person);
      await forget(person);
      const seenBy = await Promise.all(Array.from({ length: 5 }, () => unfinished(cookie)));
      expect(new Set(seenBy.map((member) => member?.id)).size).toBe(1);
      expect(await db.select().from(people).where(eq(people.email, person.email))).toHaveLength(1);
    });

    test("a username already taken here gets a suffix", async () => {
      const person = newcomer();
      const cookie = await join(person);
      await forget(person);
      const other = newcomer();
      await viewer(await join(other));
      await db
        .update(profiles)
        .set({ username: person.username })
        .where(eq(profiles.username, other.username));
      const member = await unfinished(cookie);
      expect(member?.username).toMatch(new RegExp(`^${person.username}-[a-z0-9]{6}$`));
    });

    test("an e-mail address already taken here is refused with a message, and nobody is signed in", async () => {
      const person = newcomer();
      const cookie = await join(person);
      await forget(person);
      const other = newcomer();
      await viewer(await join(other));
      await db.update(people).set({ email: person.email }).where(eq(people.email, other.email));
      expect(await seen({ Cookie: cookie })).toEqual({
        viewer: null,
        unfinished: null,
        refused: expect.stringContaining("já está em uso"),
      });
    });

    test("a suspended member is not signed in, and reads the reason", async () => {
      const person = newcomer();
      const cookie = await join(person);
      await viewer(cookie);
      const bannedAt = testClock.now();
      await db.update(people).set({ bannedAt }).where(eq(people.email, person.email));
      expect(await seen({ Cookie: cookie })).toEqual({
        viewer: null,
        unfinished: null,
        refused: "Esta conta está suspensa. Fale com o suporte.",
      });
      expect((await get("/me", { Cookie: cookie })).headers.get("Location")).toBe(
        "/auth/login?to=%2Fme",
      );
    });
  });

  describe(`${provider}: somebody seen for the first time`, () => {
    async function firstSeen(): Promise<{ person: Somebody; cookie: string }> {
      const person = newcomer();
      const cookie = await join(person);
      await forget(person);
      return { person, cookie };
    }

    test("is no member until the profile is complete, and every member page redirects there", async () => {
      const { person, cookie } = await firstSeen();
      expect(await seen({ Cookie: cookie })).toMatchObject({
        viewer: null,
        unfinished: { email: person.email },
      });
      expect((await get("/me?tab=1", { Cookie: cookie })).headers.get("Location")).toBe(
        "/auth/register/profile?to=%2Fme%3Ftab%3D1",
      );
      expect(await (await get("/auth/register/profile", { Cookie: cookie })).json()).toMatchObject({
        asksEmail: false,
        email: person.email,
      });
      const answer = await finish(cookie, { ...person, name: "Nome Escolhido" });
      expect(answer.headers.get("Location")).toBe("/me");
      expect(await seen({ Cookie: cookie })).toMatchObject({
        viewer: { name: "Nome Escolhido", username: person.username },
        unfinished: null,
      });
      expect(
        (await get("/auth/register/profile?to=/me", { Cookie: cookie })).headers.get("Location"),
      ).toBe("/me");
    });

    test("stores the birth date and the accepted terms", async () => {
      const { person, cookie } = await firstSeen();
      await finish(cookie, person);
      const [kept] = await db.select().from(people).where(eq(people.email, person.email));
      expect(kept).toMatchObject({ birthDate: "1990-01-31", registeredAt: expect.any(Number) });
      const accepted = await db
        .select({ version: termsAcceptances.version })
        .from(termsAcceptances)
        .where(eq(termsAcceptances.personId, kept?.id ?? ""));
      expect(accepted).toEqual([{ version: person.termsVersion }]);
    });

    test.each<[string, string, Partial<Somebody>, string]>([
      ["another member's username", "username", {}, "já está em uso"],
      [
        "an age of 15",
        "birthDate",
        { birthDate: `31/12/${testClock.date().getFullYear() - 15}` },
        "16 anos",
      ],
      ["a day in the future", "birthDate", { birthDate: "01/01/2999" }, "ainda não chegou"],
      [
        "a day that does not exist",
        "birthDate",
        { birthDate: "31/02/1990" },
        "31/02/1990 não existe",
      ],
      ["old terms", "termsVersion", { termsVersion: "2020-01-01" }, "Os termos mudaram"],
    ])(
      "reads beside the field why %s is refused, and is still no member",
      async (_what, field, changes, sentence) => {
        const { person, cookie } = await firstSeen();
        const other = newcomer();
        await join(other);
        const wanted = {
          ...person,
          ...changes,
          ...(field === "username" ? { username: other.username } : {}),
        };
        const problem = (await (await finish(cookie, wanted)).json()) as {
          errors: Record<string, string>;
          values: Record<string, string>;
        };
        expect(problem.errors[field]).toContain(sentence);
        expect(problem.values).toMatchObject(details(wanted));
        expect(await viewer(cookie)).toBeNull();
      },
    );
  });

  describe(`${provider}: an account that changes`, () => {
    test("stays the same member after another e-mail address becomes primary", async () => {
      const person = newcomer();
      const cookie = await signUp(person);
      await finish(cookie, person);
      const before = await viewer(cookie);
      const email = newcomer().email;
      await changeEmail(person, cookie, email);
      expect(await viewer(cookie)).toMatchObject({ id: before?.id, email });
    });

    test("cannot sign in anywhere while banned by our moderation, and can afterwards", async () => {
      const { ctx } = await testContext();
      const person = newcomer();
      const cookie = await signUp(person);
      await finish(cookie, person);
      const id = (await viewer(cookie))?.id ?? "";
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      const ban = { moderatorId: (await createModerator(ctx)).id, personId: id };
      await banPerson(ctx, { ...ban, reason: "Vendia o que não era seu." });
      expect(await seen({ Cookie: cookie })).toMatchObject({
        viewer: null,
        refused: "Esta conta está suspensa. Fale com o suporte.",
      });
      expect((await seen(authorization)).viewer).toBeNull();
      await unbanPerson(ctx, ban);
      expect((await viewer(cookie))?.id).toBe(id);
      expect((await seen(authorization)).viewer?.id).toBe(id);
    });

    test("can still sign in for thirty days after a deletion request, and is then gone here and at the provider", async () => {
      const world = await testContext(clerk ? { clerk } : {});
      const person = newcomer();
      const cookie = await signUp(person);
      await finish(cookie, person);
      const id = (await viewer(cookie))?.id ?? "";
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      await requestDeletion(world.ctx, { personId: id });
      expect((await viewer(cookie))?.leavingAt).not.toBeNull();
      expect(await knows(person)).toBe(true);
      await world.advance(31 * DAY_MS);
      await settleDeletion(world, 2);
      expect(await knows(person)).toBe(false);
      const outlived = cookie
        .split("; ")
        .filter((pair) => !pair.startsWith("__Host-coreto-session-data="))
        .join("; ");
      expect((await seen({ Cookie: outlived })).viewer).toBeNull();
      expect((await seen(authorization)).viewer).toBeNull();
      const [row] = await db.select().from(people).where(eq(people.id, id));
      expect(row).toMatchObject({ email: `${id}@excluida.invalid`, deletedAt: expect.any(Number) });
    });
  });

  describe(`${provider}: a session`, () => {
    test("ends with sign-out, in this browser and at the provider", async () => {
      const cookie = await join(newcomer());
      expect(await viewer(cookie)).not.toBeNull();
      const answer = await ask(formRequest("/auth/logout", {}, { Cookie: cookie }));
      expect(answer.headers.get("Location")).toBe("/auth/login");
      const ended = answer.headers
        .getSetCookie()
        .filter((set) => /Max-Age=0/i.test(set))
        .map((set) => set.split("=")[0]);
      expect(
        cookie
          .split("; ")
          .map((pair) => pair.split("=")[0])
          .filter((name) => ended.includes(name)),
      ).not.toEqual([]);
      expect(await viewer(cookiesOf(answer))).toBeNull();
    });

    test("cannot be ended by another site", async () => {
      const cookie = await join(newcomer());
      expect(
        (
          await ask(
            formRequest("/auth/logout", {}, { Cookie: cookie, Origin: "https://evil.test" }),
          )
        ).status,
      ).toBe(403);
      expect(await viewer(cookie)).not.toBeNull();
    });

    test("is ignored on a public page", async () => {
      const cookie = await join(newcomer());
      const page = await get("/terms", { Cookie: cookie });
      expect(((await page.json()) as Seen).viewer).toBeNull();
      expect(page.headers.getSetCookie()).toEqual([]);
    });

    test("with one character changed is rejected", async () => {
      const cookie = await join(newcomer());
      const forged = cookie.replaceAll(
        /=([^;]{20,})/g,
        (_, value: string) =>
          `=${value.slice(0, -6)}${value.at(-6) === "A" ? "B" : "A"}${value.slice(-5)}`,
      );
      expect(await viewer(forged)).toBeNull();
    });
  });

  describe(`${provider}: a token for the API`, () => {
    test("identifies its member without a cookie", async () => {
      const person = newcomer();
      await join(person);
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      expect((await seen(authorization)).viewer).toMatchObject({ username: person.username });
      expect(await (await get("/api/v1/auth/is-registered", authorization)).json()).toEqual({
        isRegistered: true,
      });
    });

    test("completes a registration once, however often repeated, and only with the same details", async () => {
      const person = newcomer();
      await join(person);
      await forget(person);
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      const isRegisteredNow = async () =>
        (await get("/api/v1/auth/is-registered", authorization)).json();
      const register = (body: object) =>
        ask(jsonRequest("/api/v1/auth/register", body, authorization));
      expect(await isRegisteredNow()).toEqual({ isRegistered: false });
      const answers = await Promise.all([1, 2, 3].map(() => register(details(person))));
      for (const answer of [...answers, await register(details(person))]) {
        expect(answer.status).toBe(200);
        expect(await answer.json()).toEqual({ isRegistered: true });
      }
      expect(await isRegisteredNow()).toEqual({ isRegistered: true });
      expect((await register({ ...details(person), name: "Outro Nome" })).status).toBe(409);
      expect((await seen(authorization)).viewer).toMatchObject({
        username: person.username,
        name: person.name,
      });
      expect(await db.select().from(people).where(eq(people.email, person.email))).toHaveLength(1);
    });

    test("completes only one of two concurrent registrations with different details, as a whole", async () => {
      const person = newcomer();
      await join(person);
      await forget(person);
      const authorization = { Authorization: `Bearer ${await token(person)}` };
      const bodies = ["Uma Pessoa", "Outra Pessoa"].map((name) => details({ ...newcomer(), name }));
      const answers = await Promise.all(
        bodies.map((body) => ask(jsonRequest("/api/v1/auth/register", body, authorization))),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const winner = bodies[answers.findIndex(({ status }) => status === 200)];
      expect((await seen(authorization)).viewer).toMatchObject({
        username: winner?.username,
        name: winner?.name,
      });
    });

    test.each([
      ["no token at all", "Bearer"],
      ["another scheme", "Basic YTpi"],
      ["a word", "Bearer abc"],
      ["three words with dots", "Bearer a.b.c"],
      ["something that is no Base64", "Bearer ..."],
      ["one megabyte", `Bearer ${"a".repeat(1024 * 1024)}`],
      ["one megabyte of dots", `Bearer ${".".repeat(1024 * 1024)}`],
    ])("that is %s is rejected without an error", async (_, authorization) => {
      expect(await seen({ Authorization: authorization })).toEqual({
        viewer: null,
        unfinished: null,
        refused: null,
      });
    });
  });

  async function forget({ email }: Somebody): Promise<void> {
    const [known] = await db.select({ id: people.id }).from(people).where(eq(people.email, email));
    if (!known) return;
    await db.batch([
      db.delete(termsAcceptances).where(eq(termsAcceptances.personId, known.id)),
      db.delete(profiles).where(eq(profiles.personId, known.id)),
      db.delete(people).where(eq(people.id, known.id)),
    ]);
  }
}
