import { and, eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { commit, openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Env } from "#app/configuration/env.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { NotAtProvider, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { reconcileCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges, inbox } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectQuarantined, backdateReceived } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints } from "#tests/support/crash.ts";
import type { Turn } from "#tests/support/crash.ts";
import { expectAppliedOnce, payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { expectBoughtOnce, pendingPixPurchase, soldPost } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { consume } from "#workers/consume.ts";
import { applyEvent, sweepInbox } from "#workers/fees/apply-event.ts";
import webhooks from "#workers/payment-webhooks/index.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { runRenewals } from "#workers/renewals/run.ts";

// Failures that other companies published. Those with a test elsewhere are not repeated here.
// `updated` before `created`: webhooks.worker.test.ts. A lost card answer: card.worker.test.ts.
// Short months: domain/subscriptions/rules.unit.test.ts.

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext({ webhooks: false });
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

function delivery(
  id: string,
  objectId: string,
  type = "charge.succeeded",
  object = "charge",
): Request {
  const [body, sentAt] = [
    JSON.stringify({ type, data: { object, id: objectId } }),
    testClock.date(),
  ];
  return new Request(`${testEnv.APP_ORIGIN}/webhooks/sandbox`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
      "webhook-signature": new Webhook(testEnv.SANDBOX_WEBHOOK_SECRET ?? "").sign(id, sentAt, body),
    },
    body,
  });
}

/** Stores a webhook event and drops its queue message. */
async function received(objectId: string, type?: string, object?: string): Promise<string> {
  const id = `evt_${world.ctx.newId()}`;
  expect((await receiveWebhook(world.ctx, delivery(id, objectId, type, object))).status).toBe(200);
  world.queued.splice(0);
  return `sandbox-${id}`;
}

const eventRow = async (inboxId: string) =>
  (await world.ctx.db.select().from(inbox).where(eq(inbox.id, inboxId)))[0];

type Handed = "acked" | "retried" | "nothing";

/** Delivers one queue message of an inbox event, and says what happened to the message. */
const handedOver = async (ctx: Context, inboxId: string): Promise<Handed> =>
  (await handed(ctx, inboxId)).end;
/** The seconds after which the queue retries the message. */
const retriedAfter = async (ctx: Context, inboxId: string) =>
  (await handed(ctx, inboxId)).delaySeconds;

async function handed(
  ctx: Context,
  inboxId: string,
): Promise<{ end: Handed; delaySeconds: number | null }> {
  const became: { end: Handed; delaySeconds: number | null } = {
    end: "nothing",
    delaySeconds: null,
  };
  const retry = (options?: QueueRetryOptions) =>
    Object.assign(became, { end: "retried", delaySeconds: options?.delaySeconds ?? null });
  const message = {
    id: "m",
    body: { version: 1, type: "inbox.received", id: inboxId },
    attempts: 1,
    timestamp: testClock.date(),
    ack: () => (became.end = "acked"),
    retry,
  };
  const schema = z.object({
    version: z.literal(1),
    type: z.literal("inbox.received"),
    id: z.string(),
  });
  await consume({ queue: "payment-events", messages: [message] } as unknown as MessageBatch, {
    ctx,
    schema,
    run: (one, { id }) => applyEvent(one, { inboxId: id }),
  });
  return became;
}

/** A paid subscription. No webhook event came: only the return page settled the charge. */
async function subscribed(): Promise<Charge> {
  const waiting = await pixCheckout(world, bruno, ana);
  await payAtBank(world, waiting);
  await settleCharge(world.ctx, waiting);
  await world.drain();
  const charge = await chargeRow(world.ctx, waiting);
  if (!charge) throw new Error("no charge");
  return charge;
}

const withPayments = (payments: Partial<World["ctx"]["payments"]>): Context => ({
  ...world.ctx,
  payments: { ...world.ctx.payments, ...payments },
});

test("three events of one payment, applied at the same moment, make one subscription", async () => {
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  await payAtBank(world, { providerChargeId });
  const events = await Promise.all(
    ["charge.created", "charge.updated", "charge.succeeded"].map((type) =>
      received(providerChargeId, type),
    ),
  );
  await Promise.all(events.map((inboxId) => applyEvent(world.ctx, { inboxId })));
  await world.drain();
  await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  expect((await Promise.all(events.map(eventRow))).map((row) => row?.handledAt)).toEqual(
    Array(3).fill(expect.any(Number)),
  );
});

