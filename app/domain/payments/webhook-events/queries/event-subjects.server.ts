import { and, eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { toChargeRow } from "#app/domain/payments/queries.server.ts";
import type { Dispute, InboxEvent, Refund } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { charges, disputes, inbox, refunds, refundTransfers } from "#drizzle/schema/payments.ts";
import { otherOpenDisputesSql } from "#app/domain/payments/disputes/queries.server.ts";
import { refundTotalsColumns } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundTotals } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";

/** An event with its subject, where known: a charge, or an object of a charge. */
export type InboxEventSnapshot = {
  event: InboxEvent;
  charge: Charge | null;
  refundTotals: RefundTotals;
  /** The creator's debt, if the charge pays one. */
  owedCents: Cents | null;
  refund: Refund | null;
  transfer: RefundTransfer | null;
  dispute: Dispute | null;
  /** For a dispute: the number of other open disputes of the charge. */
  othersOpen: number;
};

/**
 * Keys that find the rows of an event, as SQL. `inboxId` is the event. The others are what the
 * provider's answer names, and NULL before it answered.
 */
export type EventKeys = {
  inboxId: SQL<string>;
  /** The id of our row, which we gave to the provider. */
  reference: SQL<string>;
  /** The provider's id of the charge. */
  providerChargeId: SQL<string>;
};

/** Types of events about a charge, or about an object of a charge. */
type ChargeEventType = "charge" | "refund" | "dispute";

/** Conditions on `charges ours` that find the charge of an event. The first that matches counts. */
const CHARGE_CONDITIONS: Record<ChargeEventType, (keys: EventKeys) => SQL[]> = {
  charge: ({ reference, providerChargeId }) => [
    sql`ours.provider_charge_id = event.object_id`,
    sql`ours.id = ${reference}`,
    sql`ours.provider_charge_id = ${providerChargeId}`,
  ],
  refund: ({ reference, providerChargeId }) => [
    sql`ours.id = (SELECT r.charge_id FROM refunds r WHERE r.provider_refund_id = event.object_id LIMIT 1)`,
    sql`ours.id = (SELECT r.charge_id FROM refunds r WHERE r.id = ${reference})`,
    sql`ours.provider_charge_id = ${providerChargeId}`,
  ],
  dispute: ({ providerChargeId }) => [
    sql`ours.id = (SELECT d.charge_id FROM disputes d WHERE d.provider = event.provider AND d.provider_dispute_id = event.object_id)`,
    sql`ours.provider_charge_id = ${providerChargeId}`,
  ],
};

/** Builds SQL for the charge of an event. An event never finds a charge of another provider. */
const chargeIdOfEvent = (type: ChargeEventType, keys: EventKeys): SQL => {
  const lookups = CHARGE_CONDITIONS[type](keys).map(
    (condition) =>
      sql`(SELECT ours.id FROM charges ours WHERE ours.provider = event.provider AND ${condition})`,
  );
  return sql`(SELECT COALESCE(${sql.join(lookups, sql`, `)}) FROM inbox event WHERE event.id = ${keys.inboxId})`;
};

/** Builds SQL for a column of the event's charge, or NULL. For statements read in the same batch. */
export type EventChargeColumn = (column: SQL) => SQL<string>;

/** Builds the `EventChargeColumn` of an event. */
export const chargeColumnOfEvent =
  (type: ChargeEventType, keys: EventKeys): EventChargeColumn =>
  (column) =>
    sql<string>`(SELECT ${column} FROM charges charge_row WHERE charge_row.id = ${chargeIdOfEvent(type, keys)})`;

/** Builds SQL for the purchase of a charge, and the plan change that it pays. */
export const purchaseRefOfEvent = (chargeColumn: EventChargeColumn) => ({
  purchaseId: chargeColumn(sql`charge_row.purchase_id`),
  planChangeId: chargeColumn(sql`charge_row.plan_change_id`),
});

const owedCents =
  sql<Cents | null>`CASE WHEN ${charges.purchaseKind} = 'debt' THEN COALESCE((SELECT a.balance_cents * a.normal_side FROM ledger_accounts a WHERE a.id = 'creator_owed:' || ${charges.creatorId}), 0) END`.as(
    "owed_cents",
  );

/**
 * Statement of an event about a charge, with the charge and its refund totals;
 * `toInboxEventSnapshot` reads its rows. It can be built once.
 */
export const chargeEventStatement = ({ db }: Pick<Context, "db">, keys: EventKeys) =>
  db
    .select({ event: inbox, charge: charges, ...refundTotalsColumns, owedCents })
    .from(inbox)
    .leftJoin(charges, eq(charges.id, chargeIdOfEvent("charge", keys)))
    .where(eq(inbox.id, keys.inboxId))
    .limit(1);

/**
 * Statement of an event about a refund or dispute, with it and its charge; `toInboxEventSnapshot`
 * reads its rows. It can be built once.
 */
export const reversalEventStatement = (
  { db }: Pick<Context, "db">,
  type: "refund" | "dispute",
  keys: EventKeys,
) =>
  db
    .select({
      event: inbox,
      charge: charges,
      ...refundTotalsColumns,
      refund: refunds,
      dispute: disputes,
      othersOpen: otherOpenDisputesSql({
        chargeId: sql.raw('"charges"."id"'),
        providerDisputeId: sql.raw('"inbox"."object_id"'),
      }).as("others_open"),
    })
    .from(inbox)
    .leftJoin(charges, eq(charges.id, chargeIdOfEvent(type, keys)))
    .leftJoin(
      refunds,
      and(
        eq(refunds.chargeId, charges.id),
        or(eq(refunds.providerRefundId, inbox.objectId), eq(refunds.id, keys.reference)),
      ),
    )
    .leftJoin(
      disputes,
      and(
        eq(disputes.provider, inbox.provider),
        eq(disputes.providerDisputeId, inbox.objectId),
        eq(inbox.type, "dispute"),
      ),
    )
    .where(eq(inbox.id, keys.inboxId))
    .limit(1);

/**
 * Statement of an event about a Pix that we sent, with the refund transfer and its charge where it
 * is one; `toInboxEventSnapshot` reads its rows. It can be built once.
 */
export const refundTransferEventStatement = (
  { db }: Pick<Context, "db">,
  { inboxId, reference }: EventKeys,
) =>
  db
    .select({ event: inbox, charge: charges, ...refundTotalsColumns, transfer: refundTransfers })
    .from(inbox)
    .leftJoin(
      refundTransfers,
      and(
        eq(refundTransfers.provider, inbox.provider),
        or(
          eq(refundTransfers.providerTransferId, inbox.objectId),
          eq(refundTransfers.id, reference),
        ),
      ),
    )
    .leftJoin(charges, eq(charges.id, refundTransfers.chargeId))
    .where(eq(inbox.id, inboxId))
    .limit(1);

type InboxEventRow = Omit<Awaited<ReturnType<typeof chargeEventStatement>>[number], "owedCents"> &
  Partial<Pick<InboxEventSnapshot, "owedCents" | "refund" | "transfer" | "dispute" | "othersOpen">>;

export function toInboxEventSnapshot([row]: readonly InboxEventRow[]): InboxEventSnapshot | null {
  if (!row) return null;
  const {
    event,
    charge,
    waitingCents,
    sentCents,
    owedCents: owed = null,
    refund = null,
    transfer = null,
    dispute = null,
    othersOpen: others = 0,
  } = row;
  return {
    event,
    charge: charge && toChargeRow(charge),
    refundTotals: { waitingCents, sentCents },
    owedCents: owed,
    refund,
    transfer,
    dispute,
    othersOpen: others,
  };
}
