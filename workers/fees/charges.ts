import { sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import {
  chargeColumnOfEvent,
  toInboxEventSnapshot,
  chargeEventStatement,
  purchaseRefOfEvent,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { InboxEventSnapshot } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
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
} from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import {
  mandateStatement,
  chargeOfProviderCharge,
} from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { buildEventReads } from "./event-steps.ts";
import type {
  EventProblem,
  EventReadContext,
  EventRef,
  EventSteps,
  LoadedEvent,
  NamedIds,
} from "./event-steps.ts";

/** A charge with all that decides what the provider's answer does to it. */
type ChargeEventSnapshot = Pick<InboxEventSnapshot, "refundTotals"> & {
  charge: Charge;
  purchase: PurchaseParts & { subscription: SubscriptionPurchaseSnapshot };
  funds: ChargeFunds | null;
  /** The mandate whose code the charge pays. */
  mandate: PixMandate | null;
};

export const chargeEvents: EventSteps<ChargeEventSnapshot, ProviderCharge> = {
  load,
  ask: async (provider, objectId) => await provider.chargeById(objectId),
  namedBy: async (ctx, { provider }, providerCharge) => ({
    reference:
      providerCharge.reference ??
      (await chargeOfProviderCharge(ctx, { provider, providerCharge }))?.id ??
      null,
    providerChargeId: providerCharge.id,
  }),
  settle,
};

/** An event about a debit instruction is applied as one about the charge that it debits. */
export const debitInstructionEvents: EventSteps<ChargeEventSnapshot, ProviderCharge> = {
  ...chargeEvents,
  ask: async (provider, objectId) =>
    await provider.chargeById((await provider.instructionById(objectId)).chargeId),
};

const eventReads = ({ db, keys }: Pick<EventReadContext, "db" | "keys">) =>
  ({
    event: [chargeEventStatement({ db }, keys)],
    mandate: [
      mandateStatement(
        { db },
        {
          mandateId: chargeColumnOfEvent(
            "charge",
            keys,
          )(sql`CASE WHEN charge_row.debit_on IS NULL THEN charge_row.recurring_pix_id END`),
        },
      ),
    ],
  }) as const;
const UNPAID_READS = buildEventReads((reading) => ({
  ...eventReads(reading),
  purchase: purchaseStatements(reading, {
    ...purchaseRefOfEvent(chargeColumnOfEvent("charge", reading.keys)),
    now: reading.now,
  }),
}));
/** A paid charge may have external refunds. So what decides a refund is read too. */
const PAID_READS = buildEventReads((reading) => ({
  ...eventReads(reading),
  ...reversalStatements(chargeColumnOfEvent("charge", reading.keys), reading),
}));

async function load(
  ctx: Context,
  ref: EventRef,
  named: NamedIds,
): Promise<LoadedEvent<ChargeEventSnapshot> | null> {
  const { rows, funds, purchase } = ref.isPaid
    ? await readPaid(ctx, ref, named)
    : await readUnpaid(ctx, ref, named);
  const loaded = toInboxEventSnapshot(rows.event[0]);
  if (!loaded) return null;
  const { event, charge, refundTotals, owedCents } = loaded;
  const [mandate = null] = rows.mandate[0];
  const debt = owedCents === null ? null : { owedCents };
  return {
    event,
    snapshot: charge && {
      charge,
      refundTotals,
      funds,
      mandate,
      purchase: { ...purchase, debt },
    },
  };
}

async function readUnpaid(ctx: Context, ref: EventRef, named: NamedIds) {
  const rows = await UNPAID_READS(ctx, ref, named);
  return { rows, funds: null, purchase: purchaseSnapshotOf(ctx, rows.purchase) };
}

async function readPaid(ctx: Context, ref: EventRef, named: NamedIds) {
  const rows = await PAID_READS(ctx, ref, named);
  const { funds, purchase } = reversalOf(ctx, rows);
  return { rows, funds, purchase };
}

async function settle(
  ctx: Context,
  {
    snapshot,
    answer,
    extraWrites,
  }: LoadedEvent<ChargeEventSnapshot> & { answer: ProviderCharge; extraWrites: BatchWrite[] },
): Promise<EventProblem | null> {
  if (!snapshot) return { reason: "unknown_charge" };
  const { charge, mandate, purchase, ...amounts } = snapshot;
  if (isPaidAgain(charge, answer))
    return { reason: "second_payment", about: { chargeId: charge.id } };
  const providerCharge = isAttempt(charge, answer)
    ? await providerOf(ctx, charge).chargeById(charge.providerChargeId)
    : answer;
  // A payment by a mandate's code. The mandate is asked about at once, and by reconciliation,
  // whether it pays renewals too.
  const mandateUpdate = mandate && (await loadChargeMandateUpdate(ctx, mandate));
  const subscription = { ...purchase.subscription, mandateUpdate };
  await settleCharge(ctx, {
    chargeId: charge.id,
    providerCharge,
    snapshot: { ...amounts, charge, purchase: { ...purchase, subscription } },
    extraWrites,
  });
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
