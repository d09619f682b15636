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
    authorisation: [
      mandateStatement(
        { db },
        {
          authorisationId: chargeColumnOfEvent({ inboxId })(
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

type ChargeEventSnapshot = Pick<InboxEventSnapshot, "event" | "charge" | "back"> & {
  purchase: PurchaseParts & { subscription: SubscriptionPurchaseSnapshot };
  money: ChargeFunds | null;
  /** The mandate whose code the charge pays. */
  authorisation: PixMandate | null;
};

/**
 * Prepares an event about a charge, with the charge and its purchase. If the charge was paid when
 * the event came, also reads what decides a refund.
 */
export async function prepareChargeEvent(
  ctx: Context,
  { inboxId, isPaid = false }: Pick<DeliveryRef, "inboxId" | "isPaid">,
): Promise<PreparedEvent | null> {
  const { rows, money, purchase } = isPaid
    ? await readPaid(ctx, inboxId)
    : await readUnpaid(ctx, inboxId);
  const told = toInboxEventSnapshot(rows.delivery[0]);
  if (!told) return null;
  const [authorisation = null] = rows.authorisation[0];
  const debt = told.owedCents === null ? null : { owedCents: told.owedCents };
  return {
    event: told.event,
    apply: async () =>
      await settled(
        ctx,
        { ...told, authorisation, money, purchase: { ...purchase, debt } },
        told.event.objectId,
      ),
  };
}

async function readUnpaid(ctx: Context, inboxId: string) {
  const rows = await READS(ctx, inboxId);
  return { rows, money: null, purchase: purchaseSnapshotOf(ctx, rows.purchase) };
}

async function readPaid(ctx: Context, inboxId: string) {
  const rows = await READS_PAID(ctx, inboxId);
  const { money, purchase } = reversalOf(ctx, rows);
  return { rows, money, purchase };
}

/**
 * Prepares an event about a debit instruction. The provider names the charge to debit, and the
 * event is handled as one about that charge.
 */
export async function prepareDebitEvent(
  ctx: Context,
  telling: DeliveryRef,
): Promise<PreparedEvent | null> {
  return await prepareAnsweredEvent(ctx, telling, {
    ask: async (provider, objectId) => await provider.instructionById(objectId),
    find: async (told, { chargeId: providerChargeId }) =>
      await ordered(ctx, told, providerChargeId),
  });
}

async function ordered(
  ctx: Context,
  telling: DeliveryRef,
  providerChargeId: string,
): Promise<PreparedEvent | null> {
  const rows = await ORDERED(ctx, telling, { providerChargeId });
  const told = toInboxEventSnapshot(rows.delivery[0]);
  return (
    told && {
      event: told.event,
      apply: async () =>
        await settled(
          ctx,
          {
            ...told,
            authorisation: null,
            money: null,
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
  const told = toInboxEventSnapshot((await DELIVERY(ctx, inboxId)).delivery[0]);
  return told && { event: told.event, apply: async () => ({ reason: "unknown_type" }) };
}

/**
 * An event may come before the provider's id is stored. Its reference is our charge's id, stored
 * before.
 */
async function settled(
  ctx: Context,
  { event, charge: known, back, money, purchase, authorisation }: ChargeEventSnapshot,
  providerChargeId: string,
): Promise<EventProblem | null> {
  const { provider } = event;
  const told = await providerOf(ctx, { provider }).chargeById(providerChargeId);
  const charge =
    known ??
    (await chargeByProviderId(ctx, { provider, providerChargeId })) ??
    (await chargeOfProviderCharge(ctx, { provider, said: told }));
  // A provider's event never applies to a charge of another provider.
  if (charge?.provider !== provider) return { reason: "unknown_charge" };
  if (isPaidAgain(charge, told))
    return { reason: "second_payment", about: { chargeId: charge.id } };
  const said = isAttempt(charge, told)
    ? await providerOf(ctx, charge).chargeById(charge.providerChargeId)
    : told;
  const update = {
    chargeId: charge.id,
    said,
    extraWrites: [inboxHandledStatement(ctx, { inboxId: event.id })],
  };
  if (!known) return await settledUnread(ctx, charge, update);
  // A payment by a mandate's code. The mandate is asked about at once, and by reconciliation,
  // whether it pays renewals too.
  const agreement = authorisation && (await loadChargeMandateUpdate(ctx, authorisation));
  const snapshot = {
    charge,
    back,
    money,
    purchase: { ...purchase, subscription: { ...purchase.subscription, agreement } },
  };
  await settleCharge(ctx, { ...update, snapshot });
  if (authorisation) await finishChargeMandate(ctx, authorisation, agreement);
  return null;
}

/**
 * Reports whether the provider names a second payment under the reference of a paid charge. Staff
 * refunds it; it is not booked here.
 */
const isPaidAgain = ({ succeededAt, providerChargeId }: Charge, told: ProviderCharge): boolean =>
  succeededAt !== null && told.status === "succeeded" && told.id !== providerChargeId;

/**
 * Reports whether the provider names an attempt at a charge that it knows by another id. Only that
 * other id says whether the charge can still be paid: Stripe's own page stays open after a failed
 * card. A payment counts under any id.
 */
const isAttempt = (
  charge: Charge,
  told: ProviderCharge,
): charge is Charge & { providerChargeId: string } =>
  charge.providerChargeId !== null &&
  charge.providerChargeId !== told.id &&
  told.status !== "succeeded";

/** Settles a charge that was not known by the provider's id, so that nothing else was read. */
async function settledUnread(ctx: Context, charge: Charge, update: ChargeUpdate): Promise<null> {
  await settleCharge(ctx, { ...update, snapshot: chargeAlone(charge) });
  if (charge.recurringPixId !== null && charge.debitOn === null)
    await trySettleMandate(ctx, { authorisationId: charge.recurringPixId });
  return null;
}
