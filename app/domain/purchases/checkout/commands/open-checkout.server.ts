import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  newChargeStatement,
  openChargesLimitStatement,
  withSavedMethodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import type { NewCharge } from "#app/domain/payments/charges/commands/charges.server.ts";
import { toCheckoutStart } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { requestCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { declinesCount, openChargesCount } from "#app/domain/payments/queries.server.ts";
import type { CheckoutIntent } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import {
  PaymentDeclined,
  TooManyDeclines,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/checkout/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";

/** Payer and payment method of a one-time purchase. */
export type OneOffPayment = {
  memberId: string;
  memberName: string;
  method: PaymentMethod;
  /** From the provider's own field; null sends the payer to the provider's page. */
  cardToken: string | null;
  /** A saved card of the payer, instead. */
  savedMethodId?: string | null;
  /** Whether to save the card typed now, at the payer's request. */
  keep?: boolean;
  /** The mark of the creator's link that led here; stored only if the creator has that link. */
  link?: string | null;
};

/** Result of opening a checkout: a new charge to request, or an open one to join. */
export type OpenedOneOffCheckout =
  | { joined: JoinedCheckout }
  | { charge: Pick<NewCharge, "id" | "amountCents" | "description" | "expiresAt"> };

/**
 * Opens a one-time checkout with `open` and requests its charge. Rows are committed first, the
 * charge's id is the idempotency key, and an open checkout is joined. Refuses PaymentDeclined, and
 * what `open` refuses.
 */
export async function openOneOffCheckout(
  ctx: Context,
  paying: OneOffPayment,
  open: () => Promise<OpenedOneOffCheckout>,
): Promise<JoinedCheckout> {
  const opened = await retryOnConflict(open);
  if ("joined" in opened) return toCheckoutStart(opened.joined);
  const { id: chargeId, amountCents, description, expiresAt } = opened.charge;
  const { status, providerCharge, refusedCode } = await requestCharge(ctx, {
    chargeId,
    amountCents,
    description,
    method: paying.method,
    expiresAt,
    payerName: paying.memberName,
    cardToken: paying.cardToken,
    savedMethodId: paying.savedMethodId ?? null,
    saveMethod: paying.keep === true && !paying.savedMethodId,
    isPayerThere: true,
  });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return toCheckoutStart({
    chargeId,
    status,
    nextActionUrl: providerCharge?.nextActionUrl ?? null,
  });
}

/** Builds the charge of a new checkout; it expires with the checkout. */
export function oneOffCharge(
  ctx: Context,
  { memberId, method }: OneOffPayment,
  sold: Pick<
    NewCharge,
    "creatorId" | "amountCents" | "purchaseKind" | "purchaseId" | "description"
  >,
): NewCharge {
  return {
    ...sold,
    id: ctx.newId(),
    payerId: memberId,
    method,
    expiresAt: ctx.now() + paymentMethods[method].checkoutExpiresAfterMs,
    period: null,
  };
}

/**
 * Builds the statements of that charge, for the batch of the purchase. Stale if the saved card was
 * removed, or the payer has too many open payments.
 */
export function oneOffChargeStatements(
  ctx: Context,
  { memberId, savedMethodId }: OneOffPayment,
  charge: NewCharge,
): BatchWrite[] {
  return [
    newChargeStatement(ctx, charge),
    ...(savedMethodId
      ? [withSavedMethodStatement(ctx, { chargeId: charge.id, personId: memberId, savedMethodId })]
      : []),
    openChargesLimitStatement(ctx, {
      chargeId: charge.id,
      payerId: memberId,
      limit: OPEN_CHECKOUTS_LIMIT,
    }),
  ];
}

/** Builds the intent to compare with an open checkout; `amountCents` is null for another item. */
export const checkoutIntentOf = (
  { method, cardToken, savedMethodId }: OneOffPayment,
  amountCents: Cents | null,
): CheckoutIntent => ({
  method,
  amountCents,
  hasCardToken: cardToken !== null || Boolean(savedMethodId),
});

/** Refuses TooManyOpenPayments and TooManyDeclines. */
export async function enforceCheckoutLimits(
  ctx: Context,
  { memberId, method }: { memberId: string; method: PaymentMethod },
): Promise<void> {
  if ((await openChargesCount(ctx, { payerId: memberId, now: ctx.now() })) >= OPEN_CHECKOUTS_LIMIT)
    throw new TooManyOpenPayments();
  if (
    paymentMethods[method].limitsDeclines &&
    (await declinesCount(ctx, { payerId: memberId, since: ctx.now() - HOUR_MS })) >= DECLINES_LIMIT
  )
    throw new TooManyDeclines();
}
