/**
 * Payment methods, in the order in which they are offered. Differences between methods are in
 * methods/rules.ts.
 */
export const PAYMENT_METHODS = ["pix", "card"] as const;

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** The page that frames a provider's card field. Nothing else of the provider runs in the browser. */
export const CARD_FIELD_PATH = "/checkout/card-field";

/**
 * How a checkout is paid. A card is typed now (`cardToken`, or on the provider's page) or is a
 * saved one (`savedMethodId`).
 */
export type ChosenMethod = { method: PaymentMethod; savedMethodId: string | null };

/** The method that can be saved. */
const SAVED_METHOD: PaymentMethod = "card";

export const SAVED_CHOICE_PREFIX = `${SAVED_METHOD}:`;

/** Form value of a checkout for a saved card. */
export const savedCardChoice = (savedMethodId: string): string =>
  `${SAVED_CHOICE_PREFIX}${savedMethodId}`;

/** Returns the saved card that a form value names; null for any other value. */
export const savedMethodChosen = (choice: string): ChosenMethod | null =>
  choice.startsWith(SAVED_CHOICE_PREFIX)
    ? { method: SAVED_METHOD, savedMethodId: choice.slice(SAVED_CHOICE_PREFIX.length) }
    : null;
