import { describe, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { requireMember } from "#app/http/require-member.ts";
import {
  createRouteCaller,
  formRequest,
  jsonRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { memberCookies } from "#tests/support/registered.ts";

const middleware = [requireMember as MiddlewareFunction];
const accepts = { action: () => Response.json({ isAccepted: true }) };
const ask = createRouteCaller(
  [
    "post/create",
    "settings/profile",
    "auth/account/username",
    "auth/account/emails",
    "auth/account/keys/create",
    "space/:id/follow",
    "post/:id/like",
  ].map((path) => ({ path, module: accepts, middleware })),
);

describe("a form that is sent after its session ended", () => {
  test.each([
    ["/post/create", { title: "Ensaio", content: "Duas horas de texto.", ways: "public" }],
    ["/settings/profile", { name: "Ana Lira", bio: "Toco rabeca." }],
    ["/auth/account/username", { username: "ana-lira" }],
    ["/auth/account/emails", { email: "ana@exemplo.test" }],
    ["/auth/account/keys/create", { name: "Relatório do mês" }],
  ])(
    "%s is shown again with the typed values and a sign-in link, and nothing is written",
    async (path, values) => {
      const answer = await ask(formRequest(path, values));
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({
        message:
          "A sua sessão terminou. Entre em outra aba e envie de novo: o texto continua aqui.",
        path,
        typed: { values, isWhole: true },
        link: { to: "/auth/login", text: "Entrar" },
      });
      const Cookie = await memberCookies(signUpFields());
      expect(await (await ask(formRequest(path, values, { Cookie }))).json()).toEqual({
        isAccepted: true,
      });
    },
  );

  test("never repeats a password", async () => {
    const answer = await ask(
      formRequest("/auth/account/emails", { email: "a@b.test", password: "segredo" }),
    );
    const text = await answer.text();
    expect(text).toContain("a@b.test");
    expect(text).not.toContain("segredo");
  });

  test("leads to sign-in and back where nothing is written: an act of one touch, a page, a program", async () => {
    const leadsTo = async (request: Request) => (await ask(request)).headers.get("Location");
    expect(await leadsTo(formRequest("/space/ana/follow", { following: "true" }))).toBe(
      "/auth/login?to=%2Fspace%2Fana%2Ffollow",
    );
    expect(await leadsTo(formRequest("/post/1/like", { liked: "true" }))).toBe(
      "/auth/login?to=%2Fpost%2F1%2Flike",
    );
    expect(await leadsTo(jsonRequest("/post/create", {}, { Origin: TEST_ORIGIN }))).toBe(
      "/auth/login?to=%2Fpost%2Fcreate",
    );
  });
});
