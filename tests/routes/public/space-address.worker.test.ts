import { beforeAll, describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { visitorsToPublicPage } from "#app/http/public-pages/public-address.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as spaceCreate from "#app/routes/studio/space/space-create.tsx";
import * as ownPage from "#app/routes/space/me.tsx";
import * as spaceAddress from "#app/routes/public/space-address.tsx";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import * as publicPost from "#app/routes/public/post.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import { formerUsernames } from "#drizzle/schema/profiles.ts";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { memberCookies } from "#tests/support/registered.ts";

const middleware = [visitorsToPublicPage, requireMember] as MiddlewareFunction[];
const page = { loader: () => Response.json({ isShown: true }) };

const ask = createRouteCaller([
  { path: ":address", module: spaceAddress },
  { path: "space/:username/public", module: publicSpace },
  { path: "space/:username/public/:postId", module: publicPost },
  { path: "space/create", module: page, middleware },
  { path: "space/:id", module: page, middleware },
  { path: "space/:id/tip", module: page, middleware },
  { path: "post/:id", module: page, middleware },
  { path: "post/create", module: page, middleware },
  { path: "me", module: page, middleware },
]);
const get = (path: string, cookie = "") =>
  ask(new Request(TEST_ORIGIN + path, cookie ? { headers: { Cookie: cookie } } : {}));
const leadsTo = async (path: string, cookie = "") =>
  (await get(path, cookie)).headers.get("Location");

let world: World;
let ana: Seller;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const publish = async (audience: "public" | "followers") =>
  (
    await publishPost(world.ctx, {
      authorId: ana.id,
      title: "Roda de domingo",
      content: "Texto",
      teaser: "Chamada",
      planIds: [],
      image: null,
      audience,
    })
  ).postId;

describe("/@username", () => {
  test("leads a visitor with one redirect to the page for everyone, however it is typed", async () => {
    for (const typed of [ana.username, ana.username.toUpperCase()]) {
      const path = await leadsTo(`/@${typed}`);
      expect(path).toBe(`/space/${ana.username}/public`);
      expect((await get(path ?? "")).status).toBe(200);
    }
  });

  test("leads a member to the creator's page, and its creator to their own", async () => {
    const fan = await memberCookies(signUpFields());
    expect(await leadsTo(`/@${ana.username}`, fan)).toBe(`/space/${ana.username}`);
    const own = signUpFields();
    expect(await leadsTo(`/@${own.username}`, await memberCookies(own))).toBe("/me");
  });

  test("that was left less than a year ago leads to its owner, with one redirect too", async () => {
    await world.ctx.db.insert(formerUsernames).values({
      username: "ana-antiga",
      personId: ana.id,
      leftAt: world.ctx.now(),
      heldUntil: world.ctx.now() + 1_000_000,
    });
    expect(await leadsTo("/@ana-antiga")).toBe(`/space/${ana.username}/public`);
  });

  test("of nobody ends at a page that says so; another address of one word does not exist", async () => {
    const path = await leadsTo("/@ninguem-aqui");
    expect(path).toBe("/space/ninguem-aqui/public");
    expect((await get(path ?? "")).status).toBe(404);
    expect((await get(`/${ana.username}`)).status).toBe(404);
    expect((await get("/@")).status).toBe(404);
    expect(await leadsTo("/@%2F%2Fevil.test")).toBe("/space/%2F%2Fevil.test/public");
  });
});

describe("a visitor with a member's address", () => {
  test("of a creator lands on the page for everyone, with its id as well", async () => {
    expect(await leadsTo(`/space/${ana.username}?cursor=1`)).toBe(
      `/space/${ana.username}/public?cursor=1`,
    );
    expect(await leadsTo(`/space/${ana.id}`)).toBe(`/space/${ana.username}/public`);
    expect((await get((await leadsTo(`/space/${ana.username}`)) ?? "")).status).toBe(200);
  });

  test("of a public post lands on it; a closed one asks to sign in, and leads back", async () => {
    const open = await publish("public");
    const path = await leadsTo(`/post/${open}?collection=1`);
    expect(path).toBe(`/space/${ana.username}/public/${open}?collection=1`);
    expect((await get(path?.split("?")[0] ?? "")).status).toBe(200);
    const closed = await publish("followers");
    expect(await leadsTo(`/post/${closed}`)).toBe(`/auth/login?to=%2Fpost%2F${closed}`);
    expect(await leadsTo("/post/nada")).toBe("/auth/login?to=%2Fpost%2Fnada");
  });

  test("of anything else signs in first, and a member is led nowhere", async () => {
    const open = await publish("public");
    for (const path of ["/space/create", "/post/create", `/space/${ana.username}/tip`, "/me"]) {
      expect(await leadsTo(path)).toBe(`/auth/login?to=${encodeURIComponent(path)}`);
    }
    const fan = await memberCookies(signUpFields());
    expect((await get(`/space/${ana.username}`, fan)).status).toBe(200);
    expect((await get(`/post/${open}`, fan)).status).toBe(200);
  });
});

describe("the address that the product shows", () => {
  const pages = callRoutesAs([
    { path: "space/create", module: spaceCreate },
    { path: "me", module: ownPage },
  ]);

  test("before a page is opened leads to it, once it is open", async () => {
    const joana = await createPerson(world.ctx, "Joana");
    const { address } = await pages.read<{ address: string }>({ person: joana }, "/space/create");
    expect(address).toBe(`${new URL(TEST_ORIGIN).host}/@${joana.username}`);
    expect(await leadsTo(new URL(`https://${address}`).pathname)).toBe(
      `/space/${joana.username}/public`,
    );
  });

  test("on one's own page is the one to copy, with its QR code, and leads visitors there", async () => {
    type Shown = { page: { url: string; qr: { path: string; size: number } } };
    const { page } = await pages.read<Shown>({ person: ana, isCreator: true }, "/me");
    expect(page.url).toBe(`${TEST_ORIGIN}/@${ana.username}`);
    expect(page.qr).toEqual(qrDrawing(page.url));
    expect(await leadsTo(new URL(page.url).pathname)).toBe(`/space/${ana.username}/public`);
  });
});
