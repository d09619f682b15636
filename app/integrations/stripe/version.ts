/**
 * The version that the answers in answers.ts are of, and the release of Stripe.js beside it.
 * Changing it is a change of this adapter, tried against the contract.
 */
export const STRIPE_API_VERSION = "2026-10-28.endive";
