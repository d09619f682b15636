import type { MiddlewareFunction } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { zonedDay } from "#app/domain/analytics/days/rules.ts";
import { creatorMoney } from "#app/domain/analytics/money/queries.server.ts";
import { moneyWithin } from "#app/domain/analytics/money/rules.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import { rollUpDay } from "#app/domain/analytics/rollups/commands.server.ts";
import type { ApiScope } from "#app/domain/identity/api-keys/schema.ts";
import { isoOfDayNumber } from "#app/domain/time.ts";
import { apiAnalyticsSchema } from "#app/http/api/analytics.ts";
import { keyScopesContext, viewerContext } from "#app/http/contexts.ts";
import { openApiDocument } from "#app/http/api/openapi.ts";
import * as analytics from "#app/routes/api/analytics.ts";
import { viewPoint } from "#tests/contracts/view-store.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let scopes: readonly ApiScope[] | null = null;
let isSomebody = true;
const TIME_ZONE = "America/Sao_Paulo";

const recognise: MiddlewareFunction<Response> = ({ context }) => {
  const member = { avatarUrl: null, isCreator: true, isModerator: false, leavingAt: null };
  context.set(viewerContext, isSomebody ? { ...ana, ...member } : null);
  context.set(keyScopesContext, scopes);
};
const ask = createRouteCaller(
  [
    {
      path: "api/v1/me/analytics",
      module: analytics,
      middleware: [recognise as MiddlewareFunction],
    },
  ],
  testEnv,
);
async function call(query = "", allowed: readonly ApiScope[] | null = ["analytics"]) {
  scopes = allowed;
  const answer = await ask(new Request(`${TEST_ORIGIN}/api/v1/me/analytics${query}`));
  return { status: answer.status, body: await answer.json<Record<string, unknown>>() };
}

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.ctx.views.record(viewPoint({ creatorId: ana.id }), world.ctx.now());
  await rollUpDay(world.ctx, { timeZone: TIME_ZONE, day: zonedDay(TIME_ZONE, world.ctx.now()) });
});

test("the numbers are those of the page, and of the documented form", async () => {
  const { status, body } = await call("?range=7");
  expect(status).toBe(200);
  const numbers = apiAnalyticsSchema.parse(body);
  const today = zonedDay(TIME_ZONE, world.ctx.now());
  const { range } = parseRange(new URLSearchParams("range=7"), { today, firstDay: today });
  const sales = await creatorMoney(world.ctx, { creatorId: ana.id, range });
  const { count: charges, ...sums } = moneyWithin(sales, range);
  expect(numbers.money.now).toEqual({ charges, ...sums });
  expect(numbers.audience.now).toMatchObject({ views: 1, visitors: 1, starts: 1 });
  expect(numbers.days).toMatchObject([
    { day: isoOfDayNumber(today), netCents: sums.netCents, visitors: 1 },
  ]);
});

test("a key needs the scope, and nobody has no numbers", async () => {
  expect((await call("", ["posts:read"])).status).toBe(403);
  isSomebody = false;
  expect((await call()).status).toBe(401);
  isSomebody = true;
});

test("days that are none are refused by their field", async () => {
  const { status, body } = await call("?range=own&from=x&until=2026-11-01");
  expect([status, body.field]).toEqual([400, "from"]);
});

test("the documentation has the call and its scope", () => {
  const document = JSON.stringify(
    openApiDocument({ baseUrl: "https://x.test/api/v1", version: "1", hasEvents: false }),
  );
  expect(document).toContain('"/me/analytics"');
  expect(document).toContain('{"key":["analytics"]}');
});
