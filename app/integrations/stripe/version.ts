/**
 * The API version of answers.ts, and the matching release of Stripe.js. A change is a change of
 * this adapter, to be tested against the contract.
 */
export const STRIPE_API_VERSION = "2026-10-28.endive";
