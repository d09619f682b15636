import { ProviderNotConfigured } from "#app/domain/payments/errors.ts";
import { methodSchema } from "#app/domain/payments/schema.ts";
import type {
  PaymentMethod,
  PaymentProvider,
  PaymentProviders,
} from "#app/domain/payments/schema.ts";
import { byMethod } from "#app/domain/payments/methods/rules.ts";

type PaymentsContext = { payments: PaymentProviders };

/** Cards that were kept before their provider was written down: there was only one. */
const UNNAMED = "";

/**
 * `providers` as the product is paid through them: whoever takes each method is among them, by
 * name. Who can send a Pix to somebody's key pays creators out: first who takes something, then
 * whoever is kept for what they took.
 */
export function createPaymentRouter(
  providers: readonly PaymentProvider[],
  takers: Record<PaymentMethod, string>,
): PaymentProviders {
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
export const allProviders = (payments: PaymentProviders): readonly PaymentProvider[] =>
  "providers" in payments ? payments.providers : [payments];

/** Who takes what is paid anew by `method`. */
export const acquirerFor = (payments: PaymentProviders, method: PaymentMethod): PaymentProvider =>
  "providers" in payments ? payments[method] : payments;

/** Who pays creators out. */
export const payoutProvider = (payments: PaymentProviders): PaymentProvider =>
  "providers" in payments ? payments.transfers : payments;

/** What sending money to somebody takes: to a Pix key, or to a bank account. */
export type TransferCapability = "transfer_to_pix_key" | "transfer_to_bank_account";

/**
 * Who pays creators out in this way: whoever does it otherwise, or another who can; null where
 * nobody does.
 */
export const payoutProviderFor = (
  payments: PaymentProviders,
  way: TransferCapability,
): PaymentProvider | null =>
  [payoutProvider(payments), ...allProviders(payments)].find(({ can }) => can.has(way)) ?? null;

/**
 * Who tells whose a Pix key is: whoever pays creators out, or another who can; null where nobody
 * does.
 */
export const pixKeyLookupProvider = (payments: PaymentProviders): PaymentProvider | null =>
  [payoutProvider(payments), ...allProviders(payments)].find(({ can }) =>
    can.has("pix_key_owner"),
  ) ?? null;

/** The provider of this name; null where it is not configured. */
export const findProvider = (payments: PaymentProviders, name: string): PaymentProvider | null =>
  allProviders(payments).find((one) => one.name === name) ?? null;

/**
 * Who made what a row tells of, which alone may be asked about it: a charge made at A is never
 * asked, refunded or captured at B. Throws ProviderMissing, which is unclear, where A is not
 * configured any more.
 */
export function providerOf(
  { payments }: PaymentsContext,
  row: { provider: string },
): PaymentProvider {
  const provider = findProvider(payments, row.provider);
  if (!provider) throw new ProviderNotConfigured(row.provider);
  return provider;
}

/** Who keeps a card. Throws ProviderMissing. */
export const cardProviderOf = (ctx: PaymentsContext, card: { provider: string }): PaymentProvider =>
  card.provider === UNNAMED ? acquirerFor(ctx.payments, "card") : providerOf(ctx, card);

/**
 * The names that a kept card may have so that it pays now: a card pays only at the provider that
 * keeps it, and only while that takes cards.
 */
export const payableCardProviders = (payments: PaymentProviders): readonly string[] => [
  acquirerFor(payments, "card").name,
  UNNAMED,
];

/**
 * Whether the card of a charge is kept where the charge is made; one that nobody keeps is that
 * provider's own to refuse.
 */
export const isCardAtChargeProvider = ({
  provider,
  cardProvider,
}: {
  provider: string;
  cardProvider: string | null;
}): boolean => cardProvider === null || cardProvider === UNNAMED || cardProvider === provider;

/** Whether cards that were kept may pay. */
export const acceptsSavedCards = (payments: PaymentProviders): boolean =>
  acquirerFor(payments, "card").can.has("saved_card");

/** Where a card is typed on a page of ours; null where the provider has its own page for it. */
export const acquirerCardFieldUrl = (payments: PaymentProviders): string | null =>
  acquirerFor(payments, "card").cardFieldUrl;

/** Whether a dispute may be given up where it is fought. */
export const canAcceptDispute = (
  { payments }: PaymentsContext,
  dispute: { provider: string },
): boolean => findProvider(payments, dispute.provider)?.can.has("dispute_acceptance") ?? false;

/**
 * The methods for which who pays is asked for a CPF or CNPJ: who takes them charges nobody without
 * one.
 */
export const taxIdMethods = (payments: PaymentProviders): PaymentMethod[] =>
  methodSchema.options.filter((method) => acquirerFor(payments, method).needsPayerTaxId);
