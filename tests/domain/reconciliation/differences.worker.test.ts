import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  differencesAbout,
  deleteRuns,
  msUntilNextRun,
  finishRun,
} from "#tests/support/reconciliation.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  await deleteRuns();
  // The provider sends no webhooks: every delivery is lost.
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(async () => {
  await deleteRuns();
  await expectInvariantsToHold(world.ctx);
});

const known = async (chargeId: string) => {
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge) throw new Error("no charge");
  return charge;
};
/** A paid charge that is settled here. */
async function paid(fan = bruno) {
  const waiting = await pixCheckout(world, fan, ana);
  await payAtBank(world, waiting);
  await settleCharge(world.ctx, waiting);
  return await known(waiting.chargeId);
}
async function reconcile(): Promise<void> {
  await world.advance(msUntilNextRun(world.ctx.now()));
  await finishRun(world.ctx);
}
const brokenNames = async () =>
  (await invariantFindings(world.ctx))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name }) => name);
const run = (query: string, ...values: unknown[]) =>
  testEnv.DB.prepare(query)
    .bind(...values)
    .run();

describe("differences that reconciliation cannot repair", () => {
  test("a foreign charge at the provider moves no money, alerts moderators once after a day, and does not stop payouts", async () => {
    const carla = await createModerator(world.ctx);
    const foreign = await world.ctx.payments.createPixCharge({
      chargeId: `foreign-${world.ctx.newId()}`,
      amountCents: 4_200,
      description: "x",
      payerName: "x",
      expiresAt: world.ctx.now() + HOUR_MS,
    });
    await payAtBank(world, { providerChargeId: foreign.id });
    // Without a reference, as a charge made by another user of the provider account.
    const payments = withoutReference(world.ctx.payments, foreign.id);
    await world.advance(msUntilNextRun(world.ctx.now()));
    const ctx = { ...world.ctx, payments };
    await finishRun(ctx);
    const [found] = await differencesAbout(ctx, [foreign.id]);
    expect(found).toMatchObject({
      object: "charge",
      kind: "ours_missing",
      state: "open",
      isMoney: true,
      gapCents: -4_200,
      ourId: null,
      reference: null,
      ours: null,
    });
    expect(JSON.parse(found?.theirs ?? "")).toEqual({
      status: "succeeded",
      amountCents: 4_200,
      backCents: 0,
      costCents: 42,
    });
    expect(await brokenNames()).toEqual([]);
    await world.advance(DAY_MS + 2 * HOUR_MS + MINUTE_MS);
    expect(await brokenNames()).toEqual(["providers_agree"]);
    for (let checks = 0; checks < 2; checks += 1)
      await checkBooks(world.ctx, { moderatorIds: [carla.id] });
    await deliverOutbox(world.ctx);
    const notified = await world.ctx.db
      .select()
      .from(notifications)
      .where(eq(notifications.personId, carla.id));
    expect(notified.map(({ body }) => body)).toEqual([
      "Uma regra do livro-razão quebrou: Nenhuma diferença de dinheiro com um provedor espera há mais de um dia.",
    ]);
    await testEnv.PSP_DB.prepare("DELETE FROM charges WHERE id = ?").bind(foreign.id).run();
  });

  test("a payment unknown to the provider holds payouts after a day, until both sides agree again", async () => {
    const charge = await paid();
    await run(
      "UPDATE charges SET provider_charge_id = ? WHERE id = ?",
      `gone-${charge.id}`,
      charge.id,
    );
    await reconcile();
    const [found] = await differencesAbout(world.ctx, [`gone-${charge.id}`]);
    expect(found).toMatchObject({
      kind: "theirs_missing",
      state: "open",
      isMoney: true,
      gapCents: charge.amountCents,
      ourId: charge.id,
      theirs: null,
    });
    await world.advance(DAY_MS + 2 * HOUR_MS + MINUTE_MS);
    expect(await brokenNames()).toEqual(["providers_agree", "providers_hold"]);
    await run(
      "UPDATE charges SET provider_charge_id = ? WHERE id = ?",
      charge.providerChargeId,
      charge.id,
    );
    await reconcile();
    // The run asks about the old provider id again, and the provider finds nothing.
    expect((await differencesAbout(world.ctx, [`gone-${charge.id}`]))[0]).toMatchObject({
      state: "repaired",
      resolvedBy: null,
    });
    expect(await brokenNames()).toEqual([]);
  });

  test("a lost dispute that cannot be booked holds payouts after a day, because the money left", async () => {
    const charge = await paid();
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    const disputeId = String(opened.body["id"]);
    // The dispute exceeds what is left of the charge. Staff has to decide whether that is right.
    await testEnv.PSP_DB.prepare("UPDATE disputes SET amount_cents = amount_cents + 1 WHERE id = ?")
      .bind(disputeId)
      .run();
    await world.console(`/sandbox/disputes/${disputeId}/lose`);
    await reconcile();
    expect(await differencesAbout(world.ctx, [disputeId])).toMatchObject([
      {
        kind: "ours_missing",
        state: "open",
        isMoney: true,
        gapCents: charge.amountCents + 1,
        ourId: null,
        reference: charge.id,
      },
    ]);
    await world.advance(DAY_MS + 2 * HOUR_MS + MINUTE_MS);
    expect(await brokenNames()).toEqual(["providers_agree", "providers_hold"]);
    await testEnv.PSP_DB.prepare("UPDATE disputes SET amount_cents = amount_cents - 1 WHERE id = ?")
      .bind(disputeId)
      .run();
    await reconcile();
    expect(await known(charge.id)).toMatchObject({ status: "dispute_lost" });
    expect(await brokenNames()).toEqual([]);
  });

  test("a different amount at the provider is recorded with both amounts and not repaired", async () => {
    const charge = await paid();
    await testEnv.PSP_DB.prepare("UPDATE charges SET amount_cents = amount_cents - 1 WHERE id = ?")
      .bind(charge.providerChargeId)
      .run();
    await reconcile();
    const [found] = await differencesAbout(world.ctx, [charge.providerChargeId]);
    expect(found).toMatchObject({ kind: "amount", state: "open", gapCents: 1 });
    expect(
      [found?.ours, found?.theirs].map(
        (side) => (JSON.parse(side ?? "{}") as { amountCents: number }).amountCents,
      ),
    ).toEqual([charge.amountCents, charge.amountCents - 1]);
    expect((await known(charge.id)).amountCents).toBe(charge.amountCents);
    await testEnv.PSP_DB.prepare("UPDATE charges SET amount_cents = amount_cents + 1 WHERE id = ?")
      .bind(charge.providerChargeId)
      .run();
  });
});

function withoutReference(provider: PaymentProvider, id: string): PaymentProvider {
  const bare = <Said extends { id: string; reference: string | null }>(said: Said): Said =>
    said.id === id ? { ...said, reference: null } : said;
  return {
    ...provider,
    chargeById: async (chargeId) => bare(await provider.chargeById(chargeId)),
    async chargesSince(request) {
      const page = await provider.chargesSince(request);
      return { ...page, items: page.items.map(bare) };
    },
  };
}
