import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { TransactionRow } from "#app/domain/billing/statements/queries/statement.server.ts";
import type { StatementTotals } from "#app/domain/billing/statements/rules/statement.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import type { SubscriptionPayment } from "#app/domain/subscriptions/history/queries/payments.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as statementPage from "#app/routes/settings/sales/transactions.tsx";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "settings/transactions", module: statementPage },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});

const get = async <Shown>(by: TestPerson, path: string) =>
  await routes.read<Shown>({ person: by }, path);
const paymentsOf = async (subscriptionId: string) =>
  (
    await get<{ payments: SubscriptionPayment[] }>(
      bruno,
      `/settings/subscriptions/${subscriptionId}`,
    )
  ).payments;
const statementOf = async (by: TestPerson, subscriptionId: string) =>
  await get<{ items: TransactionRow[]; totals: StatementTotals }>(
    by,
    `/settings/transactions?face=paid&subscription=${subscriptionId}`,
  );

test("a subscription lists its own payments, newest first, with receipts, and its statement filters by it", async () => {
  const first = await paidSubscription(world, bruno, ana);
  await paidSubscription(world, bruno, await createSeller(world.ctx));
  const { purchaseId } = first;
  expect(await paymentsOf(purchaseId)).toMatchObject([
    {
      id: first.id,
      kind: "subscription",
      status: "succeeded",
      amountCents: 1_990,
      hasReceipt: true,
      at: first.succeededAt,
    },
  ]);
  const [row] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, purchaseId));
  await world.advance((row?.currentPeriodEndsAt ?? 0) - DAY_MS - world.ctx.now());
  await world.tick();
  const [code, paid, ...others] = await paymentsOf(purchaseId);
  expect([code, paid?.id, others]).toMatchObject([
    { status: "awaiting_payment", hasReceipt: false },
    first.id,
    [],
  ]);
  const { items, totals } = await statementOf(bruno, purchaseId);
  expect(items.map(({ id }) => id)).toEqual([code?.id, first.id]);
  expect(totals).toMatchObject({ count: 1, amountCents: 1_990 });
  expect((await statementOf(await createPerson(world.ctx, "Carla"), purchaseId)).items).toEqual([]);
});

test("a complimentary subscription has no payments", async () => {
  await grantComp(world.ctx, {
    creatorId: ana.id,
    creatorName: ana.name,
    givenBy: ana.id,
    username: bruno.username,
    planId: ana.planId,
    months: 1,
  });
  const [row] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.fanId, bruno.id));
  expect(await paymentsOf(row?.id ?? "")).toEqual([]);
});
