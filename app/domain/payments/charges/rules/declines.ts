/** Code for a card saved at a provider that no longer takes cards. No other provider can charge it. */
export const CARD_AT_OTHER_PROVIDER = "card_kept_elsewhere";

/**
 * Decline codes after which the same card never pays. The bank or the card network forbids a retry.
 * Codes of the sandbox and of Stripe. Source: Stripe, "Decline codes", the rows whose next step is
 * another card; Visa and Mastercard forbid repeats.
 */
const FOR_GOOD: ReadonlySet<string> = new Set([
  CARD_AT_OTHER_PROVIDER,
  "card_not_supported",
  "currency_not_supported",
  "do_not_try_again",
  "expired_card",
  "fraudulent",
  "incorrect_number",
  "invalid_account",
  "invalid_expiry_month",
  "invalid_expiry_year",
  "invalid_number",
  "lost_card",
  "merchant_blacklist",
  "new_account_information_available",
  "pickup_card",
  "restricted_card",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "saved_method_invalid",
  "saved_method_not_ready",
  "security_violation",
  "stolen_card",
  "stop_payment_order",
  "transaction_not_allowed",
]);

/** Reports whether `code` is a hard decline. A retry would only harm our standing with the bank. */
export const isHardDecline = (code: string | null): boolean => FOR_GOOD.has(code ?? "");
