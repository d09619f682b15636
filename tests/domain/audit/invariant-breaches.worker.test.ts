import { beforeAll, expect, test } from "vitest";
import { invariantFindings, invariantTitles } from "#app/domain/audit/queries/invariants.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { undetectedBreaches } from "#tests/support/invariant-breach.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { paidTip } from "#tests/support/tips.ts";

let world: World;
let breaches: Record<string, string[]>;
let saleId: string;

const LATE = 9_999_999_999_999;
const payout = (columns: string, values: string) =>
  `INSERT INTO payouts (id, creator_id, amount_cents, status, pix_key_kind, pix_key, provider, requested_at, ${columns}) VALUES ('by-hand', 'nobody', 0, ${values})`;
const difference = (gapCents: number, ourId: string) =>
  `INSERT INTO reconciliation_differences (id, provider, object, object_id, kind, our_id, is_money, gap_cents, state, first_seen_at, last_seen_at) VALUES ('by-hand', 'sandbox', 'charge', 'x', 'amount', ${ourId}, 1, ${gapCents}, 'open', 1, 1)`;
const refundTransfer = (status: string) =>
  `INSERT INTO refund_transfers (id, refund_id, charge_id, payer_id, amount_cents, status, created_at, key_given_at) VALUES ('by-hand', 'none', 'none', 'nobody', 5, '${status}', 1, 1)`;
const gift = (chargeId: string, creatorId: string) =>
  `INSERT INTO gifts (id, giver_id, creator_id, plan_id, plan_price_id, interval, amount_cents, charge_id, code_hash, recipient_name, recipient_email, message, holds_seat, created_at, paid_at) VALUES ('by-hand', 'nobody', '${creatorId}', 'p', 'p', 'monthly', 100, '${chargeId}', 'x', '', '', '', 0, 1, 1)`;
const purchase = (id: string) =>
  `INSERT INTO purchases (id, person_id, creator_id, kind, target_id, title, charge_id, amount_cents, created_at, bought_at) VALUES ('${id}', 'nobody', 'nobody', 'post', 't', 'T', 'none', 100, 1, 1)`;
const subscription = (status: string) =>
  `INSERT INTO subscriptions (id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, status, created_at, updated_at) SELECT 'by-hand', fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, '${status}', 1, 1 FROM subscriptions LIMIT 1`;
/** A published event with one chosen ticket that nobody paid for. */
const eventTickets = [
  `INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, status, created_at) VALUES ('by-hand', 'nobody', 'E', 'P', ${LATE}, ${LATE}, 'published', 1)`,
  "INSERT INTO event_orders (id, event_id, person_id, ticket_kind_id, quantity, unit_price_cents, status, created_at) VALUES ('by-hand', 'by-hand', 'nobody', 'none', 0, 100, 'open', 1)",
];
const move = (to: string) =>
  `INSERT INTO provider_moves (id, from_provider, to_provider, amount_cents, note, moved_by, created_at) VALUES ('by-hand', 'sandbox', '${to}', 5, 'TED', 'nobody', 1)`;

/**
 * A renewal charge for the period from `periodStartsAt` whose payment started its subscription
 * again.
 */
const startedAgain = (saleId: string, periodStartsAt: string) => [
  `INSERT INTO charges (id, creator_id, payer_id, purchase_kind, purchase_id, description, amount_cents, fee_basis_points, fee_cents, net_cents, method, status, provider, created_at, asked_at, succeeded_at, period_starts_at) SELECT 'by-hand', creator_id, payer_id, purchase_kind, purchase_id, '', amount_cents, fee_basis_points, fee_cents, net_cents, method, 'succeeded', provider, created_at, asked_at, ${LATE}, ${periodStartsAt} FROM charges WHERE id = '${saleId}'`,
  `INSERT INTO charge_periods (id, charge_id, subscription_id, starts_at, ends_at) SELECT 'by-hand', 'by-hand', subscription_id, ${LATE}, ${LATE} FROM charge_periods WHERE charge_id = '${saleId}'`,
  `UPDATE subscriptions SET started_at = ${LATE}`,
];
const givenBack = (saleId: string) =>
  `INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at, settled_at) SELECT 'by-hand', id, amount_cents, 0, 'x', 'succeeded', 1, 1 FROM charges WHERE id = '${saleId}'`;

/**
 * SQL that breaks each invariant past every trigger, in a database with one subscription sale, one
 * tip and one payout.
 */
