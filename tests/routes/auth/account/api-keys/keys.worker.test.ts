import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { composeContext } from "#app/compose.server.ts";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { createApiKey } from "#app/domain/identity/api-keys/commands.server.ts";
import type { ApiScope, KeyLifetime } from "#app/domain/identity/api-keys/schema.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { follow, openSpace } from "#app/domain/profiles/commands.server.ts";
import { mintApiKey } from "#app/http/api/api-key.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as isRegistered from "#app/routes/api/is-registered.ts";
import * as post from "#app/routes/api/post.ts";
import * as posts from "#app/routes/api/posts.ts";
import * as register from "#app/routes/api/register.ts";
import * as userProfile from "#app/routes/api/user-profile.ts";
import * as usersMe from "#app/routes/api/users-me.ts";
import * as keyCreate from "#app/routes/auth/account/api-keys/key-create.tsx";
import * as keyRevocation from "#app/routes/auth/account/api-keys/key-revocation.tsx";
import * as keys from "#app/routes/auth/account/api-keys/keys.tsx";
import * as connections from "#app/routes/settings/connections.tsx";
import { apiKeys, people } from "#drizzle/schema/identity.ts";
import { authSessions } from "#drizzle/schema/local-identity.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { insertMember, memberCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { MiddlewareFunction } from "react-router";

const members = { middleware: [requireMember as MiddlewareFunction] };

const ask = createRouteCaller([
  { path: "auth/account/keys", module: keys, ...members },
  { path: "auth/account/keys/create", module: keyCreate, ...members },
  { path: "auth/account/keys/:keyId/revocation", module: keyRevocation, ...members },
  { path: "settings/connections", module: connections, ...members },
  { path: "api/v1/auth/is-registered", module: isRegistered },
  { path: "api/v1/auth/register", module: register },
  { path: "api/v1/users/me", module: usersMe },
  { path: "api/v1/users/:username/profile", module: userProfile },
  { path: "api/v1/posts", module: posts },
  { path: "api/v1/posts/:id", module: post },
]);

const db = openDatabase(testEnv.DB);
const EVERYTHING = ["profile:read", "people:read", "posts:read"];
const shownKeys = z.object({
  keys: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      lastUsed: z.string().nullable(),
      expires: z.string().nullable(),
    }),
  ),
});

let ctx: Context;
let cookie: string;
let username: string;

beforeAll(async () => {
  ({ ctx } = await composeContext(testEnv));
  const owner = signUpFields("Bruno Fã");
  username = owner.username;
  cookie = await memberCookies(owner);
});

const api = (path: string, key?: string, more: Record<string, string> = {}) =>
  ask(
    new Request(`${TEST_ORIGIN}/api/v1${path}`, {
      headers: { ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...more },
    }),
  );
const page = (path: string, own = cookie) =>
  ask(new Request(TEST_ORIGIN + path, { headers: { Cookie: own } }));
const listed = async (own = cookie) =>
  shownKeys.parse(await (await page("/auth/account/keys", own)).json()).keys;
const idOf = async (name: string) => (await listed()).find((key) => key.name === name)?.id ?? "";
/** Sets when every session of this file last authenticated. */
const proven = (createdAt: Date) => db.update(authSessions).set({ createdAt });
const revoke = (id: string, own = cookie) =>
  ask(formRequest(`/auth/account/keys/${id}/revocation`, {}, { Cookie: own }));

function submit(
  fields: { name: string; lifetime?: string; scopes?: string[]; description?: string },
  own = cookie,
): Promise<Response> {
  const { scopes = EVERYTHING, ...texts } = { lifetime: "30d", ...fields };
  const body = new URLSearchParams(texts);
  for (const scope of scopes) body.append("scopes", scope);
  return ask(
    new Request(`${TEST_ORIGIN}/auth/account/keys/create`, {
      method: "POST",
      body,
      headers: { Origin: TEST_ORIGIN, Cookie: own },
    }),
  );
}

async function created(name: string, scopes = EVERYTHING): Promise<string> {
  const answer = await submit({ name, scopes });
  return z.object({ made: z.object({ secret: z.string() }) }).parse(await answer.json()).made
    .secret;
}

/** Creates a key by the command, for what the form cannot do: another owner or another time. */
async function granted(
  owner: TestPerson,
  scopes: ApiScope[],
  lifetime: KeyLifetime = "never",
  at: Context = ctx,
): Promise<{ key: string; keyId: string }> {
  const { key, tokenHash, hint } = await mintApiKey();
  const { keyId } = await createApiKey(at, {
    personId: owner.id,
    name: crypto.randomUUID(),
    description: "",
    lifetime,
    scopes,
    tokenHash,
    hint,
  });
  return { key, keyId };
}

