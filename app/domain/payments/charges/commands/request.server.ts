import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow, chargeRequestRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { NEVER_REACHED_PROVIDER } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { CARD_AT_OTHER_PROVIDER } from "#app/domain/payments/charges/rules/declines.ts";
import { takesCardDetails } from "#app/domain/payments/methods/rules.ts";
import {
  providerOf,
  isCardAtChargeProvider,
} from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { PaymentProvider, ProviderCharge } from "#app/domain/payments/schema.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import {
  handlerOf,
  mandateChargesOf,
} from "#app/domain/payments/purchase-handlers/commands.server.ts";
import { closeOverdueCharge, settleCharge } from "./settle.server.ts";
import type { ChargeUpdate } from "./settle.server.ts";

export type ChargeCreation = {
  chargeId: string;
  amountCents: number;
  description: string;
  method: PaymentMethod;
  expiresAt: Instant;
  payerName: string;
  /** From the provider's own field, typed now. */
  cardToken: string | null;
  /** Saved at an earlier payment. */
  savedMethodId: string | null;
  /** Whether the card may be charged later without its owner, as for renewals. */
  saveMethod: boolean;
  /** The card's owner is at the page, and can confirm a saved card. */
  isPayerThere?: boolean;
  /** The value sent the first time; otherwise the payer's present one, where the provider needs it. */
  payerTaxId?: string | null;
};

type ChargeCreationMethod = NonNullable<Charge["askedWith"]>;

/**
 * Creates a charge at the provider for a committed row, under the row's own id. A repeated request
 * creates no second charge. A refusal is applied. An unclear answer leaves the charge `created`,
 * for a later request. Returns the status and the provider's charge, null without an answer.
 */
export async function requestCharge(
  ctx: Context,
  request: ChargeCreation,
): Promise<ChargeRequestOutcome> {
  return await answered(ctx, { chargeId: request.chargeId, ask: () => ask(ctx, request) });
}

