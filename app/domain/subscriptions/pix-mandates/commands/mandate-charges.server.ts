import { and, eq, inArray, isNull } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeProgressStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type {
  MandateCharges,
  ProviderAnswer,
  Charge,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRequestRow } from "#app/domain/payments/queries.server.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { providerOf, acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderCharge, ProviderPixMandate } from "#app/domain/payments/schema.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { mandateRow } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import {
  MANDATE_ENDED,
  scheduledDebitDay,
  canBeDebited,
  mandateTerms,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";

/** The charges that a Pix mandate pays: the payment in its code, and the debits after it. */
export const pixMandateCharges: MandateCharges<Context> = { request, answer, cancelPending };

type NewMandate = {
  id: string;
  subscriptionId: string;
  payerId: string;
  interval: Interval;
  /** The full price of a period (centavos), which no debit exceeds. */
  priceCents: Cents;
  first: { chargeId: string; amountCents: Cents };
  /** The end of the period that the first charge pays; debits start the day before. */
  firstPeriodEndsAt: Instant;
  expiresAt: Instant;
};

/** The statement that inserts a mandate before the provider is called. */
export function newMandateStatement(
  ctx: Context,
  { priceCents, first, firstPeriodEndsAt, ...row }: NewMandate,
): BatchWrite {
  const now = ctx.now();
  return ctx.db.insert(recurringPix).values({
    ...row,
    ...mandateTerms({ priceCents, firstCents: first.amountCents }),
    provider: acquirerFor(ctx.payments, "pix").name,
    startsOn: scheduledDebitDay(firstPeriodEndsAt),
    firstChargeId: first.chargeId,
    status: "created",
    askedAt: now,
    createdAt: now,
  });
}

async function request(ctx: Context, charge: Charge): Promise<ProviderCharge | null> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, {
    subscriptionId: charge.purchaseId,
  });
  const mandate = await mandateRow(ctx, {
    mandateId: charge.recurringPixId ?? "",
  });
  if (!subscriptionSnapshot || !mandate) return null;
  const provider = providerOf(ctx, charge);
  const payer = {
    name: subscriptionSnapshot.fanName,
    taxId: provider.needsPayerTaxId
      ? ((await chargeRequestRow(ctx, { chargeId: charge.id }))?.payerTaxId ?? null)
      : null,
  };
  if (charge.debitOn === null)
    return await requestCode(ctx, charge, mandate, { ...payer, email: null });
  // A stopped renewal is not debited again.
  if (!canBeDebited(subscriptionSnapshot.subscription.status)) return null;
  if (
    mandate.providerRecurringPixId === null ||
    mandate.status !== "active" ||
    mandate.endingAt !== null ||
    mandate.provider !== charge.provider
  )
    throw new ProviderRefused(MANDATE_ENDED);
  return await provider.chargeRecurringPix({
    chargeId: charge.id,
    amountCents: charge.amountCents,
    description: charge.description,
    payerName: payer.name,
    payerTaxId: payer.taxId,
    recurringPixId: mandate.providerRecurringPixId,
    dueOn: charge.debitOn,
  });
}

/**
 * Requests the mandate's code. Returns null: the code is saved with the answer, and nothing is left
 * to apply.
 */
async function requestCode(
  ctx: Context,
  charge: Charge,
  mandate: PixMandate,
  payer: { name: string; email: null; taxId: string | null },
): Promise<null> {
  if (mandate.endingAt !== null || mandate.status !== "created") return null;
  const { id: recurringPixId, interval, amountCents, leastCents, startsOn, expiresAt } = mandate;
  const providerMandate = await providerOf(ctx, mandate).createRecurringPix({
    recurringPixId,
    interval,
    amountCents,
    leastCents,
    startsOn,
    endsOn: null,
    description: charge.description,
    payer,
    firstCharge: { chargeId: charge.id, amountCents: charge.amountCents },
    expiresAt,
  });
  await writeDown(ctx, charge, mandate, providerMandate);
  return null;
}

