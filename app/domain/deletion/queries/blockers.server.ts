import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { DeletionBlockers } from "#app/domain/deletion/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import type { PayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const exists = (rows: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${rows})`;
const balance = (kind: string, personId: string): SQL =>
  sql`COALESCE((SELECT a.balance_cents * a.normal_side FROM ledger_accounts a WHERE a.id = ${`${kind}:${personId}`}), 0)`;

/**
 * Returns each open obligation of a person as a condition. The last batch of a deletion is refused
 * while any of them holds.
 */
function openThings(personId: string) {
  const theirs = sql`(c.payer_id = ${personId} OR c.creator_id = ${personId})`;
  const ofCharges = (table: string) =>
    sql`${sql.raw(table)} t JOIN charges c ON c.id = t.charge_id WHERE ${theirs}`;
  return {
    subscriptions: exists(
      sql`subscriptions s WHERE (s.fan_id = ${personId} OR s.creator_id = ${personId}) AND s.status NOT IN ('incomplete', 'expired')`,
    ),
    purchases: exists(
      sql`purchases s WHERE s.creator_id = ${personId} AND s.bought_at IS NOT NULL AND s.ended_at IS NULL`,
    ),
    gifts: exists(
      sql`gifts g WHERE g.creator_id = ${personId} AND g.paid_at IS NOT NULL AND g.ended_at IS NULL AND g.claimed_at IS NULL`,
    ),
    // A charge that their bank may still debit is open.
    charges: sql`(${exists(sql`charges c WHERE ${theirs} AND c.status IN ('created', 'awaiting_payment', 'requires_action', 'processing')`)} OR ${exists(sql`recurring_pix r WHERE r.payer_id = ${personId} AND r.status IN ('created', 'active')`)})`,
    disputes: exists(sql`${ofCharges("disputes")} AND t.status = 'open'`),
    refunds: exists(sql`${ofCharges("refunds")} AND t.status = 'requested'`),
    failedRefunds:
      exists(sql`${ofCharges("refunds")} AND t.status = 'failed' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
      AND t.created_at >= (SELECT d.requested_at FROM account_deletions d WHERE d.person_id = ${personId} ORDER BY d.requested_at DESC LIMIT 1)
      AND NOT EXISTS (SELECT 1 FROM refunds later WHERE later.charge_id = t.charge_id AND later.status = 'succeeded' AND later.created_at > t.created_at)`),
    payout: exists(
      sql`payouts p WHERE p.creator_id = ${personId} AND p.status IN ('requested', 'held', 'claimed', 'sent')`,
    ),
    messages: exists(
      sql`outbox o WHERE o.handled_at IS NULL AND o.quarantined_at IS NULL AND INSTR(o.payload, ${personId}) > 0`,
    ),
  };
}

/** True while `personId` has an open obligation or some money. Guards the last batch. */
export function hasOpenObligationsSql(personId: string): SQL {
  const open = openThings(personId);
  const money = ["creator_available", "creator_pending", "creator_reserved"].map(
    (kind) => sql`${balance(kind, personId)} <> 0`,
  );
  return sql`(${sql.join([...Object.values(open), ...money], sql` OR `)})`;
}

type DeletionBlockersRow = Record<keyof ReturnType<typeof openThings>, number> & {
  availableCents: Cents;
  pendingCents: Cents;
  lastReleaseAt: Instant | null;
  payoutFailedAt: Instant | null;
};

/** Reads everything that blocks the end of a person's account. */
export async function loadDeletionBlockers(
  ctx: Context,
  { personId }: { personId: string },
): Promise<DeletionBlockers> {
  const open = openThings(personId);
  const columns = Object.entries(open).map(
    ([name, condition]) => sql`${condition} AS ${sql.identifier(name)}`,
  );
  const [payout, row] = await Promise.all([
    loadPayoutSnapshot(ctx, { creatorId: personId }),
    ctx.db.get<DeletionBlockersRow>(sql`SELECT ${sql.join(columns, sql`, `)},
      ${balance("creator_available", personId)} AS availableCents, ${balance("creator_pending", personId)} AS pendingCents,
      (SELECT MAX(release_at) FROM charge_releases WHERE creator_id = ${personId} AND released_at IS NULL AND taken_cents < net_cents AND release_at < ${UNSCHEDULED_RELEASE_AT}) AS lastReleaseAt,
      (SELECT MAX(p.settled_at) FROM payouts p WHERE p.creator_id = ${personId} AND p.status IN ('failed', 'returned')) AS payoutFailedAt`),
  ]);
  return {
    hasLiveSubscriptions: row.subscriptions === 1,
    hasSoldPurchases: row.purchases === 1 || row.gifts === 1,
    hasOpenCharges: row.charges === 1,
    hasWaitingRefunds: row.refunds === 1,
    hasFailedRefunds: row.failedRefunds === 1,
    hasOpenDisputes: row.disputes === 1,
    hasOpenPayout: row.payout === 1,
    hasPayoutJustFailed: row.payoutFailedAt !== null && row.payoutFailedAt > ctx.now() - DAY_MS,
    hasPendingMessages: row.messages === 1,
    availableCents: row.availableCents,
    pendingCents: row.pendingCents,
    lastReleaseAt: row.lastReleaseAt,
    payoutProblem: problemOf(payout, ctx.now()),
  };
}

function problemOf(payout: PayoutSnapshot, now: Instant): DeletionBlockers["payoutProblem"] {
  if (payout.isBanned) return "banned";
  if (!payout.method) return "no_method";
  if (!payout.documentsApproved) return "documents";
  if (!payout.canPayOut) return "no_provider";
  if (payout.isHeldByStaff) return "held_by_staff";
  return payout.method.holdUntil !== null && payout.method.holdUntil > now
    ? "method_on_hold"
    : null;
}
