import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { inboxHandledStatement } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import type { ChargeUpdate } from "#app/domain/payments/charges/commands/settle.server.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import {
  chargeColumnOfAnswer,
  chargeColumnOfEvent,
  answeredEventStatement,
  toInboxEventSnapshot,
  chargeEventStatement,
  purchaseRefOfEvent,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { InboxEventSnapshot } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import { chargeAlone } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { ChargeFunds } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import {
  reversalOf,
  reversalStatements,
} from "#app/domain/purchases/settlement/queries/settlement-snapshots.server.ts";
import type { PurchaseParts } from "#app/domain/purchases/settlement/commands.server.ts";
import {
  purchaseSnapshotOf,
  purchaseStatements,
} from "#app/domain/purchases/settlement/queries/purchase-snapshot.server.ts";
import type { SubscriptionPurchaseSnapshot } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import {
  loadChargeMandateUpdate,
  finishChargeMandate,
  trySettleMandate,
} from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import {
  mandateStatement,
  chargeOfProviderCharge,
} from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { prepareAnsweredEvent, buildAnsweredReads, buildEventReads } from "./prepare-event.ts";
import type {
  PreparedEvent,
  EventProblem,
  EventReadContext,
  DeliveryRef,
} from "./prepare-event.ts";

const deliveryReads = ({ db, inboxId }: Pick<EventReadContext, "db" | "inboxId">) =>
  ({
    delivery: [chargeEventStatement({ db }, { inboxId })],
    mandate: [
      mandateStatement(
        { db },
        {
          mandateId: chargeColumnOfEvent({ inboxId })(
            sql`CASE WHEN told.debit_on IS NULL THEN told.recurring_pix_id END`,
          ),
        },
      ),
    ],
  }) as const;
const READS = buildEventReads((reading) => ({
  ...deliveryReads(reading),
  purchase: purchaseStatements(reading, {
    ...purchaseRefOfEvent(chargeColumnOfEvent(reading)),
    now: reading.now,
  }),
}));
/** Reads for a paid charge, which may have external refunds. */
const READS_PAID = buildEventReads((reading) => ({
  ...deliveryReads(reading),
  ...reversalStatements(chargeColumnOfEvent(reading), reading),
}));

/** Reads only the event. */
const DELIVERY = buildEventReads(({ db, inboxId }) => ({
  delivery: [chargeEventStatement({ db }, { inboxId })],
}));

const ORDERED = buildAnsweredReads((reading) => ({
  delivery: [answeredEventStatement(reading, reading)],
  purchase: purchaseStatements(reading, {
    ...purchaseRefOfEvent(chargeColumnOfAnswer(reading)),
    now: reading.now,
  }),
}));

type ChargeEventSnapshot = Pick<InboxEventSnapshot, "event" | "charge" | "refundTotals"> & {
  purchase: PurchaseParts & { subscription: SubscriptionPurchaseSnapshot };
  funds: ChargeFunds | null;
  /** The mandate whose code the charge pays. */
  mandate: PixMandate | null;
};

/**
 * Prepares an event about a charge, with the charge and its purchase. If the charge was paid when
 * the event came, also reads what decides a refund.
 */
export async function prepareChargeEvent(
  ctx: Context,
  { inboxId, isPaid = false }: Pick<DeliveryRef, "inboxId" | "isPaid">,
): Promise<PreparedEvent | null> {
  const { rows, funds, purchase } = isPaid
    ? await readPaid(ctx, inboxId)
    : await readUnpaid(ctx, inboxId);
  const eventSnapshot = toInboxEventSnapshot(rows.delivery[0]);
  if (!eventSnapshot) return null;
  const [mandate = null] = rows.mandate[0];
  const debt = eventSnapshot.owedCents === null ? null : { owedCents: eventSnapshot.owedCents };
  return {
    event: eventSnapshot.event,
    apply: async () =>
      await settled(
        ctx,
        { ...eventSnapshot, mandate, funds, purchase: { ...purchase, debt } },
        eventSnapshot.event.objectId,
      ),
  };
}

async function readUnpaid(ctx: Context, inboxId: string) {
  const rows = await READS(ctx, inboxId);
  return { rows, funds: null, purchase: purchaseSnapshotOf(ctx, rows.purchase) };
}

async function readPaid(ctx: Context, inboxId: string) {
  const rows = await READS_PAID(ctx, inboxId);
  const { funds, purchase } = reversalOf(ctx, rows);
  return { rows, funds, purchase };
}

/**
 * Prepares an event about a debit instruction. The provider names the charge to debit, and the
 * event is handled as one about that charge.
 */
