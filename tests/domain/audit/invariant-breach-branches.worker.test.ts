import { beforeAll, expect, test } from "vitest";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { undetectedBreaches } from "#tests/support/invariant-breach.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import {
  expiredTip,
  sendRefundTransferTo,
  openRefundTransfer,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";
import { paidTip } from "#tests/support/tips.ts";

// Covers the parts of an invariant that its breach in `invariant-breaches.worker.test.ts` does not
// break. Each breach here breaks one part.

type Broken = {
  saleId: string;
  freeId: string;
  payoutId: string;
  transferId: string;
  refundId: string;
  creatorId: string;
};

let world: World;
let arms: Record<string, string[]>;
let these: Broken;

const posted = (key: string, as: string) =>
  `UPDATE ledger_transactions SET source_key = '${as}' WHERE source_key = '${key}'`;
const charge = (id: string, set: string) => `UPDATE charges SET ${set} WHERE id = '${id}'`;
const underage = (creatorId: string) =>
  `UPDATE documents SET status = 'rejected', rejection_code = 'underage', decided_at = 1 WHERE person_id = '${creatorId}'`;
const withdrawal = (state: string, decidedBy: string) =>
  `INSERT INTO platform_withdrawals (id, provider, amount_cents, moved_on, note, state, asked_by, asked_at, decided_by, decided_at) VALUES ('by-hand', 'sandbox', 5, '2020-01-01', 'TED', '${state}', 'maria', 1, ${decidedBy}, 1)`;
const MOVE =
  "INSERT INTO provider_moves (id, from_provider, to_provider, amount_cents, own_cents, note, moved_by, created_at) VALUES ('by-hand', 'sandbox', 'platform_cash', 5, 5, 'TED', 'maria', 1)";

function payoutArms({ payoutId }: Broken): Record<string, string[]> {
  const payout = (status: string) =>
    `UPDATE payouts SET status = '${status}' WHERE id = '${payoutId}'`;
  return {
    "payouts_known:on its way, and less is set aside": [
      payout("sent"),
      posted(`payout:${payoutId}:paid`, "x"),
    ],
    "payouts_known:over, and something is left on its way": [
      `UPDATE ledger_accounts SET balance_cents = -1 WHERE id = 'payout_in_transit:${payoutId}'`,
    ],
    "payouts_known:paid, and booked as failed": [
      posted(`payout:${payoutId}:paid`, `payout:${payoutId}:failed`),
    ],
    "payouts_known:failed, and booked as paid": [payout("failed")],
    "payouts_known:returned, and not booked so": [payout("returned")],
    "payouts_known:paid after all, without having been given back": [
      `INSERT INTO ledger_transactions (id, source_key, kind, payout_id, created_at) VALUES ('by-hand', 'payout:${payoutId}:paid_after_all', 'payout.paid', '${payoutId}', 1)`,
      `INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) SELECT 'by-hand', 'by-hand', 'provider_clearing:' || provider, -amount_cents, 1 FROM payouts WHERE id = '${payoutId}'`,
    ],
    "payouts_known:paid, and booked as returned": [
      `INSERT INTO ledger_transactions (id, source_key, kind, payout_id, created_at) VALUES ('by-hand', 'payout:${payoutId}:returned', 'payout.returned', '${payoutId}', 1)`,
      `INSERT INTO ledger_entries (id, transaction_id, account_id, amount_cents, posted_at) SELECT 'by-hand', 'by-hand', 'creator_available:' || creator_id, -amount_cents, 1 FROM payouts WHERE id = '${payoutId}'`,
    ],
  };
}

