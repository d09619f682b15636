import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { disputes, inbox } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { decideDisputeAtProvider } from "#tests/support/disputes.ts";
import { refundHelpers, stubRefundError, commandRefusal } from "#tests/support/refunds.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_000 });
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

const { now, giveBack, regret, rowsOf, live, disputed } = refundHelpers(() => ({
  world,
  seller: ana,
  fan: bruno,
}));

describe("refund failures known from other platforms", () => {
  test("concurrent refunds above the captured amount: together they never exceed the payment", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    await Promise.all([
      commandRefusal(giveBack(charge, 700)),
      commandRefusal(giveBack(charge, 700, { sellerId: null })),
      commandRefusal(regret(charge)),
      commandRefusal(giveBack(charge, 500)),
    ]);
    await world.tick();
    const back = (await rowsOf(charge))
      .filter(({ status }) => status === "succeeded")
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(back).toBe(1_000);
    expect(await now(charge)).toMatchObject({
      status: "refunded",
      refundedCents: 1_000,
      refundedFeeCents: charge.feeCents,
    });
    expect(await ctx.payments.chargeById(charge.providerChargeId ?? "")).toMatchObject({
      refundedCents: 1_000,
    });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 0,
    });
  });

  test("a refund counted twice with a dispute: it waits for the bank, and is dropped when the dispute refunds everything", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new ProviderUnclear("silence"));
    await regret(charge);
    const dispute = await disputed(charge);
    await world.drain();
    provider.itself();
    await world.tick();
    expect(await rowsOf(charge)).toMatchObject([{ status: "requested" }]);
    expect(await now(charge)).toMatchObject({
      status: "disputed",
      refundedCents: 0,
      disputedCents: 1_000,
    });
    await decideDisputeAtProvider(world, dispute, "lose");
    await settleDeletion(world, 1);
    expect(await rowsOf(charge)).toMatchObject([{ status: "failed" }]);
    expect(await now(charge)).toMatchObject({
      status: "dispute_lost",
      refundedCents: 0,
      disputedCents: 1_000,
    });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      reservedCents: 0,
      owedCents: 0,
    });
    const told = await ctx.db
      .select()
      .from(notifications)
      .where(
        and(eq(notifications.personId, bruno.id), eq(notifications.kind, "charge.refund_refused")),
      );
    expect(told).toEqual([]);
  });

  test("a partial refund without an answer, whose key the provider forgot a day later: it is found and not sent twice", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const { refund } = ctx.payments;
    const asked: string[] = [];
    ctx.payments.refund = async (wish) => {
      asked.push(wish.refundId);
      await refund(asked.length === 1 ? wish : { ...wish, refundId: ctx.newId() });
      throw new ProviderUnclear("silence");
    };
    await giveBack(charge, 400);
    await world.advance(DAY_MS);
    await world.tick();
    expect(asked).toHaveLength(1);
    expect(await rowsOf(charge)).toMatchObject([{ status: "succeeded", amountCents: 400 }]);
    expect(await ctx.payments.chargeById(charge.providerChargeId ?? "")).toMatchObject({
      refundedCents: 400,
    });
  });

  test("a refund that waits for a dispute is sent once the dispute is won", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new ProviderUnclear("silence"));
    await regret(charge);
    const dispute = await disputed(charge);
    await world.drain();
    provider.itself();
    await decideDisputeAtProvider(world, dispute, "win");
    await world.tick();
    expect(await now(charge)).toMatchObject({
      status: "refunded",
      refundedCents: 1_000,
      disputedCents: 0,
    });
  });

  test("a refund that the provider refuses for a dispute unknown to us is not lost", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const dispute = await disputed(charge);
    await regret(charge);
    expect(await rowsOf(charge)).toMatchObject([{ status: "requested" }]);
    await world.drain();
    await decideDisputeAtProvider(world, dispute, "win");
    await world.tick();
    expect(await now(charge)).toMatchObject({ status: "refunded" });
  });

  test("a dispute that opens before a refund is confirmed covers only the rest of the charge", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const { refund } = ctx.payments;
    // The provider makes the refund, and its answer is lost.
    ctx.payments.refund = async (request) => {
      await refund(request);
      throw new ProviderUnclear("the answer was lost");
    };
    expect(await giveBack(charge, 400)).toBe("requested");
    ctx.payments.refund = refund;
    const dispute = await disputed(charge);
    await ctx.db.delete(inbox).where(eq(inbox.type, "refund"));
    await settleDispute(ctx, { provider: "sandbox", providerDisputeId: dispute });
    expect(await now(charge)).toMatchObject({
      status: "disputed",
      refundedCents: 400,
      disputedCents: 600,
    });
    await world.drain();
    await decideDisputeAtProvider(world, dispute, "lose");
    expect(await now(charge)).toMatchObject({
      status: "dispute_lost",
      refundedCents: 400,
      disputedCents: 600,
    });
  });

  test("a dispute event that arrives while the provider processes a refund is retried, never quarantined", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const { refund, refundById } = ctx.payments;
    const slowly = async (providerRefund: ReturnType<typeof refundById>) => ({
      ...(await providerRefund),
      status: "processing" as const,
    });
    Object.assign(ctx.payments, {
      refund: (request: Parameters<typeof refund>[0]) => slowly(refund(request)),
      refundById: (id: string) => slowly(refundById(id)),
    });
    await giveBack(charge, 400);
    const dispute = await disputed(charge);
    await expect(
      settleDispute(ctx, { provider: "sandbox", providerDisputeId: dispute }),
    ).rejects.toThrow(ProviderUnclear);
    Object.assign(ctx.payments, { refund, refundById });
    expect(await settleDispute(ctx, { provider: "sandbox", providerDisputeId: dispute })).toBe(
      "applied",
    );
    expect(await now(charge)).toMatchObject({
      status: "disputed",
      refundedCents: 400,
      disputedCents: 600,
    });
    await world.drain();
  });

  test("a dispute that closes before its creation is known goes through both steps once", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const dispute = await disputed(charge);
    world.queued.length = 0;
    await world.console(`/sandbox/disputes/${dispute}/lose`);
    const rows = await ctx.db
      .select()
      .from(inbox)
      .where(eq(inbox.objectId, dispute))
      .orderBy(inbox.receivedAt);
    expect(rows).toHaveLength(2);
    world.queued.splice(0, world.queued.length, {
      version: 1,
      type: "inbox.received",
      id: rows[1]?.id ?? "",
    });
    await world.drain();
    expect(await now(charge)).toMatchObject({ status: "dispute_lost", disputedCents: 1_000 });
    world.queued.push({ version: 1, type: "inbox.received", id: rows[0]?.id ?? "" });
    await world.drain();
    expect(await now(charge)).toMatchObject({ status: "dispute_lost", disputedCents: 1_000 });
    expect(
      await ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id)),
    ).toMatchObject([{ status: "lost" }]);
    expect(await live()).toBeNull();
  });

  test("a payment lock never released: a worker that crashes after deciding a refund does not block others forever", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new Error("the worker died"));
    await expect(giveBack(charge, 300)).rejects.toThrow("the worker died");
    provider.itself();
    expect(await commandRefusal(giveBack(charge, 200))).toMatch(
      /^Já há uma devolução deste pagamento a caminho/,
    );
    await world.tick();
    await giveBack(charge, 200);
    expect(await now(charge)).toMatchObject({ refundedCents: 500 });
  });
});