describe("Criar chave", () => {
  test("shows the key once and stores only its hash", async () => {
    const key = await created("Meu site");
    expect(key).toMatch(/^coreto_[0-9a-f]{40}$/);
    const list = await (await page("/auth/account/keys")).text();
    expect(list).toContain("Meu site");
    expect(list).not.toContain(key.slice(0, 20));
    const [row] = await db.select().from(apiKeys).where(eq(apiKeys.name, "Meu site"));
    expect(JSON.stringify(row)).not.toContain(key);
    expect(row).toMatchObject({
      hint: key.slice(-4),
      scopes: "profile:read people:read posts:read",
      revokedAt: null,
    });
  });

  test("refuses a second key with the same name, as when the form is sent twice", async () => {
    await created("Duas vezes");
    const again = await submit({ name: "Duas vezes" });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      errors: { name: expect.stringContaining("já tem uma chave com este nome") },
    });
  });

  test("allows the name of a revoked key again", async () => {
    await created("Volta");
    await revoke(await idOf("Volta"));
    expect(await created("Volta")).toMatch(/^coreto_/);
  });

  test("names each missing field, and the typed values stay", async () => {
    const answer = await submit({
      name: "",
      scopes: [],
      lifetime: "2y",
      description: "do trabalho",
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: {
        name: "Campo obrigatório",
        scopes: "Escolha pelo menos uma permissão.",
        lifetime: "Escolha até quando a chave vale.",
      },
      values: { description: "do trabalho" },
    });
  });

  test("creates at most twenty keys, also for parallel requests", async () => {
    const own = await memberCookies(signUpFields());
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => submit({ name: `Chave ${index}` }, own)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20);
    const refused = answers.find((answer) => answer.status === 409);
    expect(await refused?.json()).toMatchObject({
      message: expect.stringContaining("já tem 20 chaves"),
    });
    expect(await listed(own)).toHaveLength(20);
  });

  test("a visitor is asked to sign in, and keeps what was typed", async () => {
    const answer = await submit({ name: "Ninguém" }, "");
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      typed: { values: { name: "Ninguém" } },
      link: { to: "/auth/login" },
    });
  });
});

describe("API key as bearer token", () => {
  test("identifies its member", async () => {
    const key = await created("Perfil");
    const me = await api("/users/me", key);
    expect(me.status).toBe(200);
    expect(await me.json()).toMatchObject({ username });
    expect(await (await api("/auth/is-registered", key)).json()).toEqual({ isRegistered: true });
  });

  test("gives access to its scopes only", async () => {
    const creator = await createPerson(ctx, "Ana Criadora");
    const fan = await createPerson(ctx, "Bruno Fã");
    await openSpace(ctx, {
      personId: creator.id,
      name: creator.name,
      bio: "",
      craft: "rabeca",
      city: "Olinda",
      avatarMediaId: null,
      bannerMediaId: null,
    });
    await follow(ctx, { followerId: fan.id, creatorId: creator.id });
    const { postId } = await publishPost(ctx, {
      authorId: creator.id,
      title: "Só para quem segue",
      content: "inteiro",
      teaser: "começo",
      audience: "followers",
      planIds: [],
      image: null,
    });
    const reader = (await granted(fan, ["posts:read"])).key;
    const peopleReader = (await granted(fan, ["people:read"])).key;

    expect(await (await api(`/posts/${postId}`, reader)).json()).toMatchObject({
      blocked: false,
      content: "inteiro",
    });
    expect(await (await api(`/posts/${postId}`, peopleReader)).json()).toMatchObject({
      blocked: true,
      content: "começo",
    });
    expect(await (await api("/posts?limit=1", peopleReader)).json()).toMatchObject({
      items: [{ id: postId, blocked: true }],
    });
    expect(await (await api("/posts?limit=1", reader)).json()).toMatchObject({
      items: [{ id: postId, blocked: false }],
    });
    expect(
      await (await api(`/users/${creator.username}/profile`, peopleReader)).json(),
    ).toMatchObject({ isFollowing: true });
    expect(await (await api(`/users/${creator.username}/profile`, reader)).json()).toMatchObject({
      isFollowing: false,
    });
    // The member's own e-mail needs the `profile:read` scope in every call.
    const refused = await api("/users/me", reader);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({ error: "Insufficient scope: profile:read" });
    expect(await (await api(`/users/${fan.username}/profile`, peopleReader)).json()).toMatchObject({
      email: "",
    });
  });

  test.each([
    ["a prefix alone", "coreto_"],
    ["an unknown key", `coreto_${"0".repeat(40)}`],
    ["a key much too long", `coreto_${"0".repeat(5_000)}`],
    ["another product's key", "ak_0123456789"],
    ["SQL", "coreto_'; DROP TABLE api_keys"],
  ])("%s does not authenticate, and public reads still work", async (_, key) => {
    expect((await api("/users/me", key)).status).toBe(401);
    expect((await api("/posts", key)).status).toBe(200);
  });

  test("does not open pages, with or without session cookies", async () => {
    const key = await created("Só a API");
    for (const beside of ["", cookie]) {
      const answer = await ask(
        new Request(`${TEST_ORIGIN}/auth/account/keys`, {
          headers: { Authorization: `Bearer ${key}`, Cookie: beside },
        }),
      );
      expect(answer.headers.get("Location")).toContain("/auth/login");
    }
  });

  test("an invalid key answers 401 even with valid session cookies", async () => {
    expect((await api("/users/me", `coreto_${"0".repeat(40)}`, { Cookie: cookie })).status).toBe(
      401,
    );
  });

  test("stops working when its member is suspended", async () => {
    const fan = await createPerson(ctx);
    const { key } = await granted(fan, ["profile:read"]);
    expect((await api("/users/me", key)).status).toBe(200);
    await db.update(people).set({ bannedAt: testClock.now() }).where(eq(people.id, fan.id));
    expect((await api("/users/me", key)).status).toBe(401);
  });

  test("stops working at the millisecond of its expiry", async () => {
    const fan = await createPerson(ctx);
    const dayAgo = testClock.now() - 24 * 60 * 60 * 1_000;
    const over = await granted(fan, ["profile:read"], "1d", { ...ctx, now: () => dayAgo });
    const alive = await granted(fan, ["profile:read"], "1d", {
      ...ctx,
      now: () => dayAgo + 60_000,
    });
    expect((await api("/users/me", over.key)).status).toBe(401);
    expect((await api("/users/me", alive.key)).status).toBe(200);
  });

  test("registers no member, and reveals no birth date to a guess", async () => {
    const owner = signUpFields();
    const { personId } = await insertMember(owner);
    const { key } = await granted({ ...owner, id: personId }, ["posts:read"]);
    const guess = async (birthDate: string) => {
      const answer = await ask(
        jsonRequest(
          "/api/v1/auth/register",
          { ...owner, birthDate },
          { Authorization: `Bearer ${key}` },
        ),
      );
      return [answer.status, await answer.json()];
    };
    const refused = [403, { error: "Not allowed with an API key" }];
    expect(await guess("1990-01-31")).toEqual(refused);
    expect(await guess("1990-02-01")).toEqual(refused);
  });
});