const breachesOf = ({
  saleId,
  tipId,
  payoutId,
  creatorId,
  now,
}: {
  saleId: string;
  tipId: string;
  payoutId: string;
  creatorId: string;
  now: number;
}): Record<string, string[]> => {
  const sale = (set: string) => `UPDATE charges SET ${set} WHERE id = '${saleId}'`;
  const consent = (state: string, appliedAt: string) =>
    `INSERT INTO price_consents (subscription_id, ask_id, from_plan_price_id, from_amount_cents, to_plan_price_id, to_amount_cents, takes_effect_at, state, applied_at, created_at) SELECT id, 'by-hand', 'other', 1, plan_price_id, 2, 9999999999999, '${state}', ${appliedAt}, 1 FROM subscriptions LIMIT 1`;
  const vacation = (startsAt: string) =>
    `INSERT INTO vacations (id, creator_id, starts_at, ends_at, swept_at, created_at) SELECT 'by-hand', creator_id, ${startsAt}, 9999999999999, 1, 1 FROM subscriptions LIMIT 1`;
  return {
    transactions_balance: [
      "UPDATE ledger_entries SET amount_cents = amount_cents + 1 WHERE account_id = 'platform_fees'",
    ],
    transactions_posted: [
      "INSERT INTO ledger_transactions (id, source_key, kind, created_at) VALUES ('by-hand', 'by-hand', 'charge.succeeded', 1)",
    ],
    balances_cached: [
      "UPDATE ledger_accounts SET balance_cents = balance_cents - 1 WHERE id = 'platform_fees'",
    ],
    balances_floor: [
      `UPDATE ledger_accounts SET balance_cents = 1 WHERE id = 'creator_available:${creatorId}'`,
    ],
    books_balance: [
      "UPDATE ledger_accounts SET balance_cents = balance_cents - 1 WHERE id = 'platform_fees'",
    ],
    charges_split: [sale("fee_cents = fee_cents + 1")],
    charges_posted: [sale("succeeded_at = NULL")],
    releases_whole: [
      `UPDATE charge_releases SET net_cents = net_cents + 1 WHERE charge_id = '${saleId}'`,
    ],
    pending_by_charge: [sale("pending_cents = 1")],
    reserved_by_dispute: [
      `INSERT INTO disputes (id, charge_id, provider_dispute_id, kind, amount_cents, fee_share_cents, status, created_at, creator_id, provider) VALUES ('by-hand', '${saleId}', 'x', 'card', 5, 0, 'open', 1, '${creatorId}', 'sandbox')`,
    ],
    disputes_summed: [sale("disputed_fee_cents = 1")],
    false_ages_given_back: [
      `UPDATE documents SET status = 'rejected', rejection_code = 'underage', decided_at = 1 WHERE person_id = '${creatorId}'`,
      sale("succeeded_at = 1"),
      `UPDATE charge_releases SET released_at = NULL WHERE charge_id = '${saleId}'`,
      "UPDATE payouts SET status = 'paid', settled_at = 1",
    ],
    periods_priced: [sale("periods_cents = '[1,1]'")],
    refunds_within_charge: [sale("refunded_cents = 1")],
    refunds_posted: [givenBack(saleId)],
    coupons_counted: [
      `INSERT INTO coupons (id, creator_id, code, percent, uses_count, created_at) VALUES ('by-hand', '${creatorId}', 'X', 10, 2, 1)`,
    ],
    refunds_answered: [
      `INSERT INTO refunds (id, charge_id, amount_cents, fee_share_cents, reason, status, created_at) VALUES ('by-hand', '${saleId}', 1, 0, 'x', 'requested', 1)`,
    ],
    totals_kept: [
      "UPDATE transaction_totals SET net_cents = net_cents + 1 WHERE face = 'received'",
    ],
    parts_kept: ["UPDATE analytics_money SET amount_cents = amount_cents + 1 WHERE count > 0"],
    plans_posted: ["UPDATE analytics_money SET net_cents = net_cents + 1 WHERE count > 0"],
    items_kept: [
      `INSERT INTO analytics_items (creator_id, day, item_id, count, amount_cents, net_cents) VALUES ('nobody', 1, 'by-hand', 1, 1, 0)`,
    ],
    payouts_claimed: [
      `UPDATE payouts SET amount_cents = amount_cents + 1 WHERE id = '${payoutId}'`,
    ],
    payouts_known: [
      "INSERT INTO ledger_accounts (id, kind, owner_id, normal_side, has_floor) VALUES ('payout_in_transit:none', 'payout_in_transit', 'none', -1, 1)",
    ],
    one_live_subscription: [subscription("active")],
    upcoming_paid: [subscription("upcoming")],
    ended_stays_ended: [
      ...startedAgain(saleId, `(SELECT ends_at FROM charge_periods WHERE charge_id = '${saleId}')`),
      givenBack(saleId),
    ],
    periods_paid_once: [
      `INSERT INTO charge_periods (id, charge_id, subscription_id, starts_at, ends_at) SELECT 'by-hand', charge_id, subscription_id, starts_at, ends_at FROM charge_periods WHERE charge_id = '${saleId}'`,
    ],
    plan_changes_paid: [
      "INSERT INTO plan_changes (id, subscription_id, happens, state, from_plan_id, from_plan_price_id, from_interval, from_amount_cents, to_plan_id, to_plan_price_id, to_interval, to_amount_cents, before_starts_at, before_ends_at, created_at) VALUES ('by-hand', 'none', 'now', 'done', 'p', 'p', 'monthly', 1, 'p', 'p', 'monthly', 1, 1, 1, 1)",
    ],
    plan_changes_answered: [sale("purchase_kind = 'plan_change'")],
    prices_agreed: ["UPDATE subscriptions SET amount_cents = 1"],
    prices_consented: [consent("asked", "NULL")],
    prices_dated: [consent("accepted", "1")],
    coverage_paid: [
      `UPDATE charge_periods SET amount_cents = 999999 WHERE charge_id = '${saleId}'`,
    ],
    providers_apart: [
      "UPDATE ledger_entries SET account_id = 'provider_clearing:other' WHERE account_id = 'provider_clearing:sandbox'",
    ],
    provider_moves_posted: [move("other")],
    providers_configured: [payout("claimed_at", "'requested', 'email', 'x', 'gone', 1, NULL")],
    platform_takes_own: [move("platform_cash")],
    costs_posted: [sale("cost_cents = 5")],
    debts_paid: [sale("purchase_kind = 'debt'")],
    write_offs_posted: [
      `INSERT INTO write_offs (id, creator_id, amount_cents, reason, decided_by, created_at) VALUES ('by-hand', '${creatorId}', 5, 'x', 'nobody', 1)`,
    ],
    refund_transfers_known: [refundTransfer("awaiting_key")],
    refunds_go_once: [refundTransfer("awaiting_key")],
    refund_transfers_answered: [refundTransfer("ready")],
    payouts_funded: [payout("waits_for", "'requested', 'email', 'x', 'sandbox', 1, 'balance'")],
    keys_told: [payout("waits_for", "'requested', 'email', 'x', 'sandbox', 1, 'key_owner'")],
    payouts_approved: [payout("held_reason", "'held', 'email', 'x', 'sandbox', 1, 'approval'")],
    payouts_accepted: [payout("waits_for", "'requested', 'email', 'x', 'sandbox', 1, 'provider'")],
    providers_agree: [difference(0, "NULL")],
    providers_hold: [difference(5, "'x'")],
    nights_whole: [
      "INSERT INTO reconciliation_runs (id, provider, night, started_at, step) VALUES ('by-hand', 'sandbox', '2020-01-01', 1, 'charges')",
    ],
    vacations_move_once: [vacation("started_at + 1")],
    vacations_charge_nothing: [vacation("1")],
    fees_invoiced: [
      "INSERT INTO fiscal_batches (month, starts_at, ends_at, fees_cents, invoiced_cents, left_cents, invoices_count, issued_on, created_at) VALUES ('2020-01', 0, 1, 5, 5, 0, 0, '2020-02-01', 1)",
    ],
    access_explained: [`DELETE FROM charge_periods WHERE charge_id = '${saleId}'`],
    audience_kept: ["UPDATE audience_totals SET count = count + 1"],
    recurring_kept: ["UPDATE recurring_days SET monthly_cents = monthly_cents + 1"],
    purchases_paid: [purchase("by-hand")],
    purchases_answered: [sale("purchase_kind = 'post'")],
    bought_once: [purchase("by-hand"), purchase("twice")],
    event_seats_within_capacity: [
      ...eventTickets,
      "UPDATE events SET seats_taken = 1 WHERE id = 'by-hand'",
    ],
    event_holds_paid_for: [
      ...eventTickets,
      "UPDATE event_orders SET status = 'held' WHERE id = 'by-hand'",
    ],
    event_seats_bought: [
      ...eventTickets,
      "INSERT INTO event_seats (id, event_id, person_id, status, code, taken_at, order_id) VALUES ('by-hand', 'by-hand', 'nobody', 'taken', 'x', 1, 'by-hand')",
    ],
    event_money_held_back: [
      ...eventTickets,
      `INSERT INTO purchases (id, person_id, creator_id, kind, target_id, title, charge_id, amount_cents, created_at, bought_at) VALUES ('by-hand', 'nobody', 'nobody', 'event', 'by-hand', 'T', '${saleId}', 100, 1, 1)`,
      `UPDATE charge_releases SET released_at = NULL, release_at = 1 WHERE charge_id = '${saleId}'`,
    ],
    tips_paid: [`UPDATE tips SET amount_cents = amount_cents + 1 WHERE charge_id = '${tipId}'`],
    tips_answered: [`DELETE FROM tips WHERE charge_id = '${tipId}'`],
    gifts_paid: [gift("none", "nobody")],
    gifts_answered: [sale("purchase_kind = 'gift'")],
    gifts_held_back: [gift(saleId, creatorId)],
    nothing_waits: [
      "INSERT INTO inbox (id, provider, provider_event_id, type, object_id, body, received_at) VALUES ('by-hand', 'sandbox', 'x', 'other', 'x', '{}', 1)",
    ],
    deliveries_set_aside: [
      "INSERT INTO inbox (id, provider, provider_event_id, type, object_id, body, received_at, quarantined_at, quarantine_reason) VALUES ('by-hand', 'sandbox', 'x', 'charge', 'x', '{}', 1, 1, 'unknown_charge')",
    ],
    letters_wait: [
      "INSERT INTO outbox (id, type, payload, created_at) VALUES ('by-hand', 'other', '{}', 1)",
    ],
    letters_fail: [
      "INSERT INTO outbox (id, type, payload, created_at) VALUES ('by-hand', 'other', '{}', 1)",
      "INSERT INTO setbacks (subject_id, failures, next_attempt_at) VALUES ('by-hand', 3, 9999999999999)",
    ],
    months_sealed: ["UPDATE ledger_transactions SET posted_at = 1 WHERE kind = 'payout.claimed'"],
    sealed_accounts_add_up: [
      "INSERT INTO ledger_seals (month, ends_at, entries_count, previous_hash, hash, balances, sealed_at) VALUES ('2020-01', 1, 0, '', 'x', '{}', 2)",
      "INSERT INTO ledger_account_months (month, account_id, cents) VALUES ('2020-01', 'platform_fees', 5)",
    ],
    looked_at_whole: [
      `INSERT INTO ledger_checks (name, checked_at, broken_count, holds_payouts, whole_at) VALUES ('by-hand', ${now}, 0, 0, 1)`,
    ],
  };
};

