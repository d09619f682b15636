import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { AudienceState } from "#app/domain/subscriptions/audience/rules.ts";
import * as list from "#app/routes/studio/audience/subscribers.tsx";
import * as compCreate from "#app/routes/studio/audience/comp-create.tsx";
import * as compEnd from "#app/routes/studio/audience/comp-end.tsx";
import * as compLeave from "#app/routes/settings/subscriptions/comp.tsx";
import * as sheet from "#app/routes/studio/audience/subscribers-csv.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const routes = callRoutesAs([
  { path: "me/subscribers", module: list },
  { path: "me/subscribers/planilha.csv", module: sheet },
  { path: "me/subscribers/comp", module: compCreate },
  { path: "me/subscribers/:id/comp", module: compEnd },
  { path: "settings/subscriptions/:id/comp", module: compLeave },
]);

type Shown = {
  name: string;
  username: string;
  status: AudienceState;
  monthlyCents: number | null;
  amountCents: number | null;
  paidCents: number | null;
};
type Listed = {
  items: Shown[];
  next: string | null;
  counts: { count: number; monthlyCents: number | null; byStatus: Record<string, number> };
};

const tap = recordDatabase(testEnv.DB);
let world: World;
let ctx: Context;
let ana: Seller;
let jose: TestPerson;
const listed = async (caller: ActingCaller, search = "") =>
  await routes.read<Listed>(caller, `/me/subscribers${search}`);
const text = async (caller: ActingCaller, search = "") =>
  await (await routes.get(caller, `/me/subscribers/planilha.csv${search}`)).text();

beforeAll(async () => {
  world = await testContext({ database: () => tap.database });
  ctx = world.ctx;
  ana = await createSeller(ctx);
  jose = await createPerson(ctx, "José Conceição");
  await paidSubscription(world, jose, ana);
});

describe("complimentary subscription", () => {
  test("plan managers grant and end it, its subscriber leaves it, and others get 404", async () => {
    const made = await createTeamFor(ctx);
    const [lia, stranger, other] = [
      await createPerson(ctx, "Lia"),
      await createPerson(ctx),
      await createSeller(ctx),
    ];
    const owner: ActingCaller = { person: made.owner, isCreator: true };
    const admin: ActingCaller = {
      person: await createTeammate(ctx, made, "admin"),
      teamId: made.teamId,
    };
    const callers = [
      owner,
      admin,
      { person: await createTeammate(ctx, made, "basic_member"), teamId: made.teamId },
      { person: await createTeammate(ctx, made, "guest_member"), teamId: made.teamId },
    ];
    const spaceOf = (caller: ActingCaller): Record<string, string> =>
      caller.teamId ? { space: made.owner.id } : {};
    const fields = {
      username: `@${lia.username.toUpperCase()}`,
      planId: made.owner.planId,
      months: "2",
    };
    const [pages, refused] = [[], []] as [string[], string[]];
    for (const caller of callers)
      pages.push(await responseOutcome(routes.get(caller, "/me/subscribers/comp")));
    for (const caller of callers.slice(2))
      refused.push(
        await responseOutcome(
          routes.post(caller, "/me/subscribers/comp", { ...fields, ...spaceOf(caller) }),
        ),
      );
    expect([pages.join(" "), refused.join(" ")]).toEqual(["200 200 403 403", "403 403"]);
    expect(
      await responseOutcome(routes.post({ person: stranger }, "/me/subscribers/comp", fields)),
    ).toBe("409");
    expect(
      await responseOutcome(
        routes.post({ person: other, isCreator: true }, "/me/subscribers/comp", fields),
      ),
    ).toBe("409");
    expect(
      await responseOutcome(
        routes.post(admin, "/me/subscribers/comp", { ...fields, space: made.owner.id }),
      ),
    ).toBe("302");
    const [comp] = await ctx.db
      .select({ id: subscriptions.id, by: subscriptions.compedBy })
      .from(subscriptions)
      .where(eq(subscriptions.fanId, lia.id));
    const id = comp?.id ?? "";
    expect(comp?.by).toBe(admin.person.id);
    expect((await listed(owner, "?method=comp")).items).toMatchObject([
      { name: "Lia", status: "active", monthlyCents: 0 },
    ]);
    expect((await listed(owner, "?method=pix")).items).toEqual([]);
    expect((await listed(owner)).counts).toMatchObject({
      monthlyCents: 0,
      byStatus: { active: 1 },
    });
    expect(await text(owner)).toMatch(/;Cortesia;Cortesia · até /);
    for (const nosy of [
      { person: other, isCreator: true },
      { person: lia, isCreator: true },
    ]) {
      expect(await responseOutcome(routes.get(nosy, `/me/subscribers/${id}/comp`))).toBe("404");
      expect(await responseOutcome(routes.post(nosy, `/me/subscribers/${id}/comp`, {}))).toBe(
        "404",
      );
    }
    for (const nosy of [{ person: stranger }, owner, admin]) {
      expect(await responseOutcome(routes.get(nosy, `/settings/subscriptions/${id}/comp`))).toBe(
        "404",
      );
      expect(
        await responseOutcome(routes.post(nosy, `/settings/subscriptions/${id}/comp`, {})),
      ).toBe("404");
    }
    expect(await responseOutcome(routes.get(admin, `/me/subscribers/${id}/comp`))).toBe("200");
    expect(
      await responseOutcome(routes.post({ person: lia }, `/settings/subscriptions/${id}/comp`, {})),
    ).toBe("302");
    expect(
      await responseOutcome(
        routes.post(admin, `/me/subscribers/${id}/comp`, { space: made.owner.id }),
      ),
    ).toBe("404");
  });

  test("names each invalid field, and the typed values stay", async () => {
    const shop = await createSeller(ctx);
    const caller = { person: shop, isCreator: true };
    const problem = async (fields: Record<string, string>) =>
      (await (await routes.post(caller, "/me/subscribers/comp", fields)).json()) as {
        errors: Record<string, string>;
        values: Record<string, string>;
      };
    const wrong = await problem({ username: "José Conceição", planId: shop.planId, months: "13" });
    expect(wrong.errors).toEqual({
      username: "Escreva o nome de usuário, como @ana.lira.",
      months: "Escolha de 1 a 12 meses, ou sem prazo",
    });
    expect(wrong.values).toMatchObject({ username: "José Conceição", months: "13" });
    expect(
      (await problem({ username: "ninguem.tem.este", planId: shop.planId, months: "" })).errors,
    ).toEqual({ username: "Não encontramos esse nome de usuário." });
    expect(
      (await problem({ username: shop.username, planId: shop.planId, months: "1" })).errors
        .username,
    ).toContain("Você já vê tudo nesta página");
  });
});
