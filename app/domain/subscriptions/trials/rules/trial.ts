import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS, formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Trials that one person may begin in a day: more pages than anybody falls for, too few to empty
 * the seats of many.
 */
export const TRIALS_A_DAY = { windowMs: DAY_MS, limit: 10 };

/**
 * When free days that begin at `startsAt` are over, at the same time of day; the first charge is
 * due then.
 */
export const trialEndFrom = (startsAt: Instant, days: number): Instant => addDays(startsAt, days);

/** Whether nothing was paid since the free days began: the first charge after them moves the start. */
export function isOnTrial({
  trialEndsAt,
  startedAt,
  createdAt,
}: Pick<Subscription, "trialEndsAt" | "startedAt" | "createdAt">): boolean {
  return trialEndsAt !== null && startedAt === createdAt;
}

/** "7 dias grátis". */
export const trialLabel = (days: number): string =>
  days === 1 ? "1 dia grátis" : `${days} dias grátis`;

/** "7 dias grátis, depois R$ 15,00 por mês". */
export const trialOfferText = (days: number, amountCents: Cents, interval: Interval): string =>
  `${trialLabel(days)}, depois ${formatMoney(amountCents)} ${intervalLabel(interval)}`;

/**
 * What the button agrees to that gives running free days another way to be paid: "Trocar · R$ 15,00
 * em 12/03". Source: domain rules, "Subscriptions";
 * docs/decisions/money/charge-saved-cards-and-trials-only-with-consent.md.
 */
export const trialMethodConsentText = (amountCents: Cents, endsAt: Instant): string =>
  `Trocar · ${formatMoney(amountCents)} em ${formatShortDay(endsAt)}`;

/**
 * What the button of a trial that a card goes on with agrees to: "Começar 7 dias grátis · R$ 15,00
 * em 12/03".
 */
export const trialConsentText = (days: number, amountCents: Cents, endsAt: Instant): string =>
  `${trialStartText(days)} · ${formatMoney(amountCents)} em ${formatShortDay(endsAt)}`;

/** "Começar 7 dias grátis". */
export const trialStartText = (days: number): string => `Começar ${trialLabel(days)}`;

/** The announcement, made once, that the card of free days waits for its bank. */
export const trialConfirmationReminderKey = (setupId: string): string =>
  `trial_setup:${setupId}:to_confirm`;