test.each(["failed", "expired", "canceled", "processing", "awaiting_payment"] as const)(
  "a provider status %s after the payment succeeded changes nothing",
  async (status) => {
    const charge = await subscribed();
    const providerCharge = await world.ctx.payments.chargeById(charge.providerChargeId ?? "");
    const inboxId = await received(charge.providerChargeId ?? "", `charge.${status}`);
    await applyEvent(
      withPayments({
        chargeById: async () => ({ ...providerCharge, status, failureCode: "late" }),
      }),
      { inboxId },
    );
    await world.drain();
    await expectAppliedOnce(world, { chargeId: charge.id, fan: bruno, seller: ana });
    expect((await eventRow(inboxId))?.handledAt).not.toBeNull();
  },
);

test("an event whose handling failed is not marked as handled, returns to its queue and is applied by the next try", async () => {
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  await payAtBank(world, { providerChargeId });
  const inboxId = await received(providerChargeId);
  const broken = withPayments({
    chargeById: async () => {
      throw new Error("a bug of ours");
    },
  });
  expect(await handedOver(broken, inboxId)).toBe("retried");
  expect(await eventRow(inboxId)).toMatchObject({
    handledAt: null,
    quarantinedAt: null,
    attempts: 1,
  });
  expect(await handedOver(world.ctx, inboxId)).toBe("acked");
  await world.drain();
  await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
});

test("an event that cannot be stored is not answered 200, so that the provider sends it again", async () => {
  const { providerChargeId } = await pixCheckout(world, bruno, ana);
  const down = () => {
    throw new Error("D1_ERROR: no such host");
  };
  const env: Env = {
    ...testEnv,
    DB: {
      withSession: () => ({ prepare: down, batch: down, getBookmark: () => null }),
    } as unknown as D1Database,
  };
  const answer = await webhooks.fetch?.(
    delivery("evt_unstored", providerChargeId) as Parameters<NonNullable<typeof webhooks.fetch>>[0],
    env,
  );
  expect(answer?.status).toBe(500);
  expect(await eventRow("sandbox-evt_unstored")).toBeUndefined();
});

describe("an event that fails repeatedly", () => {
  test("by a fault of ours is tried ten times, then quarantined with the error name, and delays no other event", async () => {
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    await payAtBank(world, { providerChargeId });
    const [poisoned, good] = [await received("ch_poisoned"), await received(providerChargeId)];
    let asked = 0;
    const ctx = withPayments({
      chargeById: async (id) => {
        if (id !== "ch_poisoned") return await world.ctx.payments.chargeById(id);
        asked += 1;
        throw new TypeError("undefined is not a function");
      },
    });
    const ends = [];
    for (let attempt = 0; attempt < 14; attempt += 1) ends.push(await handedOver(ctx, poisoned));
    expect(ends).toEqual([...Array(9).fill("retried"), ...Array(5).fill("acked")]);
    expect(asked).toBe(10);
    expect(await eventRow(poisoned)).toMatchObject({
      handledAt: null,
      quarantinedAt: expect.any(Number),
      quarantineReason: "fault:TypeError",
    });
    await world.env.DB.prepare(
      "UPDATE inbox SET received_at = received_at - 60000 WHERE id IN (?, ?)",
    )
      .bind(poisoned, good)
      .run();
    await sweepInbox(ctx);
    expect(world.queued.map(({ id }) => id)).toEqual([good]);
    await world.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
    await expectQuarantined(world.ctx, ["fault:TypeError"]);
  });

  test.each([
    ["foreign_currency", "foreign_currency"],
    ["charge_void", "provider_refused:charge_void"],
  ])(
    "by a refusal of the provider (%s) is quarantined at once; an unanswered call is never counted",
    async (code, reason) => {
      const refused = await received("ch_refused");
      const refusing = withPayments({
        chargeById: async () => {
          throw new ProviderRefused(code);
        },
      });
      expect(await handedOver(refusing, refused)).toBe("acked");
      expect(await eventRow(refused)).toMatchObject({ quarantineReason: reason, attempts: 0 });
      await expectQuarantined(world.ctx, [reason]);
      const { providerChargeId } = await pixCheckout(world, bruno, ana);
      const silent = await received(providerChargeId);
      const ctx = withPayments({
        chargeById: async () => {
          throw new ProviderUnclear("503");
        },
      });
      for (let attempt = 0; attempt < 12; attempt += 1)
        expect(await handedOver(ctx, silent)).toBe("retried");
      expect(await eventRow(silent)).toMatchObject({ quarantinedAt: null, attempts: 0 });
      expect(await handedOver(world.ctx, silent)).toBe("acked");
    },
  );
});

