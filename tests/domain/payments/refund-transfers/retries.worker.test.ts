import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/settle-refund-transfer.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { dueRefundTransfers } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "#app/domain/time.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import {
  pendingTransferCents,
  giveKey,
  GOOD_KEY,
  expiredTip,
  sentCentsAtProvider,
  openRefundTransfer,
  statusesOf,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: World["ctx"];
let refundId: string;
let charge: Awaited<ReturnType<typeof expiredTip>>;
beforeEach(async () => {
  await Promise.all([
    cleanDatabase("DB", testEnv.DB, []),
    cleanDatabase("PSP_DB", testEnv.PSP_DB, []),
  ]);
  world = await testContext();
  ctx = world.ctx;
  charge = await expiredTip(world, await createPerson(ctx, "Bruno"), await createSeller(ctx));
});
afterEach(() => expectInvariantsToHold(ctx));

/** How often a payer was asked for a key. */
const asked = async () => await ctx.db.$count(outbox, eq(outbox.type, "refund.key_asked"));
const findings = async () =>
  (await invariantFindings(ctx))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows }) => ({ name, rows }));

/** Runs the cron for the refund transfer. */
async function run(): Promise<void> {
  for (const transferId of await dueRefundTransfers(ctx, { limit: 100 })) {
    await sendRefundTransfer(ctx, { transferId });
    await world.advance(2 * SECOND_MS);
    await settleRefundTransfer(ctx, { transferId });
  }
}

test.each([
  ["the provider's balance", "insufficient_balance"],
  ["its limit of the day", "daily_limit_exceeded"],
  ["an unknown reason", "invalid_action"],
])(
  "refused for %s, the same key is retried later, and no other key is requested",
  async (_what, code) => {
    refundId = await openRefundTransfer(world, charge);
    await giveKey(world, refundId);
    const { transfer } = ctx.payments;
    ctx.payments.transfer = () => Promise.reject(new ProviderRefused(code));
    await run();
    await run();
    expect(await statusesOf(world, refundId)).toEqual(["failed", "ready"]);
    expect((await transferTriesOf(world, refundId))[1]).toMatchObject({
      pixKey: GOOD_KEY.taxId,
      refusals: 1,
      readyFrom: expect.any(Number),
    });
    await world.advance(2 * HOUR_MS);
    ctx.payments.transfer = transfer;
    await run();
    expect([
      await statusesOf(world, refundId),
      await sentCentsAtProvider(world, refundId),
      await pendingTransferCents(world, refundId),
    ]).toEqual([["failed", "paid"], 2_000, 0]);
    expect(await asked()).toBe(1);
  },
);

test("refused repeatedly for a reason on our side, is retried about daily, never bothers the payer, and alerts staff after three days", async () => {
  refundId = await openRefundTransfer(world, charge);
  await giveKey(world, refundId);
  const { transfer } = ctx.payments;
  ctx.payments.transfer = () => Promise.reject(new ProviderRefused("insufficient_balance"));
  for (let days = 0; days < 4; days += 0.25) {
    await run();
    await world.advance(0.25 * DAY_MS);
  }
  const tries = await transferTriesOf(world, refundId);
  expect([tries.length > 4, tries.length < 8, tries.at(-1)?.status, await asked()]).toEqual([
    true,
    true,
    "ready",
    1,
  ]);
  expect(await findings()).toMatchObject([
    { name: "refund_transfers_answered", rows: [{ id: tries.at(-1)?.id, status: "ready" }] },
  ]);
  ctx.payments.transfer = transfer;
  await world.advance(DAY_MS);
  await run();
  expect([
    (await statusesOf(world, refundId)).at(-1),
    await sentCentsAtProvider(world, refundId),
  ]).toEqual(["paid", 2_000]);
});

test("refused three times without a known reason, requests another key from the payer", async () => {
  refundId = await openRefundTransfer(world, charge);
  await giveKey(world, refundId);
  ctx.payments.transfer = () => Promise.reject(new ProviderRefused("transfer_failed"));
  for (let turn = 0; turn < 3; turn += 1) {
    await run();
    await world.advance(DAY_MS);
  }
  expect([await statusesOf(world, refundId), await asked()]).toEqual([
    ["failed", "failed", "failed", "awaiting_key"],
    2,
  ]);
});

test("an unconfirmed refund of the same charge delays it at most three days before staff are told which one", async () => {
  refundId = await openRefundTransfer(world, charge, 700);
  await giveKey(world, refundId);
  const other = ctx.newId();
  await commit(ctx.db, [
    requestRefundStatement(ctx, charge, { id: other, amountCents: 1_300, reason: "" }),
  ]);
  const { chargeById } = ctx.payments;
  ctx.payments.chargeById = async (id) => ({ ...(await chargeById(id)), refundedCents: 1_300 });
  await run();
  expect(await statusesOf(world, refundId)).toEqual(["ready"]);
  await world.advance(2 * DAY_MS);
  // Another key does not restart the three days.
  await giveKey(world, refundId);
  await world.advance(1.5 * DAY_MS);
  const named = (await findings()).find(({ name }) => name === "refund_transfers_answered");
  expect(named?.rows).toMatchObject([
    { id: (await transferTriesOf(world, refundId))[0]?.id, status: "ready", waits_for: other },
  ]);
  await settleRefund(ctx, {
    refundId: other,
    providerRefund: {
      id: "rf_other",
      reference: other,
      chargeId: charge.providerChargeId ?? "",
      status: "succeeded",
      amountCents: 1_300,
    },
  });
  await run();
  expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual([
    ["paid"],
    700,
  ]);
});
