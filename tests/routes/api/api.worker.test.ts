import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { composeContext } from "#app/compose.server.ts";
import { openDatabase } from "#app/db/client.server.ts";
import { createCollection, deleteCollection } from "#app/domain/collections/commands.server.ts";
import { addPosts } from "#app/domain/collections/commands/placing.server.ts";
import type { Context } from "#app/domain/context.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { follow, openSpace } from "#app/domain/profiles/commands.server.ts";
import * as authToken from "#app/routes/api/auth-token.ts";
import * as collection from "#app/routes/api/collection.ts";
import * as isRegistered from "#app/routes/api/is-registered.ts";
import * as notFound from "#app/routes/api/not-found.ts";
import * as openapi from "#app/routes/api/openapi.ts";
import * as post from "#app/routes/api/post.ts";
import * as posts from "#app/routes/api/posts.ts";
import * as register from "#app/routes/api/register.ts";
import * as userProfile from "#app/routes/api/user-profile.ts";
import * as usersMe from "#app/routes/api/users-me.ts";
import { media } from "#drizzle/schema/media.ts";
import { postMedia } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testClock } from "#tests/support/clock.ts";
import { plainCollection } from "#tests/support/collections.ts";
import {
  createRouteCaller,
  jsonRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import type { SignUpFields } from "#tests/support/call-route.ts";
import { insertMember as memberOfTest } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ask = createRouteCaller([
  { path: "api/v1/openapi.json", module: openapi },
  { path: "api/v1/auth/token", module: authToken },
  { path: "api/v1/auth/is-registered", module: isRegistered },
  { path: "api/v1/auth/register", module: register },
  { path: "api/v1/users/me", module: usersMe },
  { path: "api/v1/users/:username/profile", module: userProfile },
  { path: "api/v1/posts", module: posts },
  { path: "api/v1/posts/:id", module: post },
  { path: "api/v1/collections/:id", module: collection },
  { path: "api/v1/*", module: notFound },
]);

const documentSchema = z.object({
  openapi: z.literal("3.1.0"),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

const db = openDatabase(testEnv.DB);
const get = (path: string, token?: string) =>
  ask(
    new Request(
      `${TEST_ORIGIN}/api/v1${path}`,
      token ? { headers: { Authorization: `Bearer ${token}` } } : {},
    ),
  );
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(jsonRequest(`/api/v1${path}`, body, headers));

let ctx: Context;
let described: z.infer<typeof documentSchema>;
let creator: Registered;
let fan: Registered;

type Registered = SignUpFields & { id: string; token: string };

async function registered(name: string): Promise<Registered> {
  const person = signUpFields(name);
  await memberOfTest(person);
  const { token } = z
    .object({ token: z.string() })
    .parse(
      await (
        await send("/auth/token", { identifier: person.username, password: person.password })
      ).json(),
    );
  const [profile] = await db
    .select({ id: profiles.personId })
    .from(profiles)
    .where(eq(profiles.username, person.username));
  return { ...person, id: profile?.id ?? "", token };
}

/** Checks the answer against its schema in the OpenAPI document, and returns its body. */
async function promised(answer: Response, schema: string): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  const found = z.fromJSONSchema(described.components.schemas[schema] ?? false).safeParse(body);
  expect(found.error?.issues ?? []).toEqual([]);
  return z.record(z.string(), z.unknown()).parse(body);
}

async function published(
  title: string,
  audience: "public" | "followers" | "subscribers",
): Promise<string> {
  const { postId } = await publishPost(ctx, {
    authorId: creator.id,
    title,
    content: `${title}: o segredo inteiro`,
    teaser: `${title}: só o começo`,
    audience,
    planIds: [],
    image: null,
  });
  const mediaId = ctx.newId();
  await db.batch([
    db.insert(media).values({
      id: mediaId,
      ownerId: creator.id,
      purpose: "post",
      contentType: "image/webp",
      sizeBytes: 1,
      width: 10,
      height: 10,
      alt: "Praça",
      createdAt: ctx.now(),
    }),
    db.insert(postMedia).values({ postId, mediaId, position: 0 }),
  ]);
  return postId;
}

beforeAll(async () => {
  ({ ctx } = await composeContext(testEnv));
  described = documentSchema.parse(await (await get("/openapi.json")).json());
  creator = await registered("Ana Criadora");
  fan = await registered("Bruno Fã");
  await openSpace(ctx, {
    personId: creator.id,
    name: creator.name,
    bio: "Forró",
    craft: "rabeca",
    city: "Olinda",
    avatarMediaId: null,
    bannerMediaId: null,
  });
});

test("the OpenAPI document names every path of the specification, the events and the conversations", () => {
  const calls = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(calls.toSorted()).toEqual([
    "get /auth/is-registered",
    "get /collections/{id}",
    "get /conversations",
    "get /conversations/{id}",
    "get /events",
    "get /events/tickets",
    "get /events/{id}",
    "get /me/analytics",
    "get /posts",
    "get /posts/{id}",
    "get /users/me",
    "get /users/{username}/profile",
    "post /auth/register",
    "post /auth/token",
    "post /conversations",
    "post /conversations/{id}",
    "post /conversations/{id}/files",
  ]);
});

describe("users", () => {
  test("users/me returns the member of the token, with their e-mail", async () => {
    const me = await promised(await get("/users/me", fan.token), "Profile");
    expect(me).toEqual({
      id: fan.id,
      name: fan.name,
      email: fan.email,
      avatarUrl: "",
      username: fan.username,
      followersCount: 0,
      postsCount: 0,
      bio: "",
      bannerUrl: "",
      isFollowing: false,
    });
  });

  test.each([[undefined], ["nonsense"], ["a.b"], ["%00"]])(
    "users/me without a valid token (%s) answers 401",
    async (token) => {
      const answer = await get("/users/me", token);
      expect(answer.status).toBe(401);
      expect(await promised(answer, "Error")).toEqual({ error: "Unauthorized" });
    },
  );

  test("a profile shows its e-mail only to its owner, and whether the reader follows", async () => {
    await follow(ctx, { followerId: fan.id, creatorId: creator.id });
    const seen = await promised(
      await get(`/users/${creator.username}/profile`, fan.token),
      "Profile",
    );
    expect(seen).toMatchObject({ email: "", isFollowing: true, followersCount: 1, bio: "Forró" });
    expect(
      await promised(await get(`/users/${creator.username.toUpperCase()}/profile`), "Profile"),
    ).toMatchObject({ email: "", isFollowing: false });
    expect(
      await promised(await get(`/users/${creator.username}/profile`, creator.token), "Profile"),
    ).toMatchObject({ email: creator.email });
  });

  test.each([["ninguem-com-este-nome"], ["%25"], ["a'--"]])(
    "an unknown username %s is not found",
    async (username) => {
      const answer = await get(`/users/${username}/profile`);
      expect(answer.status).toBe(404);
      expect(await promised(answer, "Error")).toEqual({ error: "User not found" });
    },
  );

  test("an id is not accepted as a username", async () => {
    expect((await get(`/users/${creator.id}/profile`)).status).toBe(404);
  });
});

describe("collections", () => {
  test("return their posts in order and in pages, each with the access of the reader", async () => {
    const { collectionId } = await createCollection(ctx, {
      ...plainCollection,
      title: "Aulas",
      creatorId: creator.id,
      priceCents: 2_990,
    });
    const postIds = [
      await published("Aberta", "public"),
      await published("Para quem segue", "followers"),
      await published("Última", "public"),
    ];
    await addPosts(ctx, { collectionId, creatorId: creator.id, postIds });
    const reader = await registered("Quem Segue");
    await follow(ctx, { followerId: reader.id, creatorId: creator.id });
    // A price is hidden while its creator may not sell.
    expect(await promised(await get(`/collections/${collectionId}`), "Collection")).toMatchObject({
      priceCents: null,
    });
    await submitSellerDetails(ctx, {
      personId: creator.id,
      fullName: "Nina Lima",
      cpf: generateCpf(),
      birthDate: "1990-01-31",
      pixKey: { kind: "email", key: "nina@exemplo.test" },
    });
    const closed = await promised(await get(`/collections/${collectionId}`), "Collection");
    expect(closed).toMatchObject({
      title: "Aulas",
      coverUrl: "",
      priceCents: 2_990,
      user: { username: creator.username },
      pagination: { limit: 10, page: 1, totalItems: 3 },
    });
    expect(JSON.stringify(closed)).not.toContain("Para quem segue: o segredo");
    const open = await promised(
      await get(`/collections/${collectionId}?limit=2`, reader.token),
      "Collection",
    );
    expect([open.items, JSON.stringify(open).includes("Para quem segue: o segredo")]).toMatchObject(
      [
        [
          { title: "Aberta", blocked: false },
          { title: "Para quem segue", blocked: false },
        ],
        true,
      ],
    );
    expect(
      await promised(await get(`/collections/${collectionId}?limit=2&page=2`), "Collection"),
    ).toMatchObject({ items: [{ title: "Última" }], pagination: { page: 2, totalItems: 3 } });
    expect(
      await promised(await get(`/collections/${collectionId}?limit=2&page=3`), "Collection"),
    ).toMatchObject({ items: [] });
    expect(await promised(await get("/collections/nenhuma"), "Error")).toEqual({
      error: "Collection not found",
    });
    await deleteCollection(ctx, { collectionId, creatorId: creator.id });
    expect((await get(`/collections/${collectionId}`)).status).toBe(404);
  });
});

describe("posts", () => {
  test("a locked post returns its teaser and no media URL; with access it returns everything", async () => {
    const postId = await published("Para quem segue", "followers");
    await follow(ctx, { followerId: fan.id, creatorId: creator.id });
    const closed = await promised(await get(`/posts/${postId}`), "Post");
    expect(closed).toMatchObject({
      blocked: true,
      content: "Para quem segue: só o começo",
      typeVisibility: "followers",
      isLiked: false,
    });
    expect(closed.media).toEqual([{ id: expect.any(String), mediaType: "image/webp", url: "" }]);
    expect(JSON.stringify(closed)).not.toContain("segredo");
    const open = await promised(await get(`/posts/${postId}`, fan.token), "Post");
    expect(open).toMatchObject({ blocked: false, content: "Para quem segue: o segredo inteiro" });
    expect(open.media).toEqual([
      {
        id: expect.any(String),
        mediaType: "image/webp",
        url: expect.stringMatching(new RegExp(`^${TEST_ORIGIN}/media/[0-9a-f]{32}/1280$`)),
      },
    ]);
    expect(open.user).toEqual({
      id: creator.id,
      name: creator.name,
      username: creator.username,
      avatarUrl: "",
    });
  });

  test.each([["nonsense"], ["a.b"], ["Bearer"]])(
    "an invalid token (%s) reads as a visitor",
    async (token) => {
      const postId = await published("Aberta", "public");
      expect(await promised(await get(`/posts/${postId}`, token), "Post")).toMatchObject({
        blocked: false,
        typeVisibility: "public",
      });
      expect((await get("/posts", token)).status).toBe(200);
    },
  );

  test("an unknown post is not found", async () => {
    const answer = await get("/posts/nenhuma");
    expect(answer.status).toBe(404);
    expect(await promised(answer, "Error")).toEqual({ error: "Post not found" });
  });

  test("the list is paged, ten at a time, newest first, with its total", async () => {
    for (let count = 0; count < 13; count += 1)
      await published(`Número ${count}`, count % 2 === 0 ? "public" : "subscribers");
    const pageSchema = z.object({
      items: z.array(z.object({ id: z.string(), createdAt: z.string() })),
      pagination: z.object({ limit: z.number(), page: z.number(), totalItems: z.number() }),
    });
    const first = pageSchema.parse(await promised(await get("/posts"), "PostList"));
    const second = pageSchema.parse(await promised(await get("/posts?page=2"), "PostList"));
    expect(first.items).toHaveLength(10);
    expect(second.items.length).toBeGreaterThan(0);
    const ids = [...first.items, ...second.items].map((item) => item.id);
    expect(new Set(ids).size).toBe(ids.length);
    const times = [...first.items, ...second.items].map((item) => item.createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(first.pagination).toEqual({
      limit: 10,
      page: 1,
      totalItems: second.pagination.totalItems,
    });
    expect(first.pagination.totalItems).toBeGreaterThanOrEqual(13);
    await published("Mais uma", "public");
    const later = pageSchema.parse(await (await get("/posts?limit=1")).json());
    expect(later.pagination.totalItems).toBeGreaterThan(first.pagination.totalItems);
  });

  test("a page after the last post is empty and no error", async () => {
    expect(await promised(await get("/posts?page=20&limit=50"), "PostList")).toMatchObject({
      items: [],
      pagination: { limit: 50, page: 20 },
    });
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=51", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=dez", "limit"],
    ["limit=", "limit"],
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=1e3", "page"],
    ["page=101", "page"],
    ["page=21&limit=50", "page"],
    ["page=999999999999", "page"],
  ])("?%s is refused, with the field %s named", async (search, field) => {
    const answer = await get(`/posts?${search}`);
    expect(answer.status).toBe(400);
    const problem = await promised(answer, "Error");
    expect(problem.field).toBe(field);
    expect(problem.error).toMatch(new RegExp(`^${field}: `));
  });
});

describe("registration through the API", () => {
  test("tells whether the person of the token is registered", async () => {
    expect(await promised(await get("/auth/is-registered"), "Registration")).toEqual({
      isRegistered: false,
    });
    expect(await promised(await get("/auth/is-registered", fan.token), "Registration")).toEqual({
      isRegistered: true,
    });
    const { name, username, birthDate, termsVersion } = fan;
    const again = await send(
      "/auth/register",
      { name, username, birthDate, termsVersion },
      { Authorization: `Bearer ${fan.token}` },
    );
    expect(again.status).toBe(200);
    expect(await promised(again, "Registration")).toEqual({ isRegistered: true });
  });

  test("without a token answers 401, also for an e-mail or username that has an account", async () => {
    for (const body of [
      signUpFields(),
      { ...signUpFields(), email: fan.email },
      { ...signUpFields(), username: fan.username },
    ]) {
      const answer = await send("/auth/register", body);
      expect(answer.status).toBe(401);
      expect(await promised(answer, "Error")).toEqual({ error: "Unauthorized" });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test("refuses a person under 16, with the field birthDate named", async () => {
    const { name, username, termsVersion } = fan;
    const answer = await send(
      "/auth/register",
      { name, username, termsVersion, birthDate: `${testClock.date().getFullYear() - 15}-01-01` },
      { Authorization: `Bearer ${fan.token}` },
    );
    expect(answer.status).toBe(403);
    expect(await promised(answer, "Error")).toMatchObject({ field: "birthDate" });
  });

  test("names each invalid field", async () => {
    for (const field of ["name", "username", "birthDate", "termsVersion"]) {
      const answer = await send(
        "/auth/register",
        { ...signUpFields(), [field]: "" },
        { Authorization: `Bearer ${fan.token}` },
      );
      expect(answer.status).toBe(400);
      expect(await promised(answer, "Error")).toMatchObject({ field });
    }
  });
});

describe("API tokens", () => {
  test("a password gives a token that authenticates its member", async () => {
    const answer = await send("/auth/token", {
      identifier: fan.email.toUpperCase(),
      password: fan.password,
    });
    const token = await promised(answer, "Token");
    expect(token.tokenType).toBe("Bearer");
    expect(await promised(await get("/users/me", String(token.token)), "Profile")).toMatchObject({
      id: fan.id,
    });
  });

  test("a wrong password answers 401", async () => {
    const answer = await send("/auth/token", { identifier: fan.email, password: "errada demais" });
    expect(answer.status).toBe(401);
    await promised(answer, "Error");
  });
});

describe("request bodies and methods", () => {
  test("refuses a body that is not JSON", async () => {
    const answer = await ask(
      new Request(`${TEST_ORIGIN}/api/v1/auth/token`, { method: "POST", body: "{" }),
    );
    expect(answer.status).toBe(400);
    expect(await promised(answer, "Error")).toMatchObject({ field: "body" });
  });

  test("refuses a body over 1 MB", async () => {
    const answer = await send(
      "/auth/register",
      { ...signUpFields(), name: "x".repeat(1024 * 1024) },
      { Authorization: `Bearer ${fan.token}` },
    );
    expect(answer.status).toBe(413);
  });

  test("refuses a registration with cookies or from another origin", async () => {
    expect((await send("/auth/register", signUpFields(), { Cookie: "a=b" })).status).toBe(403);
    expect(
      (await send("/auth/register", signUpFields(), { Origin: "https://evil.test" })).status,
    ).toBe(403);
  });

  test("answers a wrong method and an unknown path in JSON", async () => {
    expect((await send("/posts", {})).status).toBe(405);
    expect((await get("/auth/token")).status).toBe(405);
    const unknown = await get("/nothing/here");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({ error: "Not found" });
  });
});
