import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { asCharge } from "#app/domain/payments/queries.server.ts";
import type { Charge, Dispute, InboxEvent, Refund } from "#app/domain/payments/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { charges, disputes, inbox, refunds, refundTransfers } from "#drizzle/schema/payments.ts";
import { knownBackColumns } from "./money.server.ts";
import type { ChargeStanding, KnownBack } from "./money.server.ts";
import type { RefundTransfer } from "./refund-transfers.server.ts";

/** What a delivery may tell of, where it is known by the provider's id of it already: a charge itself, or something of a charge. */
export type Told = { event: InboxEvent; charge: Charge | null; back: KnownBack; /** What its creator owes, where it pays a debt. */ owedCents: Cents | null; refund: Refund | null; transfer: RefundTransfer | null; dispute: Dispute | null };

/** A column of the charge that is told of, as SQL that gives it or NULL; for the statements that are read beside. */
export type ChargeTold = (column: SQL) => SQL<string>;

type About = ProviderEvent["type"];

/** What one provider says is never about anything of another. */
const TELLING: Partial<Record<About, SQL>> = {
  refund: sql.raw("JOIN refunds back ON back.provider_refund_id = telling.object_id JOIN charges told ON told.id = back.charge_id AND told.provider = telling.provider"),
  transfer: sql.raw("JOIN refund_transfers sent ON sent.provider = telling.provider AND sent.provider_transfer_id = telling.object_id JOIN charges told ON told.id = sent.charge_id"),
  dispute: sql.raw("JOIN disputes fought ON fought.provider = telling.provider AND fought.provider_dispute_id = telling.object_id JOIN charges told ON told.id = fought.charge_id"),
  recurring_pix: sql.raw("JOIN recurring_pix agreed ON agreed.provider = telling.provider AND agreed.provider_recurring_pix_id = telling.object_id JOIN charges told ON told.id = agreed.first_charge_id"),
};
const TELLING_OF_CHARGE = sql.raw("JOIN charges told ON told.provider = telling.provider AND told.provider_charge_id = telling.object_id");

/** The charge of what a delivery tells of, when it is about such a thing. */
export const chargeToldBy =
  (about: About, { inboxId }: { inboxId: SQL<string> }): ChargeTold =>
  (column) =>
    sql<string>`(SELECT ${column} FROM inbox telling ${TELLING[about] ?? TELLING_OF_CHARGE} WHERE telling.id = ${inboxId})`;

/** The charge that a provider named, where what was told of is not known here. */
export const chargeNamed =
  ({ provider, providerChargeId }: { provider: SQL<string>; providerChargeId: SQL<string> }): ChargeTold =>
  (column) =>
    sql<string>`(SELECT ${column} FROM charges told WHERE told.provider = ${provider} AND told.provider_charge_id = ${providerChargeId})`;

/** What a charge pays for, and the change of plan that it pays. */
export const purchaseOf = (told: ChargeTold) => ({ purchaseId: told(sql`told.purchase_id`), planChangeId: told(sql`told.plan_change_id`) });

const owedCents = sql<Cents | null>`CASE WHEN ${charges.purchaseKind} = 'debt' THEN COALESCE((SELECT a.balance_cents * a.normal_side FROM ledger_accounts a WHERE a.id = 'creator_owed:' || ${charges.creatorId}), 0) END`.as("owed_cents");

/** The statement of a delivery about a charge, with that charge and what is known to go back of it; `deliveryOf` reads what it gives. It may be built once. */
export const deliveryOfChargeStatement = ({ db }: Pick<Context, "db">, { inboxId }: { inboxId: SQL<string> }) =>
  db
    .select({ event: inbox, charge: charges, ...knownBackColumns, owedCents })
    .from(inbox)
    .leftJoin(charges, and(eq(charges.provider, inbox.provider), eq(charges.providerChargeId, inbox.objectId)))
    .where(eq(inbox.id, inboxId))
    .limit(1);

/** The statement of a delivery about anything else, with what it tells of and the charge of that; `deliveryOf` reads what it gives. It may be built once. */
export const deliveryStatement = ({ db }: Pick<Context, "db">, { about, inboxId }: { about: About; inboxId: SQL<string> }) =>
  db
    .select({ event: inbox, charge: charges, ...knownBackColumns, refund: refunds, transfer: refundTransfers, dispute: disputes })
    .from(inbox)
    .leftJoin(charges, eq(charges.id, chargeToldBy(about, { inboxId })(sql`told.id`)))
    .leftJoin(refunds, and(eq(refunds.providerRefundId, inbox.objectId), eq(refunds.chargeId, charges.id)))
    .leftJoin(refundTransfers, and(eq(refundTransfers.provider, inbox.provider), eq(refundTransfers.providerTransferId, inbox.objectId)))
    .leftJoin(disputes, and(eq(disputes.provider, inbox.provider), eq(disputes.providerDisputeId, inbox.objectId)))
    .where(eq(inbox.id, inboxId))
    .limit(1);

type Row = Omit<Awaited<ReturnType<typeof deliveryOfChargeStatement>>[number], "owedCents"> & Partial<Pick<Told, "owedCents" | "refund" | "transfer" | "dispute">>;

export function deliveryOf([row]: readonly Row[]): Told | null {
  if (!row) return null;
  const { event, charge, waitingCents, sentCents, owedCents: owed = null, refund = null, transfer = null, dispute = null } = row;
  return { event, charge: charge && asCharge(charge), back: { waitingCents, sentCents }, owedCents: owed, refund, transfer, dispute };
}

/** The statement of a charge by the provider's id of it, with what is known to go back of it; `chargeNamedOf` reads what it gives. It may be built once. */
export const chargeNamedStatement = ({ db }: Pick<Context, "db">, { provider, providerChargeId }: { provider: SQL<string>; providerChargeId: SQL<string> }) =>
  db
    .select({ charge: charges, ...knownBackColumns })
    .from(charges)
    .where(and(eq(charges.provider, provider), eq(charges.providerChargeId, providerChargeId)))
    .limit(1);

export const chargeNamedOf = ([row]: Awaited<ReturnType<typeof chargeNamedStatement>>): ChargeStanding | null => (row ? { charge: asCharge(row.charge), back: row } : null);