describe("last use of an API key", () => {
  const usedAt = async (keyId: string) =>
    (await db.select({ at: apiKeys.lastUsedAt }).from(apiKeys).where(eq(apiKeys.id, keyId)))[0]
      ?.at ?? null;

  test("is stored at most once a minute", async () => {
    const { key, keyId } = await granted(await createPerson(ctx), ["profile:read"]);
    expect(await usedAt(keyId)).toBeNull();
    await api("/users/me", key);
    const first = await usedAt(keyId);
    expect(first).toBeGreaterThan(testClock.now() - 60_000);
    await api("/users/me", key);
    expect(await usedAt(keyId)).toBe(first);
    await db
      .update(apiKeys)
      .set({ lastUsedAt: testClock.now() - 60_000 })
      .where(eq(apiKeys.id, keyId));
    await api("/users/me", key);
    expect(await usedAt(keyId)).toBeGreaterThanOrEqual(first ?? Number.NaN);
  });
});

describe("Revogar", () => {
  test("the key stops working at once", async () => {
    const key = await created("Vazada");
    expect((await api("/users/me", key)).status).toBe(200);
    const answer = await revoke(await idOf("Vazada"));
    expect(answer.headers.get("Location")).toBe("/auth/account/keys");
    expect((await api("/users/me", key)).status).toBe(401);
    expect((await listed()).map((shown) => shown.name)).not.toContain("Vazada");
  });

  test("needs no recent authentication, so that a leaked key can be stopped at once", async () => {
    await created("Perdida");
    const id = await idOf("Perdida");
    await proven(new Date(testClock.now() - 11 * 60_000));
    expect((await page("/auth/account/keys/create")).headers.get("Location")).toContain(
      "/auth/confirm",
    );
    expect((await revoke(id)).headers.get("Location")).toBe("/auth/account/keys");
    await proven(testClock.date());
  });

  test("refuses a second revocation and another member's key", async () => {
    await created("Minha");
    const id = await idOf("Minha");
    const stranger = await memberCookies(signUpFields());
    expect((await page(`/auth/account/keys/${id}/revocation`, stranger)).status).toBe(404);
    expect((await revoke(id, stranger)).status).toBe(404);
    expect((await revoke(id)).status).toBe(302);
    const again = await revoke(id);
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({
      message: "Esta chave não existe ou já foi revogada.",
    });
  });
});

test("/settings/connections lists the member's API keys", async () => {
  await created("Meu leitor");
  const { keys } = z
    .object({ keys: z.object({ items: shownKeys.shape.keys }) })
    .parse(await (await page("/settings/connections")).json());
  expect(keys.items.map((key) => key.name)).toContain("Meu leitor");
});