beforeAll(async () => {
  world = await testContext();
  const [ana, bruno] = [await createSeller(world.ctx), await createPerson(world.ctx, "Bruno")];
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  const sale = await paidSubscription(world, bruno, ana);
  const { charge: tip } = await paidTip(world, bruno, ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await world.drain();
  saleId = sale.id;
  breaches = breachesOf({
    saleId,
    tipId: tip.id,
    payoutId,
    creatorId: ana.id,
    now: world.ctx.realNow(),
  });
});

test("every invariant has a breach in this file", () => {
  expect(Object.keys(breaches).toSorted()).toEqual(
    invariantTitles.map(({ name }) => name).toSorted(),
  );
});

test("each invariant detects its own breach, and none reports anything without one", async () => {
  const found = async () =>
    (await invariantFindings(world.ctx))
      .filter(({ rows }) => rows.length > 0)
      .map(({ name }) => name);
  expect(await found()).toEqual([]);
  expect(await undetectedBreaches(world.ctx, breaches)).toEqual([]);
  expect(await found()).toEqual([]);
});

test.each<[name: string, statements: () => string[]]>([
  [
    "its free days, before they were over",
    () => [
      ...startedAgain(saleId, String(LATE + 1)),
      `UPDATE subscriptions SET trial_ends_at = ${LATE + 1}`,
    ],
  ],
  [
    "a payment that went back, after free days",
    () => [...(breaches["ended_stays_ended"] ?? []), "UPDATE subscriptions SET trial_ends_at = 1"],
  ],
])(
  "a subscription that ended early and was started again by an earlier charge is detected: %s",
  async (_, statements) => {
    expect(await undetectedBreaches(world.ctx, { ended_stays_ended: statements() })).toEqual([]);
  },
);

test("a payment after the end of a trial, also in its grace period, is no breach", async () => {
  const inGrace = [
    ...startedAgain(saleId, String(LATE)),
    `UPDATE subscriptions SET trial_ends_at = ${LATE}`,
  ];
  expect(await undetectedBreaches(world.ctx, { ended_stays_ended: inGrace })).toEqual([
    "ended_stays_ended",
  ]);
});
