import { beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { profileForStatement } from "#app/domain/profiles/queries.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { followAsIntended } from "#app/http/follow-intent.server.ts";
import * as codeEntry from "#app/routes/auth/code-entry.tsx";
import * as code from "#app/routes/auth/code.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as register from "#app/routes/auth/register.tsx";
import * as secondFactor from "#app/routes/auth/second-factor.tsx";
import * as intent from "#app/routes/resources/follow-intent.ts";
import * as spacePage from "#app/routes/space/space.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createRouteCaller, formRequest } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});

const inWorld: MiddlewareFunction = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const asVisitor = createRouteCaller([
  { path: "auth/follow/:username", module: intent, middleware: [inWorld] },
]);
const routes = callRoutesAs([
  { path: "auth/login", module: login },
  { path: "auth/register", module: register },
  { path: "auth/code", module: code },
  { path: "auth/code/entry", module: codeEntry },
  { path: "auth/second-factor", module: secondFactor },
  { path: "auth/follow/:username", module: intent, middleware: [inWorld] },
  {
    path: "space/:id",
    module: spacePage,
    middleware: [inWorld, followAsIntended as MiddlewareFunction],
  },
]);
const follows = async () =>
  (await profileForStatement(world.ctx, { key: ana.id, viewerId: bruno.id }))[0]?.isFollowing === 1;

test("a visitor is led to sign-up, and follows on the first page after it, once", async () => {
  const answer = await asVisitor(formRequest(`/auth/follow/${ana.username}`, {}));
  expect([answer.status, answer.headers.get("location")]).toEqual([
    302,
    `/auth/register?to=${encodeURIComponent(`/space/${ana.username}`)}`,
  ]);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(await follows()).toBe(false);

  const page = await routes.get({ person: bruno, cookie }, `/space/${ana.username}`);
  expect([page.status, page.headers.get("location")]).toEqual([302, `/space/${ana.username}`]);
  expect(page.headers.getSetCookie().join("\n")).toMatch(/__Host-coreto-follow=;.*Max-Age=0/);
  expect(await follows()).toBe(true);
});

test("a visitor who came by a post goes back to it, and never to another site", async () => {
  const to = async (path: string) =>
    (await asVisitor(formRequest(`/auth/follow/${ana.username}`, { to: path }))).headers.get(
      "location",
    );
  expect(await to("/post/p1")).toBe("/auth/register?to=%2Fpost%2Fp1");
  expect(await to("//fora.test")).toBe(
    `/auth/register?to=${encodeURIComponent(`/space/${ana.username}`)}`,
  );
});

test("a signed-in member follows at once; opening the address does not follow", async () => {
  const path = `/auth/follow/${ana.username}`;
  expect((await routes.get({ person: bruno }, path)).headers.get("location")).toBe(
    `/space/${ana.username}/public`,
  );
  expect(await follows()).toBe(false);
  const answer = await routes.post({ person: bruno }, path, { to: "/post/p1" });
  expect(answer.headers.get("location")).toBe("/post/p1");
  expect(answer.headers.get("set-cookie")).toContain("__Host-toast=");
  expect(await follows()).toBe(true);
});

test("the links for visitors lead a member on, without a word about being signed in", async () => {
  for (const page of ["login", "register", "code", "code/entry", "second-factor"]) {
    const leads = async (query: string) =>
      await routes.get({ person: bruno }, `/auth/${page}${query}`);
    const on = await leads("?to=%2Fpost%2Fp1%23comentarios");
    expect([on.headers.get("location"), on.headers.get("set-cookie")]).toEqual([
      "/post/p1#comentarios",
      null,
    ]);
    const nowhere = await leads("");
    expect(nowhere.headers.get("location")).toBe("/");
    expect(nowhere.headers.get("set-cookie")).toContain("__Host-toast=");
  }
});

test("the member's own page, or an unknown one, does not stop the sign-up", async () => {
  for (const username of [ana.username, "ninguem-aqui"]) {
    const cookie = `__Host-coreto-follow=${username}`;
    const page = await routes.get({ person: ana, cookie }, `/space/${ana.username}`);
    expect(page.status).toBe(302);
    expect(page.headers.getSetCookie().join("\n")).toContain("__Host-coreto-follow=;");
  }
});
