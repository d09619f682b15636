import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { monthlyPriceCents } from "#app/domain/plans/rules.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { audiencePageOf } from "#app/domain/subscriptions/audience/queries.server.ts";
import type { AudienceFilter, AudienceState } from "#app/domain/subscriptions/audience/rules.ts";
import * as list from "#app/routes/studio/audience/subscribers.tsx";
import * as compCreate from "#app/routes/studio/audience/comp-create.tsx";
import * as compEnd from "#app/routes/studio/audience/comp-end.tsx";
import * as compLeave from "#app/routes/settings/subscriptions/comp.tsx";
import * as sheet from "#app/routes/studio/audience/subscribers-csv.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { mandateSubscriber } from "#tests/support/pix-mandates.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
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
const EVERYBODY: AudienceFilter = { status: null, planId: null, method: null, terms: [] };
let world: World;
let ctx: Context;
let ana: Seller;
let jose: TestPerson;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });
const listed = async (caller: ActingCaller, search = "") =>
  await routes.read<Listed>(caller, `/me/subscribers${search}`);
const text = async (caller: ActingCaller, search = "") =>
  await (await routes.get(caller, `/me/subscribers/planilha.csv${search}`)).text();

/** Inserts `count` subscriptions in one status, each with a subscriber of its own. */
async function standing(
  one: Seller,
  status: AudienceState,
  count: number,
  price: {
    interval?: (typeof intervals)[number];
    amountCents?: number;
    method?: "pix" | "card";
    name?: string;
  } = {},
): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const fan = await createPerson(ctx, price.name ?? `Fã ${status}`);
    const at = ctx.now();
    await commit(ctx.db, [
      ctx.db.insert(subscriptions).values({
        id: ctx.newId(),
        fanId: fan.id,
        creatorId: one.id,
        planId: one.planId,
        planPriceId: one.priceId,
        interval: price.interval ?? "monthly",
        amountCents: price.amountCents ?? 1_990,
        method: price.method ?? "pix",
        status,
        startedAt: at,
        currentPeriodEndsAt: at,
        accessUntil: at,
        createdAt: at,
        updatedAt: at,
      }),
    ]);
  }
}

beforeAll(async () => {
  world = await testContext({ database: () => tap.database });
  ctx = world.ctx;
  ana = await createSeller(ctx);
  jose = await createPerson(ctx, "José Conceição");
  await paidSubscription(world, jose, ana);
});

describe("access to the subscriber list", () => {
  test("refuses a visitor and a member without a page, and shows creators only their own subscribers", async () => {
    expect(await responseOutcome(routes.get({ person: jose }, "/me/subscribers"))).toBe("302");
    expect(
      await responseOutcome(routes.get({ person: jose }, "/me/subscribers/planilha.csv")),
    ).toBe("302");
    const other = await createSeller(ctx);
    const caller = { person: other, isCreator: true };
    expect((await listed(caller)).items).toEqual([]);
    expect((await listed(caller, `?search=jose&plan=${ana.planId}`)).items).toEqual([]);
    expect(await text(caller, `?plan=${ana.planId}`)).not.toContain("José");
  });

  test("a team role that manages plans sees the list; only billing roles see amounts", async () => {
    const made = await createTeamFor(ctx);
    await paidSubscription(world, await createPerson(ctx, "Lia"), made.owner);
    const callers: ActingCaller[] = [
      { person: made.owner, isCreator: true },
      {
        person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
        teamId: made.teamId,
      },
      { person: await createTeammate(ctx, made, "admin"), teamId: made.teamId },
      { person: await createTeammate(ctx, made, "basic_member"), teamId: made.teamId },
      { person: await createTeammate(ctx, made, "guest_member"), teamId: made.teamId },
    ];
    for (const path of ["/me/subscribers", "/me/subscribers/planilha.csv"]) {
      const seen = [];
      for (const caller of callers) seen.push(await responseOutcome(routes.get(caller, path)));
      expect(seen.join(" ")).toBe("200 200 200 403 403");
    }
    const [, billing, admin] = callers;
    if (!billing || !admin) throw new Error("nobody");
    expect((await listed(billing)).items[0]).toMatchObject({
      name: "Lia",
      amountCents: 1_990,
      monthlyCents: 1_990,
      paidCents: 1_990,
    });
    const blind = await listed(admin);
    expect(blind.items[0]).toMatchObject({
      name: "Lia",
      amountCents: null,
      monthlyCents: null,
      paidCents: null,
    });
    expect(blind.counts.monthlyCents).toBe(null);
    // A number of its own: an id or a time may contain these digits.
    expect(JSON.stringify(blind)).not.toMatch(/\b1990\b/);
    expect(await text(admin)).not.toMatch(/19,90|Preço/);
    expect(await text(billing)).toContain("19,90");
  });

  test("sends no e-mail, tax id, birth date, saved card or id of a subscriber", async () => {
    const sent = JSON.stringify(await listed(asAna())) + (await text(asAna()));
    expect(sent).toContain("José Conceição");
    for (const secret of [jose.email, "birth", "cpf", "savedMethod", jose.id])
      expect(sent).not.toContain(secret);
  });
});