/** Runs `requestCharge` for a charge of Pix Automático. Its rows hold all that the request needs. */
export async function requestMandateCharge(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<ChargeRequestOutcome> {
  const charge = await chargeRow(ctx, { chargeId });
  const automatic = charge && mandateChargesOf(ctx, charge);
  if (!charge || !automatic) throw new Error(`charge ${chargeId} is not of Pix Automático`);
  return await answered(ctx, { chargeId, ask: () => automatic.request(ctx, charge) });
}

type ChargeRequestOutcome = {
  status: ChargeStatus;
  providerCharge: ProviderCharge | null;
  refusedCode: string | null;
};

async function answered(
  ctx: Context,
  request: { chargeId: string; ask: () => Promise<ProviderCharge | null> },
): Promise<ChargeRequestOutcome> {
  try {
    const providerCharge = await request.ask();
    if (!providerCharge)
      return {
        status: (await chargeRow(ctx, request))?.status ?? "failed",
        providerCharge,
        refusedCode: null,
      };
    return {
      status: await settleCharge(ctx, { chargeId: request.chargeId, providerCharge }),
      providerCharge,
      refusedCode: providerCharge.failureCode,
    };
  } catch (error) {
    if (error instanceof ProviderRefused) {
      const status = await settleCharge(ctx, {
        chargeId: request.chargeId,
        refusedCode: error.code,
      });
      return { status, providerCharge: null, refusedCode: error.code };
    }
    if (!(error instanceof ProviderUnclear)) throw error;
    ctx.log("payments.charge_unclear", { chargeId: request.chargeId });
    return { status: "created", providerCharge: null, refusedCode: null };
  }
}

/**
 * Asks the provider that the row names: the acquirer of its method when the row was written. A card
 * is charged only at the provider that saved it, and never after its owner removed it.
 */
async function ask(ctx: Context, asking: ChargeCreation): Promise<ProviderCharge> {
  const {
    chargeId,
    amountCents,
    description,
    payerName,
    method,
    expiresAt,
    cardToken,
    savedMethodId,
    saveMethod,
    isPayerThere = false,
  } = asking;
  const requestRow = await chargeRequestRow(ctx, { chargeId, savedMethodId });
  if (!requestRow) throw new Error(`charge ${chargeId} has no row`);
  const provider = providerOf(ctx, requestRow);
  if (requestRow.cardRemovedAt !== null) throw new ProviderRefused(NEVER_REACHED_PROVIDER);
  if (savedMethodId !== null && !isCardAtChargeProvider(requestRow))
    throw new ProviderRefused(CARD_AT_OTHER_PROVIDER);
  const payerTaxId =
    asking.payerTaxId === undefined
      ? provider.needsPayerTaxId
        ? requestRow.payerTaxId
        : null
      : asking.payerTaxId;
  const request = { chargeId, amountCents, description, payerName, payerTaxId };
  await noteAsked(ctx, chargeId, {
    payerName,
    payerTaxId,
    savedMethodId,
    saveMethod,
    isPayerThere,
  });
  return await createCharge[method](provider, {
    ...request,
    expiresAt,
    cardToken,
    savedMethodId,
    saveMethod,
    isPayerThere,
    returnUrl: `${ctx.settings.appOrigin}/checkout/${chargeId}`,
  });
}

/** The call that creates a charge of each method. */
const createCharge: Record<
  PaymentMethod,
  (
    provider: PaymentProvider,
    request: Parameters<PaymentProvider["createCardCharge"]>[0],
  ) => Promise<ProviderCharge>
> = {
  pix: (provider, { chargeId, amountCents, description, payerName, payerTaxId, expiresAt }) =>
    provider.createPixCharge({
      chargeId,
      amountCents,
      description,
      payerName,
      payerTaxId,
      expiresAt,
    }),
  card: (provider, request) => provider.createCardCharge(request),
};

/**
 * Records the values of the first request, before it is sent. Later requests repeat them, even if
 * the payer changed their details, or the process died before the answer.
 */
async function noteAsked(
  ctx: Context,
  chargeId: string,
  asked: ChargeCreationMethod,
): Promise<void> {
  await ctx.db
    .update(charges)
    .set({ askedWith: sql`COALESCE(${charges.askedWith}, ${JSON.stringify(asked)})` })
    .where(and(eq(charges.id, chargeId), eq(charges.status, "created")));
}

/** Longer than any request of ours can be in flight. */
const UNCONFIRMED_MS = 10 * MINUTE_MS;

/**
 * Reconciles an unconfirmed or overdue charge with the provider. A charge unknown there that has
 * time left is requested again, with the same id and values. An overdue charge ends, as does one
 * whose payer changed their payment method. Throws ProviderUnclear.
 */
export async function reconcileCharge(
  ctx: Context,
  update: Pick<ChargeUpdate, "chargeId" | "snapshot">,
): Promise<void> {
  const { chargeId } = update;
  if ((await closeOverdueCharge(ctx, update)) !== "created") return;
  const charge = await chargeRow(ctx, { chargeId });
  if (
    !charge ||
    charge.status !== "created" ||
    charge.providerChargeId !== null ||
    charge.expiresAt === null ||
    charge.expiresAt <= ctx.now()
  )
    return;
  if (mandateChargesOf(ctx, charge)) {
    await requestMandateCharge(ctx, { chargeId });
    return;
  }
  const payer = await handlerOf(ctx, charge).payer(ctx, charge);
  // The payer has changed their payment method. A charge that never reached the provider is not
  // requested again, and no longer blocks the new method.
  if (payer?.isLeft) {
    if (charge.createdAt + UNCONFIRMED_MS <= ctx.now())
      await settleCharge(ctx, { chargeId, refusedCode: NEVER_REACHED_PROVIDER });
    return;
  }
  const savedMethodId = charge.periodStartsAt === null ? null : (payer?.savedMethodId ?? null);
  // A card typed at checkout is not saved. Without it the charge cannot be requested again.
  if (!payer || (takesCardDetails(charge.method) && savedMethodId === null)) return;
  await requestCharge(ctx, {
    chargeId,
    amountCents: charge.amountCents,
    description: charge.description,
    method: charge.method,
    expiresAt: charge.expiresAt,
    payerName: payer.name,
    cardToken: null,
    savedMethodId,
    saveMethod: false,
    // The provider refuses another body under a key that it knows.
    ...charge.askedWith,
  });
}
