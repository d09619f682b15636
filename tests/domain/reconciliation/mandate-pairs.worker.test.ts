import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PaymentProvider, ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { runReconciliation } from "#app/domain/reconciliation/commands/run.server.ts";
import { reconciliationRuns, reconciliationSightings } from "#drizzle/schema/reconciliation.ts";
import {
  atBank,
  mandateOf,
  mandateCheckout,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import {
  differencesAbout,
  deleteRuns,
  msUntilNextRun,
  finishRun,
} from "#tests/support/reconciliation.ts";

let world: World;
let ana: Seller;
beforeEach(async () => {
  await deleteRuns();
  // The provider sends no webhooks: every delivery is lost.
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
});
afterEach(async () => {
  await deleteRuns();
  await expectInvariantsToHold(world.ctx);
});

const code = async (name: string) =>
  await mandateCheckout(world, await createPerson(world.ctx, name), ana);
async function reconcile(changed: Partial<PaymentProvider> = {}): Promise<void> {
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(asking(changed));
}
const asking = (changed: Partial<PaymentProvider>) => ({
  ...world.ctx,
  payments: { ...world.ctx.payments, ...changed },
});
const lastRun = async () =>
  (await world.ctx.db.select().from(reconciliationRuns)).toSorted(
    (one, other) => other.startedAt - one.startedAt,
  )[0];
/** The recorded differences of mandates, one short line each. */
const written = async (ids: readonly string[]) =>
  (await differencesAbout(world.ctx, ids))
    .map(
      ({ objectId, object, kind, state, isMoney }) =>
        `${ids.indexOf(objectId)} ${object} ${kind} ${state} ${isMoney ? "money" : "none"}`,
    )
    .toSorted();
/** A provider that reports one mandate with other values. */
function saying(id: string, said: Partial<ProviderPixMandate>): Partial<PaymentProvider> {
  const other = (one: ProviderPixMandate): ProviderPixMandate =>
    one.id === id ? { ...one, ...said } : one;
  return {
    recurringPixById: async (asked) => other(await world.ctx.payments.recurringPixById(asked)),
    async recurringPixSince(request) {
      const page = await world.ctx.payments.recurringPixSince(request);
      return { ...page, items: page.items.map(other) };
    },
  };
}

test("mandates answered at the bank without a webhook event are applied by one run, and the next finds nothing", async () => {
  const [yes, no, ended] = [await code("Bruno"), await code("Clara"), await code("Davi")];
  await atBank(world, `recurring/${ended.recurringPixId}/approve`);
  await reconcile();
  expect((await subscriptionRowOf(world, ended)).recurringPixId).toBe(ended.mandateId);
  const [late, refused] = [await code("Eva"), await code("Fábio")];
  await atBank(world, `recurring/${late.recurringPixId}/approve`);
  await atBank(world, `recurring/${refused.recurringPixId}/reject`);
  await atBank(world, `recurring/${ended.recurringPixId}/cancel`);
  await reconcile();
  const states = await Promise.all(
    [yes, no, ended, late, refused].map(
      async ({ mandateId }) => (await mandateOf(world, mandateId)).status,
    ),
  );
  expect(states).toEqual(["expired", "expired", "canceled", "active", "rejected"]);
  expect((await subscriptionRowOf(world, late)).recurringPixId).toBe(late.mandateId);
  const about = [ended, late, refused].map(({ recurringPixId }) => recurringPixId);
  // The payment in a code is applied with the mandate's answer.
  // The charge is compared first, and its repair also repairs the mandate.
  expect(await written(about)).toContain("0 authorisation state repaired none");
  expect((await written(about)).filter((one) => !one.includes("repaired"))).toEqual([]);
  const { id: runId, listedCount } = (await lastRun()) ?? { id: "", listedCount: -1 };
  expect(
    await world.ctx.db.$count(reconciliationSightings, eq(reconciliationSightings.runId, runId)),
  ).toBe(listedCount);
  await reconcile();
  expect(await lastRun()).toMatchObject({ step: "done", foundCount: 0 });
  await deliverOutbox(world.ctx);
});

test("a mandate unknown here, one unknown at the provider, and one with another amount are recorded, and nothing changes", async () => {
  const [gone, other] = [await code("Bruno"), await code("Clara")];
  for (const { recurringPixId } of [gone, other])
    await atBank(world, `recurring/${recurringPixId}/approve`);
  await reconcile();
  const providerMandate = await world.ctx.payments.recurringPixById(gone.recurringPixId);
  const foreign: ProviderPixMandate = {
    ...providerMandate,
    id: `foreign-${providerMandate.id}`,
    reference: null,
  };
  const second: ProviderPixMandate = { ...providerMandate, id: `second-${providerMandate.id}` };
  const changed = saying(other.recurringPixId, { amountCents: 1 });
  const strangers = new Map([foreign, second].map((one) => [one.id, one]));
  await reconcile({
    async recurringPixById(id) {
      if (id === gone.recurringPixId) throw new ProviderRefused("recurring_pix_not_found");
      return (
        strangers.get(id) ??
        (await (changed.recurringPixById ?? world.ctx.payments.recurringPixById)(id))
      );
    },
    async recurringPixSince(request) {
      const page = await (changed.recurringPixSince ?? world.ctx.payments.recurringPixSince)(
        request,
      );
      return {
        ...page,
        items: [
          ...page.items.filter(({ id }) => id !== gone.recurringPixId),
          ...strangers.values(),
        ],
      };
    },
  });
  expect(await written([gone.recurringPixId, other.recurringPixId, foreign.id, second.id])).toEqual(
    [
      "0 authorisation theirs_missing open none",
      "1 authorisation amount open none",
      "2 authorisation ours_missing open none",
      "3 authorisation ours_missing open none",
    ],
  );
  for (const one of [gone, other])
    expect((await mandateOf(world, one.mandateId)).status).toBe("active");
  await reconcile();
  expect(
    (await written([gone.recurringPixId, other.recurringPixId])).every((one) =>
      one.includes("repaired"),
    ),
  ).toBe(true);
});

test("a mandate update is applied once after a crash at any point of the cron", async () => {
  const [yes, no] = [await code("Bruno"), await code("Clara")];
  await atBank(world, `recurring/${yes.recurringPixId}/approve`);
  await atBank(world, `recurring/${no.recurringPixId}/reject`);
  await world.advance(msUntilNextRun(world.ctx.now()));
  const points = crashPoints();
  const mortal = await testContext({ webhooks: false, database: points.database });
  const dying = {
    ...mortal.ctx,
    now: world.ctx.now,
    newId: world.ctx.newId,
    payments: points.port(world.ctx.payments),
  };
  let deaths = 0;
  for (
    let at = 1;
    at < 300 &&
    (await survives(points, () => (points.arm(at), runReconciliation(dying)))) !== "finished";
    at += 1
  ) {
    deaths += 1;
    points.disarm();
  }
  points.disarm();
  expect(deaths).toBeGreaterThan(5);
  await Promise.all([runReconciliation(world.ctx), runReconciliation(world.ctx)]);
  await finishRun(world.ctx);
  expect((await mandateOf(world, yes.mandateId)).status).toBe("active");
  expect((await mandateOf(world, no.mandateId)).status).toBe("rejected");
  expect((await subscriptionRowOf(world, yes)).recurringPixId).toBe(yes.mandateId);
});

test("a provider without Pix Automático is not asked for mandates", async () => {
  const can = new Set([...world.ctx.payments.can].filter((one) => one !== "recurring_pix"));
  await reconcile({
    can,
    recurringPixSince: async () => await Promise.reject(new TypeError("not asked")),
  });
  expect(await lastRun()).toMatchObject({ step: "done", unclearCount: 0 });
});
