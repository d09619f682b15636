import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { ProviderNotConfigured } from "#app/domain/payments/errors.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { PaymentProvider, PaymentProviders } from "#app/domain/payments/schema.ts";
import { byMethod, paymentMethods } from "#app/domain/payments/methods/rules.ts";

type PaymentsContext = { payments: PaymentProviders };

/** Provider name of cards saved before the name was stored, when there was only one provider. */
const UNNAMED = "";

/**
 * Builds the providers of the product from `providers`; `takers` names the acquirer of each method.
 * Payouts go through the first provider that can send to a Pix key: acquirers first, then the
 * others.
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

/** Lists all providers: acquirers, and those that only answer for objects they made before. */
export const allProviders = (payments: PaymentProviders): readonly PaymentProvider[] =>
  "providers" in payments ? payments.providers : [payments];

/** Returns the acquirer of new charges of `method`. */
export const acquirerFor = (payments: PaymentProviders, method: PaymentMethod): PaymentProvider =>
  "providers" in payments ? payments[method] : payments;

/** Returns the provider that pays creators out. */
export const payoutProvider = (payments: PaymentProviders): PaymentProvider =>
  "providers" in payments ? payments.transfers : payments;

/** Ways to send money: to a Pix key, or to a bank account. */
export type TransferCapability = "transfer_to_pix_key" | "transfer_to_bank_account";

/**
 * Returns the provider of payouts in this way: the usual one, or another that can; null if none
 * can.
 */
export const payoutProviderFor = (
  payments: PaymentProviders,
  way: TransferCapability,
): PaymentProvider | null =>
  [payoutProvider(payments), ...allProviders(payments)].find(({ can }) => can.has(way)) ?? null;

/**
 * Returns the provider that looks up owners of Pix keys: the payout provider, or another that can;
 * null if none can.
 */
export const pixKeyLookupProvider = (payments: PaymentProviders): PaymentProvider | null =>
  [payoutProvider(payments), ...allProviders(payments)].find(({ can }) =>
    can.has("pix_key_owner"),
  ) ?? null;

/** Returns the provider of this name; null if it is not configured. */
export const findProvider = (payments: PaymentProviders, name: string): PaymentProvider | null =>
  allProviders(payments).find((one) => one.name === name) ?? null;

/**
 * Returns the provider that made the row's object, and the only one to ask about it. A charge made
 * at A is never asked, refunded or captured at B. Throws ProviderNotConfigured, which is unclear,
 * if A is no longer configured.
 */
export function providerOf(
  { payments }: PaymentsContext,
  row: { provider: string },
): PaymentProvider {
  const provider = findProvider(payments, row.provider);
  if (!provider) throw new ProviderNotConfigured(row.provider);
  return provider;
}

/** Returns the provider that saved a card. Throws ProviderNotConfigured. */
export const cardProviderOf = (ctx: PaymentsContext, card: { provider: string }): PaymentProvider =>
  card.provider === UNNAMED ? acquirerFor(ctx.payments, "card") : providerOf(ctx, card);

/**
 * Lists the provider names whose saved cards can be charged now. A card is charged only at the
 * provider that saved it, and only while that is the card acquirer.
 */
export const payableCardProviders = (payments: PaymentProviders): readonly string[] => [
  acquirerFor(payments, "card").name,
  UNNAMED,
];

/**
 * Reports whether a charge's card is saved at the provider of the charge. An unsaved card is left
 * to that provider to refuse.
 */
export const isCardAtChargeProvider = ({
  provider,
  cardProvider,
}: {
  provider: string;
  cardProvider: string | null;
}): boolean => cardProvider === null || cardProvider === UNNAMED || cardProvider === provider;

/** Reports whether saved cards can be charged. */
export const acceptsSavedCards = (payments: PaymentProviders): boolean =>
  acquirerFor(payments, "card").can.has("saved_card");

/** Returns the address of the card field on our page; null where the provider has its own page. */
export const acquirerCardFieldUrl = (payments: PaymentProviders): string | null =>
  acquirerFor(payments, "card").cardFieldUrl;

/** Reports whether a card payment also takes Apple Pay and Google Pay. */
export const takesCardWallets = (payments: PaymentProviders): boolean =>
  acquirerFor(payments, "card").can.has("card_wallets");

/** Reports whether a dispute can be conceded at its provider. */
export const canAcceptDispute = (
  { payments }: PaymentsContext,
  dispute: { provider: string },
): boolean => findProvider(payments, dispute.provider)?.can.has("dispute_acceptance") ?? false;

/** Lists the methods whose acquirer requires the payer's CPF or CNPJ. */
export const taxIdMethods = (payments: PaymentProviders): PaymentMethod[] =>
  PAYMENT_METHODS.filter((method) => acquirerFor(payments, method).needsPayerTaxId);

/** Reports whether `method` can be offered: its acquirer supports it, and Pix is not switched off. */
export function isMethodOffered(
  method: PaymentMethod,
  { payments, settings }: { payments: PaymentProviders; settings: { pixEnabled: boolean } },
): boolean {
  return (
    acquirerFor(payments, method).can.has(method) && paymentMethods[method].isEnabled(settings)
  );
}