describe("an event that arrives before the provider shows its object", () => {
  test.each(["charge", "dispute"] as const)(
    "(a %s) is retried and applied as soon as the object exists",
    async (object) => {
      const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
      await payAtBank(world, { providerChargeId });
      const objectId =
        object === "charge"
          ? providerChargeId
          : String((await world.console(`/sandbox/charges/${providerChargeId}/dispute`)).body.id);
      const inboxId = await received(objectId, `${object}.created`, object);
      const receivedAt = (await eventRow(inboxId))?.receivedAt ?? 0;
      const notYet = async () => {
        throw new NotAtProvider(`${object}_not_found`);
      };
      const tooEarly = withPayments(
        object === "charge" ? { chargeById: notYet } : { disputeById: notYet },
      );
      const delays = [];
      for (const ageMs of [0, 20_000, 70_000, 4 * MINUTE_MS, 9 * MINUTE_MS])
        delays.push(
          await retriedAfter({ ...tooEarly, realNow: () => receivedAt + ageMs }, inboxId),
        );
      expect(delays).toEqual([15, 40, 50, 60, 60]);
      expect(await eventRow(inboxId)).toMatchObject({
        handledAt: null,
        quarantinedAt: null,
        attempts: 0,
      });
      expect(await handedOver(world.ctx, inboxId)).toBe("acked");
      expect(await eventRow(inboxId)).toMatchObject({
        handledAt: expect.any(Number),
        quarantinedAt: null,
      });
      expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe(
        object === "charge" ? "succeeded" : "disputed",
      );
      await world.drain();
    },
  );

  test("is quarantined after ten minutes; quarantined and handled events are not retried", async () => {
    const inboxId = await received("ch_that_nobody_made");
    expect(await handedOver(world.ctx, inboxId)).toBe("retried");
    await backdateReceived(inboxId, 10 * MINUTE_MS);
    expect(await handedOver(world.ctx, inboxId)).toBe("acked");
    expect(await eventRow(inboxId)).toMatchObject({
      quarantineReason: "not_there:charge_not_found",
      attempts: 0,
    });
    await backdateReceived(inboxId, -10 * MINUTE_MS);
    expect(await handedOver(world.ctx, inboxId)).toBe("acked");
    await expectQuarantined(world.ctx, ["not_there:charge_not_found"]);
  });
});

describe("the webhook, the return page and the reconciliation of one payment at the same moment", () => {
  /** Runs everything that may settle a charge, twice and all at once. */
  async function everybody(providerChargeId: string, chargeId: string): Promise<void> {
    const events = [
      await received(providerChargeId),
      await received(providerChargeId, "charge.updated"),
    ];
    const round = () => [
      ...events.map((inboxId) => applyEvent(world.ctx, { inboxId })),
      settleCharge(world.ctx, { chargeId }),
      reconcileCharge(world.ctx, { chargeId }),
    ];
    await Promise.all([...round(), ...round()]);
    await world.drain();
  }

  test("make one subscription", async () => {
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    await payAtBank(world, { providerChargeId });
    await everybody(providerChargeId, chargeId);
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test("buy a post once", async () => {
    const { postId } = await soldPost(world.ctx, ana);
    const { chargeId, providerChargeId } = await pendingPixPurchase(world, bruno, postId);
    await payAtBank(world, { providerChargeId });
    await everybody(providerChargeId, chargeId);
    await expectBoughtOnce(world, { chargeId, buyer: bruno, seller: ana });
  });
});

describe("a renewal", () => {
  /** A subscription at the time when its renewal is due. */
  async function due(): Promise<string> {
    const { purchaseId } = await subscribed();
    const [row] = await world.ctx.db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.id, purchaseId));
    await world.advance((row?.currentPeriodEndsAt ?? 0) - 2.5 * DAY_MS - world.ctx.now());
    return purchaseId;
  }
  const renewalsOf = async (subscriptionId: string) =>
    (
      await world.ctx.db
        .select()
        .from(charges)
        .where(
          and(eq(charges.purchaseKind, "subscription"), eq(charges.purchaseId, subscriptionId)),
        )
    ).filter((charge) => charge.periodStartsAt !== null);
  const atProvider = async (ids: string[]) =>
    (
      await testEnv.PSP_DB.prepare(
        "SELECT reference, status FROM charges WHERE reference IN (SELECT value FROM json_each(?))",
      )
        .bind(JSON.stringify(ids))
        .all<{ reference: string; status: string }>()
    ).results;

  test("run by two crons and five messages at once makes one charge, here and at the provider", async () => {
    const subscriptionId = await due();
    await Promise.all([
      runRenewals(world.ctx),
      runRenewals(world.ctx),
      ...Array.from({ length: 5 }, () => advanceSubscription(world.ctx, { subscriptionId })),
    ]);
    await world.drain();
    const made = await renewalsOf(subscriptionId);
    expect(made.map(({ status }) => status)).toEqual(["awaiting_payment"]);
    expect(await atProvider(made.map(({ id }) => id))).toHaveLength(1);
  });

  test("whose provider answer was lost is looked up, paid once, and never charged under another id", async () => {
    const subscriptionId = await due();
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await advanceSubscription(world.ctx, { subscriptionId });
    await world.console("/sandbox/chaos", {});
    const [lost] = await renewalsOf(subscriptionId);
    expect(lost).toMatchObject({ status: "created", providerChargeId: null });
    for (let round = 0; round < 3; round += 1) {
      await world.advance(2 * MINUTE_MS);
      await world.tick();
    }
    const [found, ...more] = await renewalsOf(subscriptionId);
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      id: lost?.id,
      status: "awaiting_payment",
      pixCode: expect.stringMatching(/^000201/),
    });
    expect(await atProvider([found?.id ?? ""])).toHaveLength(1);
    await payAtBank(world, { providerChargeId: found?.providerChargeId ?? "" });
    await settleCharge(world.ctx, { chargeId: found?.id ?? "" });
    await world.drain();
    expect((await renewalsOf(subscriptionId)).map(({ status }) => status)).toEqual(["succeeded"]);
  });
});

