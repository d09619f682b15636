import { and, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import { batchRequestReads } from "#app/db/batched-reads.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { chaoticProvider } from "#tests/support/chaos/provider.ts";
import type { ChaoticProvider } from "#tests/support/chaos/provider.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pendingPixGift } from "#tests/support/gifts.ts";
import { pixCheckout } from "#tests/support/payments.ts";
import type { PendingCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan, openUpgrade } from "#tests/support/plan-changes.ts";
import { pendingPixPurchase, soldPost } from "#tests/support/purchases.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { pendingPixTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { consume } from "#workers/consume.ts";
import { applyEvent, CONCURRENT_EVENTS } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";

let world: World;
let provider: ChaoticProvider;
let counted: ReturnType<typeof countedDatabase>;
/** The context over a database that counts its calls. */
let watched: Context;
beforeEach(async () => {
  const plain = await testContext({ webhooks: false });
  provider = chaoticProvider(plain.ctx.now);
  world = { ...plain, ctx: { ...plain.ctx, payments: provider.port } };
  counted = countedDatabase(testEnv.DB);
  watched = { ...world.ctx, db: openDatabase(counted.database) };
});
afterEach(() => expectInvariantsToHold(world.ctx));

const request = (id: string, objectId: string) =>
  new Request("https://coreto.test/webhooks/chaos", {
    method: "POST",
    body: JSON.stringify({ id, type: "charge", objectId }),
  });

async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  counted.reset();
  await work();
  return counted.kinds();
}

function paid(providerChargeId: string): void {
  const charge = provider.charges.get(providerChargeId);
  if (charge) provider.payCharge(charge);
}

describe("D1 calls of a payment", () => {
  test("receiving a webhook event takes one", async () => {
    const { providerChargeId } = await pixCheckout(
      world,
      await createPerson(world.ctx),
      await createSeller(world.ctx),
    );
    expect(
      await callsOf(() => receiveWebhook(watched, request("evt_in", providerChargeId))),
    ).toEqual(["insert inbox"]);
    await applyEvent(world.ctx, { inboxId: "chaos-evt_in" });
  });

  type Payers = { ana: Seller; bruno: TestPerson };
  /** A pending checkout of each kind of purchase. */
  const kinds: Record<string, (payers: Payers) => Promise<PendingCheckout>> = {
    "a subscription": async ({ ana, bruno }) => await pixCheckout(world, bruno, ana),
    "a change of plan": async ({ ana, bruno }) => {
      const first = await pixCheckout(world, bruno, ana);
      await applied(first, "evt_before");
      const subscriptionId = (await chargeRow(world.ctx, first))?.purchaseId ?? "";
      const palco = await otherPlan(world.ctx, ana.id, { monthly: 4_990 });
      const { id: chargeId, providerChargeId } = await openUpgrade(world.ctx, {
        fanId: bruno.id,
        subscriptionId,
        planPriceId: palco.prices.monthly,
      });
      return { chargeId, providerChargeId };
    },
    "a post": async ({ ana, bruno }) =>
      await pendingPixPurchase(world, bruno, (await soldPost(world.ctx, ana)).postId),
    "a tip": async ({ ana, bruno }) => await pendingPixTip(world, bruno, ana),
    "a gift": async ({ ana, bruno }) => await pendingPixGift(world, bruno, ana),
  };
  const applied = async ({ providerChargeId }: PendingCheckout, id: string) => {
    paid(providerChargeId);
    await receiveWebhook(world.ctx, request(id, providerChargeId));
    await applyEvent(world.ctx, { inboxId: `chaos-${id}` });
  };

  test.each(Object.keys(kinds))(
    "applying the payment of %s takes two; the same event again takes one, and another event without news takes two",
    async (kind) => {
      const payers = {
        ana: await createSeller(world.ctx),
        bruno: await createPerson(world.ctx, "Bruno"),
      };
      const waiting = await kinds[kind]?.(payers);
      if (!waiting) throw new Error(`nothing waits for ${kind}`);
      paid(waiting.providerChargeId);
      const [told, toldAgain] = [`evt_paid_${waiting.chargeId}`, `evt_again_${waiting.chargeId}`];
      for (const id of [told, toldAgain])
        await receiveWebhook(world.ctx, request(id, waiting.providerChargeId));
      expect(await callsOf(() => applyEvent(watched, { inboxId: `chaos-${told}` }))).toHaveLength(
        2,
      );
      expect(await callsOf(() => applyEvent(watched, { inboxId: `chaos-${told}` }))).toHaveLength(
        1,
      );
      expect(
        await callsOf(() => applyEvent(watched, { inboxId: `chaos-${toldAgain}` })),
      ).toHaveLength(2);
      expect(await chargeRow(world.ctx, waiting)).toMatchObject({ status: "succeeded" });
      const posted = await world.ctx.db
        .select({ id: ledgerTransactions.id })
        .from(ledgerTransactions)
        .where(
          and(
            eq(ledgerTransactions.chargeId, waiting.chargeId),
            isNotNull(ledgerTransactions.postedAt),
          ),
        );
      expect(posted).toHaveLength(1);
      await world.drain();
    },
  );

  test("in a batch of the queue an event takes fewer than two on average, whatever the payment is for", async () => {
    const ana = await createSeller(world.ctx);
    const { postId } = await soldPost(world.ctx, ana);
    const ids: string[] = [];
    for (let index = 0; index < 2 * CONCURRENT_EVENTS; index += 1) {
      const fan = await createPerson(world.ctx, `Fã ${index}`);
      const { providerChargeId } =
        index % 2 === 0
          ? await pixCheckout(world, fan, ana)
          : await pendingPixPurchase(world, fan, postId);
      paid(providerChargeId);
      await receiveWebhook(world.ctx, request(`evt_batch_${index}`, providerChargeId));
      ids.push(`chaos-evt_batch_${index}`);
    }
    const together = { ...world.ctx, db: openDatabase(batchRequestReads(counted.database)) };
    const acked = new Set<string>();
    const messages = ids.map((id) => ({
      id,
      body: { id, type: "inbox.received" },
      attempts: 1,
      timestamp: new Date(0),
      ack: () => acked.add(id),
      retry: () => undefined,
    }));
    const calls = await callsOf(() =>
      consume({ queue: "payment-events", messages } as unknown as MessageBatch, {
        ctx: together,
        schema: z.object({ id: z.string(), type: z.string() }),
        atOnce: CONCURRENT_EVENTS,
        run: (one, { id }) => applyEvent(one, { inboxId: id }),
      }),
    );
    expect(acked.size).toBe(ids.length);
    expect(calls.length / ids.length).toBeLessThanOrEqual(1.2);
  });
});
