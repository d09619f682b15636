import type { Cents } from "#app/domain/money.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Description on the charge and on the bank's statement. */
export const DEBT_DESCRIPTION = "Quitação do valor a descontar";

/** Minimum of a Pix at our providers (centavos). A smaller debt is only paid whole. */
export const MINIMUM_DEBT_PAYMENT_CENTS = 500;

/** Minimum payment of a debt (centavos): the whole debt if it is below the minimum of a code. */
export const minimumDebtPaymentCents = (owedCents: Cents): Cents =>
  Math.min(owedCents, MINIMUM_DEBT_PAYMENT_CENTS);

/**
 * Reports whether this part of a debt can be paid by Pix: all of it, or at least the minimum.
 * Source: issue 6, "Payouts".
 */
export const isDebtAmountPayable = (amountCents: Cents, owedCents: Cents): boolean =>
  Number.isSafeInteger(amountCents) &&
  amountCents > 0 &&
  amountCents <= owedCents &&
  amountCents >= minimumDebtPaymentCents(owedCents);

/** Age at which a moderator may write off a debt. Source: domain rules, "Ledger", row "written off". */
export const WRITE_OFF_DAYS = 180;
export const writeOffCutoff = (now: Instant): Instant => addDays(now, -WRITE_OFF_DAYS);

/**
 * A debt in centavos: what is owed, all that arose before the write-off cutoff, and all payments
 * ever made.
 */
export type DebtAge = { owedCents: Cents; oldRaisedCents: Cents; paidCents: Cents };

/**
 * Returns how much can be written off (centavos). Payments pay the oldest part first, and a
 * write-off never exceeds the debt. Source:
 * docs/decisions/money/use-one-charge-for-everything-that-is-paid.md.
 */
export const writeOffLimitCents = ({ owedCents, oldRaisedCents, paidCents }: DebtAge): Cents =>
  Math.max(0, Math.min(owedCents, oldRaisedCents - paidCents));
