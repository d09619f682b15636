import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";

/**
 * Where a payment that was begun goes on: at a page of ours and, where a card is typed or a 3DS
 * confirmed, at the provider's.
 */
export type PaymentNextStep = { path: string; elsewhere: string | null };

export const nextStepOfCharge = ({ chargeId, nextActionUrl }: JoinedCheckout): PaymentNextStep => ({
  path: `/checkout/${chargeId}`,
  elsewhere: nextActionUrl,
});

/**
 * Where the form that began it leads. One that a browser sends by itself, without JavaScript, leads
 * nowhere but to us, by no redirect either (CSP, `form-action`): it goes to our own page, where a
 * link leads to the provider's.
 */
export const nextStepUrl = (request: Request, { path, elsewhere }: PaymentNextStep): string =>
  isSentByScript(request) ? (elsewhere ?? path) : path;

/** React Router's own forms are sent to the page's data. */
const isSentByScript = ({ url }: Request): boolean => new URL(url).pathname.endsWith(".data");
