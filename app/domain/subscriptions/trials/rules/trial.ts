import { counted } from "#app/domain/text.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { addDays, DAY_MS, formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Trials that one member may start in a day: enough for real interest, too few to take the seats of
 * many pages.
 */
export const TRIALS_A_DAY = { windowMs: DAY_MS, limit: 10 };

/**
 * When a trial that starts at `startsAt` ends, at the same time of day; the first charge is due
 * then.
 */
export const trialEndFrom = (startsAt: Instant, days: number): Instant => addDays(startsAt, days);

/** "7 dias grátis". */
export const trialLabel = (days: number): string => counted(days, "dia grátis", "dias grátis");

/** "7 dias grátis, depois R$ 15,00 por mês". */
export const trialOfferText = (days: number, amountCents: Cents, interval: Interval): string =>
  `${trialLabel(days)}, depois ${formatMoney(amountCents)} ${intervalLabel(interval)}`;

/**
 * The consent on the button that changes a running trial's payment method: "Trocar · R$ 15,00 em
 * 12/03". Source: domain rules, "Subscriptions";
 * docs/decisions/money/charge-saved-cards-and-trials-only-with-consent.md.
 */
export const trialMethodConsentText = (amountCents: Cents, endsAt: Instant): string =>
  `Trocar · ${formatMoney(amountCents)} em ${formatShortDay(endsAt)}`;

/** The consent on the button of a trial with a card: "Começar 7 dias grátis · R$ 15,00 em 12/03". */
export const trialConsentText = (days: number, amountCents: Cents, endsAt: Instant): string =>
  `${trialStartText(days)} · ${formatMoney(amountCents)} em ${formatShortDay(endsAt)}`;

/** "Começar 7 dias grátis". */
export const trialStartText = (days: number): string => `Começar ${trialLabel(days)}`;

/** The key of the one reminder that a trial's card waits for its bank. */
export const trialConfirmationReminderKey = (setupId: string): string =>
  `trial_setup:${setupId}:to_confirm`;
