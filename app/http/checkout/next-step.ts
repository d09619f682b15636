import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";

/**
 * Where a started payment continues: on our page and, to type a card or confirm 3DS, on the
 * provider's.
 */
export type PaymentNextStep = { path: string; elsewhere: string | null };

export const nextStepOfCharge = ({ chargeId, nextActionUrl }: JoinedCheckout): PaymentNextStep => ({
  path: `/checkout/${chargeId}`,
  elsewhere: nextActionUrl,
});

/** The page of what a trial opens, once it began. */
export const trialWelcomePath = ({ subscriptionId }: { subscriptionId: string }): string =>
  `/checkout/welcome/${subscriptionId}`;

/**
 * The address after the form that started it. Without JavaScript, a form must not lead to another
 * site, not even by a redirect (CSP, `form-action`). So it leads to our own page, which links to
 * the provider's.
 */
export const nextStepUrl = (request: Request, { path, elsewhere }: PaymentNextStep): string =>
  isSentByScript(request) ? (elsewhere ?? path) : path;

/** React Router submits its own forms to the page's data. */
const isSentByScript = ({ url }: Request): boolean => new URL(url).pathname.endsWith(".data");
