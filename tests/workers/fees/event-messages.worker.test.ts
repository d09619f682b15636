import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { disputes, inbox } from "#drizzle/schema/payments.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { createManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import type { ManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { pendingPixTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";

let on: ManualProviderWorld;
let charge: Charge;
let disputeId: string;
let inboxId: string;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  on = await createManualProviderWorld();
  const { ctx } = on.world;
  charge = await on.sold(
    await pendingPixTip(on.world, await createPerson(ctx, "Bruno"), await createSeller(ctx)),
  );
  disputeId = on.openDispute(charge);
  inboxId = await on.received("dispute", disputeId);
});
afterEach(() => expectInvariantsToHold(on.world.ctx));

const row = async () =>
  (await on.world.ctx.db.select().from(inbox).where(eq(inbox.id, inboxId)))[0];
const opened = async () =>
  await on.world.ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id));

test.each([
  ["only the event's id", {}],
  ["another type of event", { about: "charge" }],
  ["a type that does not exist", { about: "mystery" }],
  ["the type of events that this product does not know", { about: "other" }],
] as const)(
  "a queue message with %s has the same result as a complete one: the stored event is used",
  async (_what, message) => {
    await applyEvent(on.world.ctx, { inboxId, ...message });
    expect([await opened(), (await row())?.handledAt]).toEqual([
      [expect.objectContaining({ providerDisputeId: disputeId, status: "open" })],
      expect.any(Number),
    ]);
  },
);

test("a queue message of an earlier version that names another dispute applies the stored event only", async () => {
  const other = await on.sold(
    await pendingPixTip(
      on.world,
      await createPerson(on.world.ctx, "Clara"),
      await createSeller(on.world.ctx),
    ),
  );
  const message = { inboxId, about: "dispute", provider: "chaos", objectId: on.openDispute(other) };
  await applyEvent(on.world.ctx, message);
  expect([await opened(), (await row())?.handledAt]).toEqual([
    [expect.objectContaining({ providerDisputeId: disputeId })],
    expect.any(Number),
  ]);
  expect(await on.world.ctx.db.$count(disputes, eq(disputes.chargeId, other.id))).toBe(0);
});

test("a repeated message of an applied event is not quarantined when the provider refuses to answer", async () => {
  const message = { inboxId, about: "dispute" };
  await applyEvent(on.world.ctx, message);
  const disputeById = async () => {
    throw new ProviderRefused("forgotten");
  };
  await applyEvent({ ...on.world.ctx, payments: { ...on.provider.port, disputeById } }, message);
  expect(await row()).toMatchObject({
    handledAt: expect.any(Number),
    quarantinedAt: null,
    quarantineReason: null,
  });
});

test("a queue message without a stored event changes nothing", async () => {
  await applyEvent(on.world.ctx, { inboxId: "chaos-gone", about: "dispute" });
  expect(await opened()).toEqual([]);
});

test("a second payment of a paid charge is quarantined for staff, and changes nothing", async () => {
  const { charges, port } = on.provider;
  const paid = charges.get(charge.providerChargeId ?? "");
  if (!paid) throw new Error("it was sold");
  charges.set("ch_second", { ...paid, id: "ch_second" });
  onTestFinished(() => void charges.delete("ch_second"));
  expect(await port.chargeById("ch_second")).toMatchObject({
    id: "ch_second",
    reference: charge.id,
    status: "succeeded",
  });
  const second = await on.received("charge", "ch_second");
  await applyEvent(on.world.ctx, { inboxId: second });
  const [aside] = await on.world.ctx.db.select().from(inbox).where(eq(inbox.id, second));
  expect(aside).toMatchObject({
    handledAt: null,
    quarantineReason: "second_payment",
    aboutChargeId: charge.id,
  });
  await expectQuarantined(on.world.ctx, ["second_payment"]);
  expect(await chargeRow(on.world.ctx, { chargeId: charge.id })).toEqual(charge);
});
