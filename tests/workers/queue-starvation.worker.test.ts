import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { commit } from "#app/db/client.server.ts";
import { submitEvidence } from "#app/domain/disputes/commands/answer.server.ts";
import { saveEvidence } from "#app/domain/disputes/commands/evidence.server.ts";
import { answerRow } from "#app/domain/disputes/queries.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { newChargeStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow, unhandledInboxEvents } from "#app/domain/payments/queries.server.ts";
import { purgeOldFailures } from "#app/domain/retry-backoff/commands.server.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { disputeAnswers, disputeFiles } from "#drizzle/schema/disputes.ts";
import { charges, disputes, inbox, refunds } from "#drizzle/schema/payments.ts";
import { retryBackoffs } from "#drizzle/schema/retry-backoff.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { enqueuedIds } from "#tests/support/due.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { forEachQuietly } from "#app/domain/retry-backoff/commands/for-each.server.ts";
import { consume } from "#workers/consume.ts";
import { runPayouts } from "#workers/payouts/run.ts";
import { runRenewals } from "#workers/renewals/run.ts";

/** The failures after which a subject is backed off. */
const RUNS = 3;

test("a page of dispute answers whose files are lost does not delay the next answer to the bank", async () => {
  const world = await testContext();
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const charge = await paidSubscription(world, await createPerson(ctx, "Bruno"), ana);
  const lost = Array.from({ length: 20 }, () => ctx.newId());
  for (const id of lost) {
    await ctx.db.batch([
      ctx.db.insert(disputes).values({
        id,
        chargeId: charge.id,
        providerDisputeId: `dp_${id}`,
        kind: "card",
        amountCents: 1,
        feeShareCents: 0,
        status: "open",
        createdAt: 1,
        creatorId: ana.id,
      }),
      ctx.db.insert(disputeAnswers).values({
        disputeId: id,
        kind: "evidence",
        status: "submitted",
        text: "x",
        writtenBy: ana.id,
        submittedAt: 1,
        updatedAt: 1,
      }),
      ctx.db.insert(disputeFiles).values({
        id: `f_${id}`,
        disputeId: id,
        kind: "receipt",
        name: "r.pdf",
        contentType: "application/pdf",
        sizeBytes: 1,
        state: "kept",
        addedBy: ana.id,
        createdAt: 1,
      }),
    ]);
  }
  const other = await paidSubscription(world, await createPerson(ctx, "Clara"), ana);
  const { disputeId } = await openDisputeOn(world, other);
  const mine = { disputeId, creatorId: ana.id, memberId: ana.id };
  await saveEvidence(ctx, { ...mine, text: "Clara leu tudo.", file: null });
  const silent = {
    ...ctx,
    payments: {
      ...ctx.payments,
      submitEvidence: () => Promise.reject(new ProviderUnclear("silent")),
    },
  };
  await submitEvidence(silent, mine);
  for (let run = 0; run <= RUNS; run += 1) await runPayouts(ctx);
  expect((await answerRow(ctx, { disputeId }))?.status).toBe("sent");
  expect(await ctx.db.$count(disputeAnswers, eq(disputeAnswers.status, "submitted"))).toBe(
    lost.length,
  );
  await ctx.db.delete(disputes).where(inArray(disputes.id, lost));
});

test("a page of debits without an answer from the provider does not delay the next debit, and they are retried", async () => {
  const world = await testContext();
  const { ctx } = world;
  const bruno = await createPerson(ctx, "Bruno");
  const ana = await createSeller(ctx);
  const debit = async (askedAt: number) => {
    const id = ctx.newId();
    await commit(ctx.db, [
      newChargeStatement(ctx, {
        id,
        payerId: bruno.id,
        creatorId: ana.id,
        purchaseKind: "subscription",
        purchaseId: ctx.newId(),
        description: "d",
        amountCents: 1_990,
        method: "pix",
        expiresAt: ctx.now() + DAY_MS,
        period: null,
        automatic: { recurringPixId: "rp", debitOn: "2027-01-01" },
      }),
      ctx.db
        .update(charges)
        .set({
          status: "processing",
          failureCode: "insufficient_funds",
          providerChargeId: `ch_${id}`,
          askedAt,
        })
        .where(eq(charges.id, id)),
    ]);
    return id;
  };
  const poison: string[] = [];
  for (let one = 0; one < 100; one += 1) poison.push(await debit(ctx.now() - MINUTE_MS));
  const next = await debit(ctx.now() + HOUR_MS);
  const triesOf = async (id: string) =>
    (await ctx.db.select().from(retryBackoffs).where(eq(retryBackoffs.subjectId, id)))[0]
      ?.failures ?? 0;
  const orders: string[] = [];
  const counting = {
    ...ctx,
    payments: {
      ...ctx.payments,
      instructionsOf: (id: string) => (orders.push(id), ctx.payments.instructionsOf(id)),
      chargeById: () => Promise.reject(new ProviderUnclear("silent")),
    },
  };
  // One run has room for only some of them.
  for (let run = 0; run <= 3 * RUNS; run += 1) await runRenewals(counting);
  expect(orders).toContain(`ch_${next}`);
  const before = await triesOf(poison[0] ?? "");
  await world.advance(31 * MINUTE_MS);
  await runRenewals(counting);
  expect(await triesOf(poison[0] ?? "")).toBeGreaterThan(before);
  await world.advance(2 * DAY_MS);
  await purgeOldFailures(ctx);
  expect(await triesOf(poison[0] ?? "")).toBe(0);
});