export async function prepareDebitEvent(
  ctx: Context,
  delivery: DeliveryRef,
): Promise<PreparedEvent | null> {
  return await prepareAnsweredEvent(ctx, delivery, {
    ask: async (provider, objectId) => await provider.instructionById(objectId),
    find: async (delivery, { chargeId: providerChargeId }) =>
      await ordered(ctx, delivery, providerChargeId),
  });
}

async function ordered(
  ctx: Context,
  delivery: DeliveryRef,
  providerChargeId: string,
): Promise<PreparedEvent | null> {
  const rows = await ORDERED(ctx, delivery, { providerChargeId });
  const eventSnapshot = toInboxEventSnapshot(rows.delivery[0]);
  return (
    eventSnapshot && {
      event: eventSnapshot.event,
      apply: async () =>
        await settled(
          ctx,
          {
            ...eventSnapshot,
            mandate: null,
            funds: null,
            purchase: purchaseSnapshotOf(ctx, rows.purchase),
          },
          providerChargeId,
        ),
    }
  );
}

/** Prepares an event of a type that this product does not know. */
export async function prepareUnknownEvent(
  ctx: Context,
  { inboxId }: DeliveryRef,
): Promise<PreparedEvent | null> {
  const eventSnapshot = toInboxEventSnapshot((await DELIVERY(ctx, inboxId)).delivery[0]);
  return (
    eventSnapshot && { event: eventSnapshot.event, apply: async () => ({ reason: "unknown_type" }) }
  );
}

/**
 * An event may come before the provider's id is stored. Its reference is our charge's id, stored
 * before.
 */
async function settled(
  ctx: Context,
  { event, charge: known, refundTotals, funds, purchase, mandate }: ChargeEventSnapshot,
  providerChargeId: string,
): Promise<EventProblem | null> {
  const { provider } = event;
  const namedCharge = await providerOf(ctx, { provider }).chargeById(providerChargeId);
  const charge =
    known ??
    (await chargeByProviderId(ctx, { provider, providerChargeId })) ??
    (await chargeOfProviderCharge(ctx, { provider, providerCharge: namedCharge }));
  // A provider's event never applies to a charge of another provider.
  if (charge?.provider !== provider) return { reason: "unknown_charge" };
  if (isPaidAgain(charge, namedCharge))
    return { reason: "second_payment", about: { chargeId: charge.id } };
  const providerCharge = isAttempt(charge, namedCharge)
    ? await providerOf(ctx, charge).chargeById(charge.providerChargeId)
    : namedCharge;
  const update = {
    chargeId: charge.id,
    providerCharge,
    extraWrites: [inboxHandledStatement(ctx, { inboxId: event.id })],
  };
  if (!known) return await settledUnread(ctx, charge, update);
  // A payment by a mandate's code. The mandate is asked about at once, and by reconciliation,
  // whether it pays renewals too.
  const mandateUpdate = mandate && (await loadChargeMandateUpdate(ctx, mandate));
  const snapshot = {
    charge,
    refundTotals,
    funds,
    purchase: { ...purchase, subscription: { ...purchase.subscription, mandateUpdate } },
  };
  await settleCharge(ctx, { ...update, snapshot });
  if (mandate) await finishChargeMandate(ctx, mandate, mandateUpdate);
  return null;
}

/**
 * Reports whether the provider names a second payment under the reference of a paid charge. Staff
 * refunds it; it is not booked here.
 */
const isPaidAgain = (
  { succeededAt, providerChargeId }: Charge,
  providerCharge: ProviderCharge,
): boolean =>
  succeededAt !== null &&
  providerCharge.status === "succeeded" &&
  providerCharge.id !== providerChargeId;

/**
 * Reports whether the provider names an attempt at a charge that it knows by another id. Only that
 * other id says whether the charge can still be paid: Stripe's own page stays open after a failed
 * card. A payment counts under any id.
 */
const isAttempt = (
  charge: Charge,
  providerCharge: ProviderCharge,
): charge is Charge & { providerChargeId: string } =>
  charge.providerChargeId !== null &&
  charge.providerChargeId !== providerCharge.id &&
  providerCharge.status !== "succeeded";

/** Settles a charge that was not known by the provider's id, so that nothing else was read. */
async function settledUnread(ctx: Context, charge: Charge, update: ChargeUpdate): Promise<null> {
  await settleCharge(ctx, { ...update, snapshot: chargeAlone(charge) });
  if (charge.recurringPixId !== null && charge.debitOn === null)
    await trySettleMandate(ctx, { mandateId: charge.recurringPixId });
  return null;
}
