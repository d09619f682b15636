import { ProviderMissing } from "#app/domain/payments/errors.ts";
import { methodSchema } from "#app/domain/payments/schema.ts";
import type { PaymentMethod, PaymentProvider, Payments } from "#app/domain/payments/schema.ts";
import { byMethod } from "./methods.ts";

type Paid = { payments: Payments };

/** Cards that were kept before their provider was written down: there was only one. */
const UNNAMED = "";

/**
 * `providers` as the product is paid through them: whoever takes each method is among them, by
 * name. Who can send a Pix to somebody's key pays creators out: first who takes something, then
 * whoever is kept for what they took.
 */
export function routed(
  providers: readonly PaymentProvider[],
  takers: Record<PaymentMethod, string>,
): Payments {
  const taking = byMethod((method) => {
    const taker = providers.find(({ name }) => name === takers[method]);
    if (!taker) throw new Error("who takes payments is not among the providers");
    return taker;
  });
  const [only, ...others] = providers;
  if (only && others.length === 0) return only;
  const inOrder = [...Object.values(taking), ...providers];
  return { ...taking, transfers: inOrder.find(transfers) ?? taking.pix, providers };
}

const transfers = ({ can }: PaymentProvider): boolean => can.has("transfer_to_pix_key");

/** Everybody who takes payments, or answers for what they took. */
export const everyProvider = (payments: Payments): readonly PaymentProvider[] =>
  "providers" in payments ? payments.providers : [payments];

/** Who takes what is paid anew by `method`. */
export const takerOf = (payments: Payments, method: PaymentMethod): PaymentProvider =>
  "providers" in payments ? payments[method] : payments;

/** Who pays creators out. */
export const payerOut = (payments: Payments): PaymentProvider =>
  "providers" in payments ? payments.transfers : payments;

/** What sending money to somebody takes: to a Pix key, or to a bank account. */
export type Transferring = "transfer_to_pix_key" | "transfer_to_bank_account";

/**
 * Who pays creators out in this way: whoever does it otherwise, or another who can; null where
 * nobody does.
 */
export const payerBy = (payments: Payments, way: Transferring): PaymentProvider | null =>
  [payerOut(payments), ...everyProvider(payments)].find(({ can }) => can.has(way)) ?? null;

/**
 * Who tells whose a Pix key is: whoever pays creators out, or another who can; null where nobody
 * does.
 */
export const keyTellerOf = (payments: Payments): PaymentProvider | null =>
  [payerOut(payments), ...everyProvider(payments)].find(({ can }) => can.has("pix_key_owner")) ??
  null;

/** The provider of this name; null where it is not configured. */
export const providerNamed = (payments: Payments, name: string): PaymentProvider | null =>
  everyProvider(payments).find((one) => one.name === name) ?? null;

/**
 * Who made what a row tells of, which alone may be asked about it: a charge made at A is never
 * asked, refunded or captured at B. Throws ProviderMissing, which is unclear, where A is not
 * configured any more.
 */
export function madeBy({ payments }: Paid, row: { provider: string }): PaymentProvider {
  const provider = providerNamed(payments, row.provider);
  if (!provider) throw new ProviderMissing(row.provider);
  return provider;
}

/** Who keeps a card. Throws ProviderMissing. */
export const keptBy = (ctx: Paid, card: { provider: string }): PaymentProvider =>
  card.provider === UNNAMED ? takerOf(ctx.payments, "card") : madeBy(ctx, card);

/**
 * The names that a kept card may have so that it pays now: a card pays only at the provider that
 * keeps it, and only while that takes cards.
 */
export const payableCards = (payments: Payments): readonly string[] => [
  takerOf(payments, "card").name,
  UNNAMED,
];

/**
 * Whether the card of a charge is kept where the charge is made; one that nobody keeps is that
 * provider's own to refuse.
 */
export const mayPayAt = ({
  provider,
  cardProvider,
}: {
  provider: string;
  cardProvider: string | null;
}): boolean => cardProvider === null || cardProvider === UNNAMED || cardProvider === provider;

/** Whether cards that were kept may pay. */
export const takesKeptCards = (payments: Payments): boolean =>
  takerOf(payments, "card").can.has("saved_card");

/** Where a card is typed on a page of ours; null where the provider has its own page for it. */
export const cardFieldUrlOf = (payments: Payments): string | null =>
  takerOf(payments, "card").cardFieldUrl;

/** Whether a dispute may be given up where it is fought. */
export const mayAcceptLoss = ({ payments }: Paid, dispute: { provider: string }): boolean =>
  providerNamed(payments, dispute.provider)?.can.has("dispute_acceptance") ?? false;

/**
 * The methods for which who pays is asked for a CPF or CNPJ: who takes them charges nobody without
 * one.
 */
export const taxIdMethods = (payments: Payments): PaymentMethod[] =>
  methodSchema.options.filter((method) => takerOf(payments, method).needsPayerTaxId);