test("a refund that its bank processes for days is backed off, and is settled later, once", async () => {
  const world = await testContext();
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const bruno = await createPerson(ctx, "Bruno");
  const charge = await paidSubscription(world, bruno, ana);
  const refundId = ctx.newId();
  await commit(ctx.db, [
    requestRefundStatement(ctx, charge, {
      id: refundId,
      amountCents: charge.amountCents,
      reason: "De volta",
    }),
  ]);
  const slow = {
    ...ctx,
    payments: {
      ...ctx.payments,
      refund: async (asked: Parameters<typeof ctx.payments.refund>[0]) => ({
        ...(await ctx.payments.refund(asked)),
        status: "processing" as const,
      }),
      refundById: async (id: string) => ({
        ...(await ctx.payments.refundById(id)),
        status: "processing" as const,
      }),
    },
  };
  for (let run = 0; run < RUNS; run += 1) await runPayouts(slow);
  const asked: string[] = [];
  await runPayouts({
    ...slow,
    payments: {
      ...slow.payments,
      refundById: (id: string) => (asked.push(id), slow.payments.refundById(id)),
    },
  });
  expect(asked).toEqual([]);
  await world.advance(31 * MINUTE_MS);
  await runPayouts(ctx);
  expect((await chargeRow(ctx, { chargeId: charge.id }))?.status).toBe("refunded");
  expect(await ctx.db.$count(refunds, eq(refunds.chargeId, charge.id))).toBe(1);
});

test("failures of the full-price notification do not back off the renewal of the subscription, nor the reverse", async () => {
  const world = await testContext();
  const { ctx } = world;
  const { purchaseId } = await paidSubscription(
    world,
    await createPerson(ctx, "Bruno"),
    await createSeller(ctx),
  );
  for (let failure = 0; failure < RUNS; failure += 1)
    await forEachQuietly(
      ctx,
      "renewals.full_price_failed",
      [purchaseId],
      () => Promise.reject(new Error("poison")),
      { kind: "full_price" },
    );
  await ctx.db
    .update(subscriptions)
    .set({ calendarAt: ctx.now() })
    .where(eq(subscriptions.id, purchaseId));
  expect(await enqueuedIds(ctx)).toContain(purchaseId);
  const turns = async (kind?: "full_price") =>
    await ctx.db.$count(
      subscriptions,
      and(eq(subscriptions.id, purchaseId), isRetryDue(ctx, subscriptions.id, kind)),
    );
  expect([await turns("full_price"), await turns()]).toEqual([0, 1]);
  await world.advance(31 * MINUTE_MS);
  for (let failure = 0; failure < RUNS; failure += 1) await failedDelivery(world, purchaseId);
  expect([await turns("full_price"), await turns()]).toEqual([1, 0]);
});

/** Delivers one queue message whose work fails. */
async function failedDelivery(world: World, id: string): Promise<void> {
  const message = {
    id: world.ctx.newId(),
    body: { id, type: "any" },
    attempts: 1,
    ack: () => undefined,
    retry: () => undefined,
  };
  await consume({ queue: "any", messages: [message] } as unknown as MessageBatch, {
    ctx: world.ctx,
    schema: z.object({ id: z.string(), type: z.string() }),
    run: () => Promise.reject(new Error("poison")),
  });
}

test("inbox events that fail in their queue are backed off behind the others, and retried later", async () => {
  const world = await testContext();
  const { ctx } = world;
  const told = [ctx.newId(), ctx.newId()];
  for (const [at, id] of told.entries())
    await ctx.db.insert(inbox).values({
      id,
      provider: "sandbox",
      providerEventId: id,
      type: "charge",
      objectId: "ch_none",
      body: "{}",
      receivedAt: at + 1,
    });
  const waiting = async () =>
    (await unhandledInboxEvents(ctx, { before: 10, limit: 1 })).map(({ id }) => id);
  const [poison = "", next = ""] = told;
  for (let run = 0; run < RUNS; run += 1) {
    expect(await waiting()).toEqual([poison]);
    await failedDelivery(world, poison);
  }
  expect(await waiting()).toEqual([next]);
  await world.advance(31 * MINUTE_MS);
  expect(await waiting()).toEqual([poison]);
  await ctx.db.delete(inbox).where(inArray(inbox.id, told));
});
