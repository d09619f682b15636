import { and, eq, inArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { pendingPartCents, isPendingPart } from "#app/domain/payments/releases/queries.server.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { toPayout } from "#app/domain/payouts/queries.server.ts";
import { moneyTimeline } from "#app/domain/payouts/timeline/rules/timeline.ts";
import type {
  AvailableInput,
  TimelineBalances,
  TimelineInput,
  TimelineRow,
  PendingItem,
} from "#app/domain/payouts/timeline/rules/timeline.ts";
import type { Instant } from "#app/domain/time.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";

export type MoneyTimeline = {
  balances: TimelineBalances;
  rows: TimelineRow[];
  next: string | null;
  /** The moderator's text of a hold. */ holdReason: string | null;
};

/**
 * Loads one page of a creator's money that was not paid out, and why (`moneyTimeline`).
 *
 * Disputes come first, then pending parts by date. The payout, the available and the owed money are
 * on the first page alone. Two round trips; the sums come from the second.
 */
export async function loadMoneyTimeline(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
): Promise<MoneyTimeline> {
  const snapshot = await loadPayoutSnapshot(ctx, { creatorId });
  const [accounts, [transit], [open], [sum], found] = await ctx.db.batch([
    creatorBalanceRows(ctx, { creatorId }),
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(SUM(-account.balance_cents), 0)` })
      .from(sql`ledger_accounts account`)
      .where(
        sql`account.id IN (SELECT 'payout_in_transit:' || id FROM payouts WHERE creator_id = ${creatorId})`,
      ),
    ctx.db
      .select()
      .from(payouts)
      .where(
        and(
          eq(payouts.creatorId, creatorId),
          inArray(payouts.status, ["requested", "held", "claimed", "sent"]),
        ),
      )
      .limit(1),
    waitingSum(ctx, creatorId),
    waitingRows(ctx, { creatorId, cursor, limit }),
  ]);
  const balances = {
    pendingCents: balanceOfKind(accounts, "creator_pending"),
    availableCents: balanceOfKind(accounts, "creator_available"),
    reservedCents: balanceOfKind(accounts, "creator_reserved"),
    owedCents: balanceOfKind(accounts, "creator_owed"),
    inTransitCents: transit?.cents ?? 0,
  };
  const available: AvailableInput = {
    ...snapshot,
    availableCents: balances.availableCents,
    hasMethod: snapshot.method !== null,
    holdUntil: snapshot.method?.holdUntil ?? null,
    methodKind: snapshot.method?.pixKeyKind ?? null,
    schedule: snapshot.method?.schedule ?? "manual",
    openPayout: open ? toPayout(open) : null,
    now: ctx.now(),
  };
  const page = pageOf(found.map(asWaiting), limit, ({ at, id }) => ({ at, id }));
  const input: TimelineInput = {
    balances,
    available,
    waiting: page.items,
    waitingCents: sum?.cents ?? 0,
  };
  const rows = moneyTimeline(input);
  const isFirst = decodeCursor(cursor) === null;
  return {
    balances,
    rows: isFirst ? rows : rows.filter(({ of }) => of === "pending" || of === "reserved"),
    next: page.next,
    holdReason: snapshot.holdReason,
  };
}

const heldSales = (creatorId: string): SQL =>
  sql`FROM charge_releases JOIN charges ON charges.id = charge_releases.charge_id WHERE charge_releases.creator_id = ${creatorId} AND ${isPendingPart}`;
const openDisputes = (creatorId: string): SQL =>
  sql`FROM disputes JOIN charges ON charges.id = disputes.charge_id WHERE disputes.creator_id = ${creatorId} AND disputes.status = 'open'`;

function waitingSum(ctx: Context, creatorId: string) {
  return ctx.db
    .select({ cents: sql<Cents>`COALESCE(SUM(waits.cents), 0)` })
    .from(
      sql`(SELECT SUM(${pendingPartCents}) AS cents ${heldSales(creatorId)} UNION ALL SELECT SUM(disputes.amount_cents - disputes.fee_share_cents) ${openDisputes(creatorId)}) waits`,
    );
}

/**
 * Statement of one page of pending money. Each arm stops at the page by its own index, so that a
 * page costs the same however much waits.
 */
function waitingRows(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
) {
  const after = decodeCursor(cursor);
  const past = (at: SQL, id: SQL): SQL =>
    after ? sql` AND (${at}, ${id}) > (${after.at}, ${after.id})` : sql``;
  const sales = sql`SELECT 'sale' AS kind, charge_releases.id AS id, charge_releases.release_at AS at, ${pendingPartCents} AS cents, charges.id AS charge_id, charges.description, charges.method,
    charge_releases.begins_at, charges.succeeded_at, (SELECT late.failures FROM setbacks late WHERE late.subject_id = charge_releases.id) AS failures, NULL AS dispute_kind, NULL AS respond_by, NULL AS under_review_at
    ${heldSales(creatorId)}${past(sql`charge_releases.release_at`, sql`charge_releases.id`)} ORDER BY charge_releases.release_at, charge_releases.id LIMIT ${limit + 1}`;
  const disputed = sql`SELECT 'dispute' AS kind, disputes.id, disputes.created_at, disputes.amount_cents - disputes.fee_share_cents, charges.id, charges.description, charges.method,
    NULL, charges.succeeded_at, NULL, disputes.kind, disputes.respond_by, disputes.under_review_at
    ${openDisputes(creatorId)}${past(sql`disputes.created_at`, sql`disputes.id`)} ORDER BY disputes.created_at, disputes.id LIMIT ${limit + 1}`;
  return ctx.db
    .select({
      kind: sql<PendingItem["kind"]>`waits.kind`.as("kind"),
      id: sql<string>`waits.id`.as("id"),
      at: sql<Instant>`waits.at`.as("at"),
      cents: sql<Cents>`waits.cents`.as("cents"),
      chargeId: sql<string>`waits.charge_id`.as("charge_id"),
      description: sql<string>`waits.description`.as("description"),
      method: sql<PaymentMethod>`waits.method`.as("method"),
      beginsAt: sql<Instant | null>`waits.begins_at`.as("begins_at"),
      succeededAt: sql<Instant>`waits.succeeded_at`.as("succeeded_at"),
      failures: sql<number | null>`waits.failures`.as("failures"),
      disputeKind: sql<"card" | "med" | null>`waits.dispute_kind`.as("dispute_kind"),
      respondBy: sql<Instant | null>`waits.respond_by`.as("respond_by"),
      underReviewAt: sql<Instant | null>`waits.under_review_at`.as("under_review_at"),
    })
    .from(sql`(SELECT * FROM (${sales}) UNION ALL SELECT * FROM (${disputed})) waits`)
    .orderBy(sql`waits.at`, sql`waits.id`)
    .limit(limit + 1);
}

type WaitingRow = Page<Awaited<ReturnType<typeof waitingRows>>[number]>["items"][number];

function asWaiting({
  kind,
  id,
  at,
  cents,
  chargeId,
  description,
  method,
  beginsAt,
  succeededAt,
  failures,
  disputeKind,
  respondBy,
  underReviewAt,
}: WaitingRow): PendingItem {
  const sold = { id, at, cents, chargeId, description };
  if (kind === "dispute")
    return { kind, ...sold, disputeKind: disputeKind ?? "card", respondBy, underReviewAt };
  return { kind, ...sold, method, beginsAt, succeededAt, failures: failures ?? 0 };
}
