import type { MiddlewareFunction } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { newestNews } from "#app/domain/product-news/queries.server.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as discard from "#app/routes/admin/news/news-discard.tsx";
import * as item from "#app/routes/admin/news/news-item.tsx";
import * as list from "#app/routes/admin/news/news.tsx";
import * as terms from "#app/routes/admin/news/terms-announcement.tsx";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import { createModerator, createPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ofStaff = (module: object) => ({
  module,
  middleware: [requireModerator as MiddlewareFunction],
});
const routes = callRoutesAs([
  { path: "admin/news", ...ofStaff(list) },
  { path: "admin/news/terms", ...ofStaff(terms) },
  { path: "admin/news/:id", ...ofStaff(item) },
  { path: "admin/news/:id/discard", ...ofStaff(discard) },
]);

let ctx: Context;
let staff: ActingCaller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  ctx = (await testContext()).ctx;
  staff = { person: await createModerator(ctx), isModerator: true };
});

const written = { text: "Eventos que se repetem", path: "/ajuda/eventos?de=novidade#datas" };
const idOfNewest = async () => (await newestNews(ctx, { limit: 1 }))[0]?.id ?? "";

describe("the news of Coreto", () => {
  test("are written, seen as they will be, and sent", async () => {
    await routes.post(staff, "/admin/news", written);
    const id = await idOfNewest();
    await routes.post(staff, `/admin/news/${id}`, {});
    expect(await newestNews(ctx, { limit: 2 })).toMatchObject([
      { ...written, sentAt: expect.any(Number), sentBy: staff.person.id },
    ]);
  });

  test.each([
    ["text", { ...written, text: "   " }],
    ["text", { ...written, text: "a".repeat(201) }],
    ["path", { ...written, path: "" }],
    ["path", { ...written, path: "ajuda" }],
    ["path", { ...written, path: "//mal.example" }],
    ["path", { ...written, path: "https://mal.example" }],
    ["path", { ...written, path: "javascript:alert(1)" }],
    ["path", { ...written, path: `/${"a".repeat(200)}` }],
  ])("are refused beside %s, with what was typed: %o", async (field, typed) => {
    const answer = await routes.post(staff, "/admin/news", typed);
    expect(answer.status).toBe(400);
    const { errors, values } = JSON.parse(await answer.text()) as FormProblem;
    expect(Object.keys(errors)).toEqual([field]);
    expect(values).toMatchObject(typed);
    expect(await newestNews(ctx, { limit: 1 })).toEqual([]);
  });

  test("stand above whether everybody knows the newest terms, which are announced once", async () => {
    type Shown = { terms: { announced: string | null } };
    const announced = async () => (await routes.read<Shown>(staff, "/admin/news")).terms.announced;
    expect(await announced()).toBeNull();
    await routes.post(staff, "/admin/news/terms", {});
    expect(await announced()).toContain("2026");
    const again = await routes.post(staff, "/admin/news/terms", {});
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("Todos já foram avisados");
  });

  test("are for staff", async () => {
    const member: ActingCaller = { person: await createPerson(ctx, "Bia"), isModerator: false };
    await routes.post(staff, "/admin/news", written);
    const id = await idOfNewest();
    for (const path of [
      "/admin/news",
      "/admin/news/terms",
      `/admin/news/${id}`,
      `/admin/news/${id}/discard`,
    ])
      expect(await responseOutcome(routes.post(member, path, written))).toBe("404");
    expect(await newestNews(ctx, { limit: 2 })).toMatchObject([{ id, sentAt: null }]);
  });
});
