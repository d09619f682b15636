import type { Cents } from "#app/domain/money.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** On the charge and the bank's statement. */
export const DEBT_DESCRIPTION = "Quitação do valor a descontar";

/** What providers take by Pix at the least; a smaller debt is only paid whole. */
export const MINIMUM_DEBT_PAYMENT_CENTS = 500;

/** The least that may be paid of what is owed: less than a code takes is paid by the next sale. */
export const minimumDebtPaymentCents = (owedCents: Cents): Cents =>
  Math.min(owedCents, MINIMUM_DEBT_PAYMENT_CENTS);

/**
 * Whether so much of what is owed may be paid by Pix: all of it, or a part that a code takes.
 * Source: issue 6, "Payouts".
 */
export const isDebtAmountPayable = (amountCents: Cents, owedCents: Cents): boolean =>
  Number.isSafeInteger(amountCents) &&
  amountCents > 0 &&
  amountCents <= owedCents &&
  amountCents >= minimumDebtPaymentCents(owedCents);

/**
 * How long somebody owes before a moderator may write it off. Source: domain rules, "Ledger", row
 * "written off".
 */
export const WRITE_OFF_DAYS = 180;
export const writeOffCutoff = (now: Instant): Instant => addDays(now, -WRITE_OFF_DAYS);

/**
 * What is known of a debt: what is owed, all that was ever owed until the day before which it is
 * old, and all that ever paid it (centavos).
 */
export type DebtAge = { owedCents: Cents; oldRaisedCents: Cents; paidCents: Cents };

/**
 * What may be written off: what pays a debt pays its oldest part first, and never more is given up
 * than is owed. Source: docs/decisions/money/use-one-charge-for-everything-that-is-paid.md.
 */
export const writeOffLimitCents = ({ owedCents, oldRaisedCents, paidCents }: DebtAge): Cents =>
  Math.max(0, Math.min(owedCents, oldRaisedCents - paidCents));
