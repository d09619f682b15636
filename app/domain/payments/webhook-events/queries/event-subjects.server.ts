import { and, eq, sql } from "drizzle-orm";
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

/** Builds SQL for a column of the event's charge, or NULL. For statements read in the same batch. */
export type EventChargeColumn = (column: SQL) => SQL<string>;

/**
 * Builds SQL for a column of the charge that an event is about. An event of one provider never
 * applies to an object of another.
 */
export const chargeColumnOfEvent =
  ({ inboxId }: { inboxId: SQL<string> }): EventChargeColumn =>
  (column) =>
    sql<string>`(SELECT ${column} FROM inbox telling JOIN charges told ON told.provider = telling.provider AND told.provider_charge_id = telling.object_id WHERE telling.id = ${inboxId})`;

/**
 * What a provider answered about an event: its charge by the provider's id. Also the refund by our
 * id, or the dispute by the provider's, if any.
 */
export type ProviderAnswerRef<Value> = {
  provider: Value;
  providerChargeId: Value;
  refundId: Value;
  disputeId: Value;
};

/** The charge of our refund, or of a known dispute; otherwise the one that the provider names. */
const chargeIdAnswered = ({
  provider,
  providerChargeId,
  refundId,
  disputeId,
}: ProviderAnswerRef<SQL>) =>
  sql<string>`COALESCE((SELECT ours.id FROM refunds back JOIN charges ours ON ours.id = back.charge_id AND ours.provider = ${provider} WHERE back.id = ${refundId}),
    (SELECT fought.charge_id FROM disputes fought WHERE fought.provider = ${provider} AND fought.provider_dispute_id = ${disputeId}),
    (SELECT named.id FROM charges named WHERE named.provider = ${provider} AND named.provider_charge_id = ${providerChargeId}))`;

/** Builds SQL for a column of the charge that a provider answered about. */
export const chargeColumnOfAnswer =
  (answered: ProviderAnswerRef<SQL>): EventChargeColumn =>
  (column) =>
    sql<string>`(SELECT ${column} FROM charges told WHERE told.id = ${chargeIdAnswered(answered)})`;

/** Builds SQL for the purchase of a charge, and the plan change that it pays. */
export const purchaseRefOfEvent = (told: EventChargeColumn) => ({
  purchaseId: told(sql`told.purchase_id`),
  planChangeId: told(sql`told.plan_change_id`),
});

const owedCents =
  sql<Cents | null>`CASE WHEN ${charges.purchaseKind} = 'debt' THEN COALESCE((SELECT a.balance_cents * a.normal_side FROM ledger_accounts a WHERE a.id = 'creator_owed:' || ${charges.creatorId}), 0) END`.as(
    "owed_cents",
  );

/**
 * Statement of an event about a charge, with the charge and its refund totals;
 * `toInboxEventSnapshot` reads its rows. It can be built once.
 */
export const chargeEventStatement = (
  { db }: Pick<Context, "db">,
  { inboxId }: { inboxId: SQL<string> },
) =>
  db
    .select({ event: inbox, charge: charges, ...refundTotalsColumns, owedCents })
    .from(inbox)
    .leftJoin(
      charges,
      and(eq(charges.provider, inbox.provider), eq(charges.providerChargeId, inbox.objectId)),
    )
    .where(eq(inbox.id, inboxId))
    .limit(1);

/**
 * Statement of an event about a refund transfer, with its charge; `toInboxEventSnapshot` reads its
 * rows. It can be built once.
 */
export const refundTransferEventStatement = (
  { db }: Pick<Context, "db">,
  { inboxId }: { inboxId: SQL<string> },
) =>
  db
    .select({ event: inbox, charge: charges, ...refundTotalsColumns, transfer: refundTransfers })
    .from(inbox)
    .leftJoin(
      refundTransfers,
      and(
        eq(refundTransfers.provider, inbox.provider),
        eq(refundTransfers.providerTransferId, inbox.objectId),
      ),
    )
    .leftJoin(charges, eq(charges.id, refundTransfers.chargeId))
    .where(eq(inbox.id, inboxId))
    .limit(1);

/**
 * Statement of an event whose provider answered already, with its charge and, where known, its
 * refund or dispute; `toInboxEventSnapshot` reads its rows. It can be built once.
 */
export const answeredEventStatement = (
  { db }: Pick<Context, "db">,
  { inboxId, ...answered }: { inboxId: SQL<string> } & ProviderAnswerRef<SQL>,
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
        providerDisputeId: sql`${answered.disputeId}`,
      }).as("others_open"),
    })
    .from(inbox)
    .leftJoin(charges, eq(charges.id, chargeIdAnswered(answered)))
    .leftJoin(
      refunds,
      and(eq(refunds.id, sql`${answered.refundId}`), eq(refunds.chargeId, charges.id)),
    )
    .leftJoin(
      disputes,
      and(
        eq(disputes.provider, inbox.provider),
        eq(disputes.providerDisputeId, sql`${answered.disputeId}`),
      ),
    )
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
