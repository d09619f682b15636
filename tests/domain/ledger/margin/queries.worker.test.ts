import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { balancesBefore } from "#app/domain/ledger/months/queries/journal.server.ts";
import { marginItems, marginLines } from "#app/domain/ledger/margin/queries.server.ts";
import { marginGroupName, marginCents, sumMarginLines } from "#app/domain/ledger/margin/rules.ts";
import { monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as marginFile from "#app/routes/admin/ledger/margin-file.ts";
import * as marginGroup from "#app/routes/admin/ledger/margin-group.tsx";
import * as margin from "#app/routes/admin/ledger/margin.tsx";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { cardToken, paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

test("the margin lines of a period sum to the account changes and match their payments, and a refund transfer has a negative margin", async () => {
  const { ctx } = world;
  const from = ctx.now();
  const before = await balancesBefore(ctx, { until: from });
  const ana = await createSeller(ctx);
  await ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  await paidSubscription(world, await createPerson(ctx, "Bruno"), ana);
  const back = await paidSubscription(world, await createPerson(ctx, "Clara"), ana);
  await requestSubscriptionCoolingOffRefund(ctx, {
    fanId: back.payerId,
    subscriptionId: back.purchaseId,
  });
  const davi = await createPerson(ctx, "Davi");
  await startTip(ctx, {
    memberId: davi.id,
    memberName: davi.name,
    creatorKey: ana.id,
    amountCents: 1_000,
    message: "",
    method: "card",
    cardToken: await cardToken(world),
  });
  await world.drain();
  await world.advance(9 * DAY_MS);
  await world.tick();
  await requestPayout(ctx, { creatorId: ana.id });
  await world.drain();
  await world.advance(10 * MINUTE_MS);
  await world.tick();

  const until = ctx.now() + 1;
  const lines = await marginLines(ctx, { from, until, methods: ["pix", "card"] });
  expect(
    lines.map(({ group, ...sums }) => [
      marginGroupName(group),
      sums.count,
      sums.grossCents,
      sums.feeCents,
      sums.costCents,
      marginCents(sums),
    ]),
  ).toEqual([
    ["card-1", 1, 1_000, 50, 44, 6],
    ["pix-1", 2, 3_980, 100, 40, 60],
    ["transfers", 0, 0, 0, 20, -20],
  ]);
  const after = await balancesBefore(ctx, { until });
  const moved = (kind: "platform_fees" | "fees_reserved" | "provider_costs") =>
    (after[kind] ?? 0) - (before[kind] ?? 0);
  expect(sumMarginLines(lines)).toMatchObject({
    feeCents: -(moved("platform_fees") + moved("fees_reserved")),
    costCents: moved("provider_costs"),
  });
  for (const { group, ...line } of lines) {
    const { items, next } = await marginItems(ctx, { group, from, until, cursor: null, limit: 50 });
    expect([sumMarginLines(items), next]).toEqual([line, null]);
    // With pages of one row, every row appears once, in the same order and with the same totals.
    const walked: typeof items = [];
    for (
      let cursor: string | null = null, isFirst = true;
      isFirst || cursor !== null;
      isFirst = false
    ) {
      const page = await marginItems(ctx, { group, from, until, cursor, limit: 1 });
      walked.push(...page.items);
      if (items.length > 0)
        expect(page.sums).toEqual(
          (({ count, grossCents, feeCents, costCents }) => ({
            count,
            grossCents,
            feeCents,
            costCents,
          }))(line),
        );
      cursor = page.next;
    }
    expect(walked).toEqual(items);
  }
  const first = await marginItems(ctx, {
    group: { of: "sales", method: "pix", band: 1 },
    from,
    until,
    cursor: null,
    limit: 1,
  });
  const second = await marginItems(ctx, {
    group: { of: "sales", method: "pix", band: 1 },
    from,
    until,
    cursor: first.next,
    limit: 1,
  });
  expect([
    first.next !== null,
    second.next !== null,
    new Set([...first.items, ...second.items].map(({ chargeId }) => chargeId)).size,
  ]).toEqual([true, false, 2]);
});

test("staff see a month, the payments of a line and a CSV; an unknown group is not found, and others have no access", async () => {
  const { ctx } = world;
  const [ana, carla] = [await createSeller(ctx), await createModerator(ctx)];
  await paidSubscription(world, await createPerson(ctx, "Bruno"), ana);
  const middleware = [requireModerator as MiddlewareFunction];
  const routes = callRoutesAs([
    { path: "admin/margin", module: margin, middleware },
    { path: "admin/margin/:group", module: marginGroup, middleware },
    { path: "admin/margin/:month/planilha.csv", module: marginFile, middleware },
  ]);
  const staff = { person: carla, isModerator: true };
  const month = monthOf(ctx.now());
  expect(await routes.read(staff, "/admin/margin?month=nunca")).toMatchObject({
    month,
    after: null,
  });
  expect(await routes.read(staff, "/admin/margin/pix-1")).toMatchObject({
    title: "Pix, R$\u00a010,00 a R$\u00a019,99",
    items: expect.arrayContaining([expect.objectContaining({ description: expect.any(String) })]),
  });
  expect((await routes.get(staff, "/admin/margin/boleto-1")).status).toBe(404);
  const file = await (await routes.get(staff, `/admin/margin/${month}/planilha.csv`)).text();
  expect(file).toContain("Forma e preço;Vezes;Bruto");
  expect(file).toMatch(/^Soma;/m);
  for (const path of [
    "/admin/margin",
    "/admin/margin/pix-1",
    `/admin/margin/${month}/planilha.csv`,
  ])
    expect((await routes.get({ person: ana, isCreator: true }, path)).status).toBe(404);
});
