import type { Cents } from "#app/domain/money.ts";
import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { MINUTE_MS } from "#app/domain/time.ts";

/** Rules of a payment method. A new method is one more entry of `paymentMethods`. */
export type PaymentMethodRules = {
  /** The name on a screen. */
  label: string;
  /** The name in the middle of a sentence, after "por". */
  nameInText: string;
  /** Whether the operator's settings enable it. */
  isEnabled: (settings: { pixEnabled: boolean }) => boolean;
  /** Minimum charge (centavos). Source: domain rules, "Plans". */
  minimumCents: Cents;
  /** How long a checkout's charge can be paid. */
  checkoutExpiresAfterMs: number;
  /** What the payer types at checkout. */
  checkoutInput: "card_details" | "nothing";
  /** What pays a renewal: a saved method that is charged, or a code that its payer pays. */
  renewsBy: "saved_method" | "payer_code";
  /** Days before a period on which its renewal is requested. */
  renewalLeadDays: number;
  /** Whether several periods may be paid at once. */
  canPrepay: boolean;
  /** Whether the declines of one payer are counted and limited. */
  limitsDeclines: boolean;
  /** Days until the provider settles a payment for which it gives no date. */
  settlementDays: number;
  /** Days after the payment in which the provider refunds it; null where no limit is known. */
  refundDays: number | null;
};

/**
 * Days in which a Pix can be refunded as a Pix return. Source: Banco Central, Regulamento do Pix,
 * art. 40; domain rules, "Subscriptions".
 */
export const PIX_REFUND_DAYS = 90;

/** Each payment method, with all that differs by method in the domain. */
export const paymentMethods: Record<PaymentMethod, PaymentMethodRules> = {
  pix: {
    label: "Pix",
    nameInText: "Pix",
    isEnabled: ({ pixEnabled }) => pixEnabled,
    minimumCents: 0,
    checkoutExpiresAfterMs: 30 * MINUTE_MS,
    checkoutInput: "nothing",
    renewsBy: "payer_code",
    renewalLeadDays: 3,
    canPrepay: true,
    limitsDeclines: false,
    settlementDays: 0,
    refundDays: PIX_REFUND_DAYS,
  },
  card: {
    label: "Cartão",
    nameInText: "cartão",
    isEnabled: () => true,
    // Below this a card costs more than it brings.
    minimumCents: 1_000,
    checkoutExpiresAfterMs: 30 * MINUTE_MS,
    checkoutInput: "card_details",
    renewsBy: "saved_method",
    renewalLeadDays: 0,
    canPrepay: false,
    // Tests of stolen cards cause many declines.
    limitsDeclines: true,
    settlementDays: 30,
    refundDays: null,
  },
};

/** "Pix ou cartão": every method, in the middle of a sentence, after "por". */
export const METHODS_IN_TEXT = new Intl.ListFormat("pt-BR", { type: "disjunction" }).format(
  PAYMENT_METHODS.map((method) => paymentMethods[method].nameInText),
);

/** The method of a subscription whose own method cannot charge it any more. */
export const FALLBACK_METHOD: PaymentMethod = "pix";

/** One value for each method. */
export const byMethod = <Value>(
  valueOf: (method: PaymentMethod) => Value,
): Record<PaymentMethod, Value> => ({ pix: valueOf("pix"), card: valueOf("card") });

/** Whether a renewal is paid by a code that is sent to its payer. */
export const renewsByCode = (method: PaymentMethod): boolean =>
  paymentMethods[method].renewsBy === "payer_code";

/** Whether a renewal is charged to a saved method. */
export const renewsBySavedMethod = (method: PaymentMethod): boolean =>
  paymentMethods[method].renewsBy === "saved_method";

/** Whether the payer types card details at checkout. */
export const takesCardDetails = (method: PaymentMethod): boolean =>
  paymentMethods[method].checkoutInput === "card_details";

type Paid = { method: PaymentMethod; savedMethodId: string | null };

/** Whether the next renewal is charged without its payer, to a saved method. */
export const hasSavedMethod = ({ method, savedMethodId }: Paid): boolean =>
  renewsBySavedMethod(method) && savedMethodId !== null;

/** Whether the next renewal needs a saved method that is missing. */
export const lacksSavedMethod = ({ method, savedMethodId }: Paid): boolean =>
  renewsBySavedMethod(method) && savedMethodId === null;