describe("contents of the subscriber list", () => {
  test("the counters equal the sums of the list by status and amount, after every change", async () => {
    const shop = await createSeller(ctx);
    const caller = { person: shop, isCreator: true };
    for (const [index, interval] of intervals.entries())
      await standing(shop, "active", 1, {
        interval,
        amountCents: 1_999 + index,
        method: index % 2 === 0 ? "pix" : "card",
      });
    for (const status of ["trialing", "past_due", "paused", "expired"] as const)
      await standing(shop, status, 2);
    const leaving = await createPerson(ctx, "Vai");
    const { purchaseId } = await paidSubscription(world, leaving, shop);
    await cancelSubscription(ctx, { fanId: leaving.id, subscriptionId: purchaseId });
    const regrets = await createPerson(ctx, "Foi");
    await requestSubscriptionCoolingOffRefund(ctx, {
      fanId: regrets.id,
      subscriptionId: (await paidSubscription(world, regrets, shop)).purchaseId,
    });
    await world.drain();
    const whole = await listed(caller);
    expect(whole.counts.byStatus).toEqual({
      active: 5,
      trialing: 2,
      past_due: 2,
      paused: 2,
      canceled: 1,
      expired: 3,
    });
    expect(whole.counts.count).toBe(whole.items.length);
    expect(whole.counts.monthlyCents).toBe(
      intervals.reduce(
        (sum, interval, index) => sum + monthlyPriceCents(1_999 + index, interval),
        0,
      ),
    );
    expect(whole.items.reduce((sum, { monthlyCents }) => sum + (monthlyCents ?? 0), 0)).toBe(
      whole.counts.monthlyCents,
    );
    expect(whole.items.find(({ name }) => name === "Foi")?.paidCents).toBe(0);
    expect(whole.items.find(({ name }) => name === "Vai")?.paidCents).toBe(1_990);
    for (const [status, count] of Object.entries(whole.counts.byStatus))
      expect((await listed(caller, `?status=${status}`)).items).toHaveLength(count);
    await ctx.db
      .update(subscriptions)
      .set({ amountCents: 900, interval: "monthly", status: "active" })
      .where(eq(subscriptions.creatorId, shop.id));
    expect((await listed(caller)).counts).toMatchObject({
      byStatus: { active: 15 },
      monthlyCents: 15 * 900,
    });
    await ctx.db.delete(subscriptions).where(eq(subscriptions.id, purchaseId));
    expect(
      (await invariantFindings(ctx)).find(({ name }) => name === "audience_kept")?.rows,
    ).toEqual([]);
  });

  test("names Pix Automático for its subscribers, on the page and in the spreadsheet", async () => {
    const one = await createSeller(ctx);
    await mandateSubscriber(world, await createPerson(ctx, "Zé do Pix"), one);
    await paidSubscription(world, await createPerson(ctx, "Rui do Pix"), one);
    const asOne: ActingCaller = { person: one, isCreator: true };
    expect((await listed(asOne)).items).toMatchObject([
      { name: "Rui do Pix", isAutomatic: false },
      { name: "Zé do Pix", isAutomatic: true },
    ]);
    const rows = (await text(asOne)).split("\n");
    expect(rows.find((row) => row.includes("Zé do Pix"))).toContain("Pix Automático");
    expect(rows.find((row) => row.includes("Rui do Pix"))).not.toContain("Automático");
  });

  test("leaves out a checkout that was never paid", async () => {
    const shop = await createSeller(ctx);
    const at = ctx.now();
    await ctx.db.insert(subscriptions).values({
      id: ctx.newId(),
      fanId: jose.id,
      creatorId: shop.id,
      planId: shop.planId,
      planPriceId: shop.priceId,
      interval: "monthly",
      amountCents: 1_990,
      method: "pix",
      status: "expired",
      createdAt: at,
      updatedAt: at,
    });
    expect(await listed({ person: shop, isCreator: true })).toMatchObject({
      items: [],
      counts: { count: 0, monthlyCents: 0, byStatus: {} },
    });
  });

  test("finds a name with or without accents, whole or in part, and no other name", async () => {
    for (const search of [
      "jose",
      "JOSÉ",
      "concei%C3%A7ao",
      "José Conceição",
      "conceicao jose",
      `%40${jose.username}`,
      "Jose%CC%81",
    ]) {
      expect(
        (await listed(asAna(), `?search=${search}`)).items.map(({ name }) => name),
        search,
      ).toEqual(["José Conceição"]);
    }
    for (const search of ["maria", "jose maria", "%25", "_", "'", "%5C"])
      expect((await listed(asAna(), `?search=${search}`)).items, search).toEqual([]);
    await ctx.db
      .update(profiles)
      .set({ name: "Jose\u{301} ÂNGELO" })
      .where(eq(profiles.personId, jose.id));
    expect((await listed(asAna(), "?search=jos%C3%A9+angelo")).items).toHaveLength(1);
    await ctx.db
      .update(profiles)
      .set({ name: "José Conceição" })
      .where(eq(profiles.personId, jose.id));
  });

  test("pages and spreadsheet hold each subscriber once, with every filter", async () => {
    const shop = await createSeller(ctx);
    await standing(shop, "active", 23, { method: "card" });
    await standing(shop, "canceled", 22, { name: "=Fórmula; sim" });
    const caller = { person: shop, isCreator: true };
    for (const [search, count] of [
      ["?", 45],
      ["?status=canceled", 22],
      ["?method=card", 23],
      [`?plan=${shop.planId}`, 45],
      ["?search=formula", 22],
      [`?status=canceled&plan=${shop.planId}&method=pix`, 22],
    ] as const) {
      const names: string[] = [];
      for (
        let page = await listed(caller, search);
        ;
        page = await listed(caller, `${search}&cursor=${page.next}`)
      ) {
        names.push(...page.items.map(({ username }) => username));
        if (page.next === null) break;
      }
      expect([names.length, new Set(names).size], search).toEqual([count, count]);
      const lines = (await text(caller, search)).trimEnd().split("\r\n");
      expect(lines, search).toHaveLength(count + 1);
    }
    const whole = await text(caller, "?status=canceled");
    expect(whole.startsWith("Nome;Usuário;")).toBe(true);
    const bytes = new Uint8Array(
      await (await routes.get(caller, "/me/subscribers/planilha.csv")).arrayBuffer(),
    );
    expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    expect(whole).toContain(`"'=Fórmula; sim";`);
  });
});

test("a page of the subscriber list takes one database trip and a bounded number of rows", async () => {
  const shop = await createSeller(ctx);
  await standing(shop, "active", 60);
  await standing(shop, "past_due", 3);
  const filters: [string, Partial<AudienceFilter>, number][] = [
    ["everybody", {}, 160],
    ["late", { status: "past_due" }, 60],
    ["late of a plan", { status: "past_due", planId: shop.planId, method: "pix" }, 60],
    ["of a plan", { planId: shop.planId }, 160],
    ["by card", { method: "card" }, 30],
    ["active", { status: "active" }, 160],
    ["courtesies", { method: "comp" }, 30],
    ["a name that nobody has", { terms: ["ninguem"] }, 260],
  ];
  for (const [name, filter, most] of filters) {
    tap.trips.length = 0;
    await audiencePageOf(ctx, {
      creatorId: shop.id,
      filter: { ...EVERYBODY, ...filter },
      cursor: null,
      limit: 20,
    });
    expect(tap.trips, name).toHaveLength(1);
    const asked = tap.trips.flat();
    for (const statement of asked)
      expect(await wholeTableReads(testEnv.DB, statement), name).toEqual([]);
    expect(
      asked.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      name,
    ).toBeLessThanOrEqual(most);
  }
});