test("a checkout whose provider answer was lost is found by the same id and makes one charge and one subscription", async () => {
  await world.console("/sandbox/chaos", { timeouts: 1 });
  const wish = {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "pix" as const,
    cardToken: null,
  };
  const lost = await startSubscription(world.ctx, wish);
  await world.console("/sandbox/chaos", {});
  expect(lost.status).toBe("created");
  await world.advance(2 * MINUTE_MS);
  await world.tick();
  const found = await chargeRow(world.ctx, lost);
  expect(found).toMatchObject({ status: "awaiting_payment" });
  await payAtBank(world, { providerChargeId: found?.providerChargeId ?? "" });
  await settleCharge(world.ctx, { chargeId: lost.chargeId });
  await world.advance(HOUR_MS);
  await world.tick();
  await expectAppliedOnce(world, { chargeId: lost.chargeId, fan: bruno, seller: ana });
  const sold = await testEnv.PSP_DB.prepare(
    "SELECT COUNT(*) AS count FROM charges WHERE reference = ?",
  )
    .bind(lost.chargeId)
    .first<{ count: number }>();
  expect(sold?.count).toBe(1);
});

test.each([
  ["is not delivered yet", async () => undefined],
  [
    "was never answered, so that only its reference is known",
    async (chargeId: string) =>
      void (await testEnv.DB.prepare(
        "UPDATE charges SET provider_charge_id = NULL, status = 'created', pix_code = NULL WHERE id = ?",
      )
        .bind(chargeId)
        .run()),
  ],
])(
  "a dispute that arrives before its payment, which %s, reserves the money and is not quarantined",
  async (_, forget) => {
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    await forget(chargeId);
    await payAtBank(world, { providerChargeId });
    const { body } = await world.console(`/sandbox/charges/${providerChargeId}/dispute`);
    const inboxId = await received(String(body.id), "dispute.opened", "dispute");
    expect(await handedOver(world.ctx, inboxId)).toBe("acked");
    expect(await eventRow(inboxId)).toMatchObject({
      handledAt: expect.any(Number),
      quarantinedAt: null,
    });
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
      status: "disputed",
      disputedCents: 1_990,
    });
    await world.drain();
  },
);

test.each([1, 2, 3, 4, 5])(
  "two settlements of one refund, the second before database call %i of the first, refund once and both succeed",
  async (at) => {
    const charge = await subscribed();
    const refundId = world.ctx.newId();
    await commit(world.ctx.db, [
      requestRefundStatement(world.ctx, charge, {
        id: refundId,
        amountCents: 1_990,
        reason: "Arrependimento.",
      }),
    ]);
    const providerRefund = await world.ctx.payments.refund({
      refundId,
      providerChargeId: charge.providerChargeId ?? "",
      amountCents: 1_990,
    });
    let calls = 0;
    const turn: Turn = async (work) => {
      calls += 1;
      if (calls === at) await settleRefund(world.ctx, { refundId, providerRefund });
      return await work();
    };
    await settleRefund(
      { ...world.ctx, db: openDatabase(crashPoints(turn).database(testEnv.DB)) },
      { refundId, providerRefund },
    );
    expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: 1_990,
      refundedFeeCents: 100,
    });
    await world.drain();
  },
);
