import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { archiveLink, createLink } from "#app/domain/analytics/links/commands.server.ts";
import { followAsIntended } from "#app/http/follow-intent.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as publicCollection from "#app/routes/public/collection.tsx";
import * as publicCollections from "#app/routes/public/collections.tsx";
import * as publicEvent from "#app/routes/public/event.tsx";
import * as publicPost from "#app/routes/public/post.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as spaceAddress from "#app/routes/public/space-address.tsx";
import * as followIntent from "#app/routes/resources/follow-intent.ts";
import { follows } from "#drizzle/schema/profiles.ts";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { sellingEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { priceRule, soldCollection, soldPost, subscribersRule } from "#tests/support/purchases.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { renderPagesAs } from "#tests/support/rendered-pages.ts";

const page = { loader: () => Response.json({ isShown: true }) };
const ask = createRouteCaller([
  { path: ":address", module: spaceAddress },
  { path: "space/:username/public", module: publicSpace },
  { path: "space/:username/public/collections", module: publicCollections },
  { path: "space/:username/public/:postId", module: publicPost },
  { path: "space/:username/public/collections/:id", module: publicCollection },
  { path: "space/:username/public/events/:id", module: publicEvent },
  { path: "auth/follow/:username", module: followIntent },
  {
    path: "space/:id",
    module: page,
    middleware: [requireMember, followAsIntended] as MiddlewareFunction[],
  },
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
  for (const slug of ["insta", "velho"])
    await createLink(world.ctx, { creatorId: ana.id, name: slug, slug });
  await archiveLink(world.ctx, { creatorId: ana.id, slug: "velho", isArchived: true });
});

test("the mark of a link goes with a visitor, and with a member, to the page", async () => {
  const member = await memberCookies(signUpFields());
  expect(await leadsTo(`/@${ana.username}?l=insta`)).toBe(`/space/${ana.username}/public?l=insta`);
  expect(await leadsTo(`/@${ana.username}?l=insta`, member)).toBe(`/space/${ana.username}?l=insta`);
});

test("an archived link, and a made-up one, lead to the page without a mark", async () => {
  for (const slug of ["velho", "inventado"])
    expect(await leadsTo(`/space/${ana.username}/public?l=${slug}`)).toBe(
      `/space/${ana.username}/public`,
    );
  expect((await get(`/space/${ana.username}/public?l=convite`)).status).toBe(200);
});

test("the page's form and its plans carry the mark on, without a cookie", async () => {
  const visitor = await createPerson(world.ctx, "Visitante");
  const html = await renderPagesAs(
    () => world.ctx,
    () => ({ ...visitor, avatarUrl: null, isCreator: false, isModerator: false, leavingAt: null }),
    [{ path: "space/:username/public", module: publicSpace }],
  )(`/space/${ana.username}/public?l=insta`);
  expect(html).toContain(`name="to" value="/space/${ana.username}?l=insta"`);
  expect(html).toMatch(/href="\/checkout\?plan=[^"&]+&amp;l=insta"/);
  const answer = await get(`/space/${ana.username}/public?l=insta`);
  expect(answer.headers.get("Set-Cookie")).toBeNull();
});

test("the mark goes on over a post, a collection and an event, to all that they sell", async () => {
  const { ctx } = world;
  const visitor = await createPerson(ctx, "Outra");
  const { postId } = await soldPost(ctx, ana, { rules: [subscribersRule, priceRule()] });
  const { collectionId } = await soldCollection(ctx, ana, [postId]);
  const { eventId } = await sellingEvent(ctx, ana);
  const render = renderPagesAs(
    () => ctx,
    () => ({ ...visitor, avatarUrl: null, isCreator: false, isModerator: false, leavingAt: null }),
    [
      { path: "space/:username/public", module: publicSpace },
      { path: "space/:username/public/:postId", module: publicPost },
      { path: "space/:username/public/collections/:id", module: publicCollection },
      { path: "space/:username/public/events/:id", module: publicEvent },
    ],
  );
  const page = `/space/${ana.username}/public`;
  for (const [path, ...links] of [
    [
      page,
      `${page}/${postId}?l=insta"`,
      `${page}/collections/${collectionId}?l=insta"`,
      `${page}/events/${eventId}?l=insta"`,
      `/tip?l=insta"`,
      `/gift?l=insta"`,
    ],
    [
      `${page}/${postId}`,
      `/checkout?post=${postId}&amp;l=insta"`,
      `&amp;from=${postId}&amp;l=insta"`,
      `/space/${ana.username}?from=${postId}&amp;l=insta#planos"`,
      `${page}?l=insta"`,
    ],
    [
      `${page}/collections/${collectionId}`,
      `/checkout?collection=${collectionId}&amp;l=insta"`,
      `${page}?l=insta"`,
    ],
    [`${page}/events/${eventId}`, encodeURIComponent(`/events/${eventId}?l=insta`)],
  ] as const) {
    const html = await render(`${path}?l=insta`);
    expect([path, links.filter((link) => !html.includes(link))]).toEqual([path, []]);
    expect(await render(path)).not.toContain("l=insta");
  }
});

test("a made-up mark makes no page of its own, on a post, a collection or an event either", async () => {
  const { postId } = await soldPost(world.ctx, ana);
  const { collectionId } = await soldCollection(world.ctx, ana, [postId]);
  const { eventId } = await sellingEvent(world.ctx, ana);
  for (const path of [postId, `collections/${collectionId}`, `events/${eventId}`, "collections"]) {
    const page = `/space/${ana.username}/public/${path}`;
    expect(await leadsTo(`${page}?l=inventado`)).toBe(page);
    expect((await get(`${page}?l=insta`)).status).toBe(200);
  }
});

test("who follows from a link's page, and signs up on the way, is stored with the link", async () => {
  const form = new URLSearchParams({ to: `/space/${ana.username}?l=insta` });
  const asked = await ask(
    new Request(`${TEST_ORIGIN}/auth/follow/${ana.username}`, {
      method: "POST",
      body: form,
      headers: { Origin: TEST_ORIGIN },
    }),
  );
  const to = new URL(asked.headers.get("Location") ?? "", TEST_ORIGIN).searchParams.get("to") ?? "";
  expect(to).toBe(`/space/${ana.username}?l=insta`);
  const intent = asked.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  expect(intent).not.toContain("insta");
  const member = await memberCookies(signUpFields());
  await get(to, `${member}; ${intent}`);
  const rows = await world.ctx.db.select().from(follows).where(eq(follows.creatorId, ana.id));
  expect(rows.map(({ linkSlug }) => linkSlug)).toEqual(["insta"]);
});

test.for([
  ["Do Not Track", { DNT: "1" }],
  ["Global Privacy Control", { "Sec-GPC": "1" }],
  ["the choice of cookies", {}],
] as [string, Record<string, string>][])(
  "who refuses to be counted by %s is stored without the link",
  async ([, refusal]) => {
    const bia = await createSeller(world.ctx);
    await createLink(world.ctx, { creatorId: bia.id, name: "insta", slug: "insta" });
    const member = await memberCookies(signUpFields());
    const choice = Object.keys(refusal).length > 0 ? "" : "; coreto-measurement=no";
    await ask(
      new Request(`${TEST_ORIGIN}/auth/follow/${bia.username}`, {
        method: "POST",
        body: new URLSearchParams({ to: `/space/${bia.username}?l=insta` }),
        headers: { Origin: TEST_ORIGIN, Cookie: member + choice, ...refusal },
      }),
    );
    const rows = await world.ctx.db.select().from(follows).where(eq(follows.creatorId, bia.id));
    expect(rows.map(({ linkSlug }) => linkSlug)).toEqual([null]);
  },
);