/** If another run changed the charge meanwhile, its state is newer than this answer. */
async function writeDown(
  ctx: Context,
  charge: Charge,
  mandate: PixMandate,
  providerMandate: ProviderPixMandate,
): Promise<void> {
  const { pixCode, firstChargeId } = providerMandate;
  const code = {
    status: "awaiting_payment" as const,
    failureCode: null,
    pixCode,
    ...(firstChargeId === null ? {} : { id: firstChargeId }),
  };
  try {
    await commit(ctx.db, [
      knownStatement(ctx, mandate, providerMandate),
      ...(pixCode !== null && charge.status === "created"
        ? [chargeProgressStatement(ctx, charge, code)]
        : []),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** The statement that saves the provider's id of a mandate. */
function knownStatement(
  ctx: Context,
  { id }: Pick<PixMandate, "id">,
  providerMandate: Pick<ProviderPixMandate, "id">,
): BatchWrite {
  return ctx.db
    .update(recurringPix)
    .set({ providerRecurringPixId: providerMandate.id })
    .where(and(eq(recurringPix.id, id), isNull(recurringPix.providerRecurringPixId)));
}

async function answer(ctx: Context, charge: Charge): Promise<ProviderAnswer> {
  const mandate =
    charge.debitOn === null
      ? await mandateRow(ctx, { mandateId: charge.recurringPixId ?? "" })
      : null;
  if (!mandate)
    return { providerCharge: await providerOf(ctx, charge).chargeByReference(charge.id) };
  const providerMandate = await fetchMandate(ctx, mandate);
  if (!providerMandate) return { providerCharge: null };
  await writeDown(ctx, charge, mandate, providerMandate);
  if (providerMandate.firstChargeId !== null)
    return {
      providerCharge: await providerOf(ctx, charge).chargeById(providerMandate.firstChargeId),
    };
  const isOver = providerMandate.status !== "created" && providerMandate.status !== "active";
  return isOver && isAwaitingPayment(charge.status)
    ? { providerCharge: null, refusedCode: MANDATE_ENDED }
    : { providerCharge: null };
}

/** Fetches a mandate from the provider; null when it does not know it. Throws ProviderUnclear. */
export async function fetchMandate(
  ctx: Context,
  {
    id,
    provider,
    providerRecurringPixId,
  }: Pick<PixMandate, "id" | "provider" | "providerRecurringPixId">,
): Promise<ProviderPixMandate | null> {
  return providerRecurringPixId === null
    ? await providerOf(ctx, { provider }).recurringPixByReference(id)
    : await providerOf(ctx, { provider }).recurringPixById(providerRecurringPixId);
}

/** The code ends with its mandate, so that nobody authorises a purchase that is over. */
async function cancelPending(ctx: Context, charge: Charge): Promise<void> {
  const mandate = await mandateRow(ctx, {
    mandateId: charge.recurringPixId ?? "",
  });
  if (!mandate) return;
  await ctx.db
    .update(recurringPix)
    .set({ endingAt: ctx.now() })
    .where(
      and(
        eq(recurringPix.id, mandate.id),
        isNull(recurringPix.endingAt),
        inArray(recurringPix.status, ["created", "active"]),
      ),
    );
  await endMandateAtProvider(ctx, mandate);
}

/**
 * Ends a mandate at the provider, and may be repeated. Returns what the provider reports. Throws
 * ProviderUnclear.
 */
export async function endMandateAtProvider(
  ctx: Context,
  mandate: Pick<PixMandate, "id" | "provider" | "providerRecurringPixId">,
): Promise<ProviderPixMandate | null> {
  if (mandate.providerRecurringPixId === null) return await fetchMandate(ctx, mandate);
  try {
    return await providerOf(ctx, mandate).cancelRecurringPix(mandate.providerRecurringPixId);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return await fetchMandate(ctx, mandate);
  }
}