function refundArms({ saleId, refundId, transferId }: Broken): Record<string, string[]> {
  const refund = (set: string) => `UPDATE refunds SET ${set} WHERE id = '${refundId}'`;
  const transfer = (set: string) => `UPDATE refund_transfers SET ${set} WHERE id = '${transferId}'`;
  return {
    "refunds_posted:done, and not booked": [posted(`refund:${refundId}:succeeded`, "x")],
    "refunds_posted:booked, and not done": [refund("status = 'requested'")],
    "refunds_posted:booked as another amount": [refund("amount_cents = amount_cents - 1")],
    "refunds_within_charge:more goes back than was captured": [
      `INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at, settled_at) SELECT 'by-hand', id, amount_cents + 1, 0, 'x', 'succeeded', 1, 1 FROM charges WHERE id = '${saleId}'`,
      charge(saleId, "refunded_cents = amount_cents + 1"),
    ],
    "refunds_go_once:by two of ours": [
      `INSERT INTO refund_transfers (id, refund_id, charge_id, payer_id, amount_cents, status, created_at) SELECT 'by-hand', refund_id, charge_id, payer_id, amount_cents, 'awaiting_key', 1 FROM refund_transfers WHERE id = '${transferId}'`,
    ],
    "refunds_go_once:failed, and booked as paid": [transfer("status = 'failed'")],
    "refunds_go_once:canceled, and not booked": [
      transfer("status = 'canceled'"),
      posted(`refund-transfer:${transferId}:paid`, "x"),
    ],
    "refunds_go_once:paid before, and not booked so": [
      transfer("status = 'canceled', failure_code = 'paid_before'"),
      posted(`refund-transfer:${transferId}:paid`, `refund-transfer:${transferId}:taken`),
    ],
    "providers_configured:a refund": [
      charge(saleId, "provider = 'gone'"),
      `INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at) VALUES ('by-hand', '${saleId}', 1, 0, 'x', 'requested', 1)`,
    ],
    "providers_configured:a refund's transfer": [
      transfer("status = 'sent', provider = 'gone', key_given_at = 1"),
    ],
  };
}

function otherArms({ saleId, freeId, creatorId }: Broken): Record<string, string[]> {
  return {
    "charges_posted:paid, and not booked": [posted(`charge:${saleId}:succeeded`, "x")],
    "providers_configured:a charge": [
      charge(saleId, "status = 'processing', provider = 'gone', asked_at = 1"),
    ],
    "debts_paid:a sale that was booked as one": [
      `UPDATE ledger_transactions SET kind = 'debt.paid' WHERE source_key = 'charge:${saleId}:succeeded'`,
    ],
    "debts_paid:counted as a sale": [
      `INSERT INTO transaction_totals (person_id, face, day, state, method, kind, count, amount_cents, refunded_cents, disputed_cents, fee_cents, net_cents) VALUES ('${creatorId}', 'received', 1, 'paid', 'pix', 'debt', 0, 0, 0, 0, 0, 0)`,
    ],
    "false_ages_given_back:what is free and was not paid out": [
      underage(creatorId),
      charge(freeId, "succeeded_at = 1"),
    ],
    "platform_takes_own:approved by nobody": [MOVE, withdrawal("approved", "NULL")],
    "platform_takes_own:refused by nobody": [withdrawal("refused", "NULL")],
  };
}

beforeAll(async () => {
  world = await testContext();
  const [ana, bruno] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  const returned = await createSeller(world.ctx);
  const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, returned));
  await sendRefundTransferTo(world, refundId);
  const sale = await paidSubscription(world, bruno, ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await world.drain();
  const { charge: free } = await paidTip(world, bruno, ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  await world.advance(2 * DAY_MS);
  these = {
    saleId: sale.id,
    freeId: free.id,
    payoutId,
    refundId,
    transferId: (await transferTriesOf(world, refundId))[0]?.id ?? "",
    creatorId: ana.id,
  };
  arms = { ...payoutArms(these), ...refundArms(these), ...otherArms(these) };
});

test("each part of an invariant detects its own breach", async () => {
  const found = (await invariantFindings(world.ctx)).filter(({ rows }) => rows.length > 0);
  expect(found).toEqual([]);
  expect(await undetectedBreaches(world.ctx, arms)).toEqual([]);
});

test("the underage check ignores amounts that were paid out, are already refunded, or are in transit", async () => {
  const { saleId, freeId, payoutId, creatorId } = these;
  const free = [underage(creatorId), charge(freeId, "succeeded_at = 1")];
  const decided = [
    ...free,
    `INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at) VALUES ('${freeId}-back', '${freeId}', 1, 0, 'x', 'succeeded', 1)`,
  ];
  const none = {
    "false_ages_given_back:paid out": [...decided, charge(saleId, "succeeded_at = 1")],
    "false_ages_given_back:on its way": [
      ...free,
      `UPDATE payouts SET status = 'sent' WHERE id = '${payoutId}'`,
    ],
    "false_ages_given_back:decided on": decided,
  };
  expect(await undetectedBreaches(world.ctx, none)).toEqual(Object.keys(none));
});
