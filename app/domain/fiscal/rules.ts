import { boundsOf, monthAfter } from "#app/domain/ledger/rules/months.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import type { Cents } from "#app/domain/money.ts";
import { DAY_MS, instantOfIsoDay, isoDay, TIME_ZONE } from "#app/domain/time.ts";

/** At most five characters; its numbers never begin again. */
export const SERIES = "CORET";

/** Below the 10 MB that a city hall takes in one file, at 1.4 kB for the longest. */
export const RPS_PER_FILE = 5_000;

const DAYS_TO_HAND_IN = 10;

/** The last day (ISO date) on which the city hall takes what was issued on `issuedOn`: São Paulo makes a note of an RPS within ten days of its issue. */
export const deadlineOf = (issuedOn: string): string => isoDay(instantOfIsoDay(issuedOn) + DAYS_TO_HAND_IN * DAY_MS);

/** How many files `count` invoices take. */
export const filesOf = (count: number): number => Math.ceil(count / RPS_PER_FILE);

/**
 * The month to invoice next, or null: the one after the last invoiced, or the first that was sealed; never one that is open, since what is invoiced once
 * must not change. A correction is an entry of a later month, and goes into that month's invoice.
 */
export function monthToInvoice({ lastInvoiced, firstSealed, lastSealed }: { lastInvoiced: Month | null; firstSealed: Month | null; lastSealed: Month | null }): Month | null {
  const next = lastInvoiced === null ? firstSealed : monthAfter(lastInvoiced);
  return next !== null && lastSealed !== null && next <= lastSealed ? next : null;
}

/**
 * What is invoiced to one creator, and what is left for the next month, in centavos. More returned than charged, or no approved papers, leave it all:
 * an invoice is never of nothing or less. `fee + carried = invoiced + left`. The SQL of `monthFees` says the same; a test holds them equal.
 */
export function invoicedOf({ feeCents, carriedCents, hasTaxId }: { feeCents: Cents; carriedCents: Cents; hasTaxId: boolean }): { invoicedCents: Cents; leftCents: Cents } {
  const dueCents = feeCents + carriedCents;
  const invoicedCents = hasTaxId && dueCents > 0 ? dueCents : 0;
  return { invoicedCents, leftCents: dueCents - invoicedCents };
}

const MONTH = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, month: "long", year: "numeric" });

/** What the invoice is for, as its taker reads it. */
export const serviceWords = (month: Month): string => `Intermediação de vendas pela internet na plataforma Coreto em ${MONTH.format(boundsOf(month).from)}: taxas cobradas menos as devolvidas.`;

const WRITTEN = /^(20\d{2}-(?:0[1-9]|1[0-2]))-(\d{1,4})\.txt$/;

/** The month and part that the address of a file names; null for any other. */
export function namedFile(text: string | undefined): { month: Month; part: number } | null {
  const [, month, number] = WRITTEN.exec(text ?? "") ?? [];
  return month === undefined || Number(number) < 1 ? null : { month, part: Number(number) - 1 };
}

/** How that address names it: parts are counted from 1. */
export const fileName = (month: Month, part: number): string => `${month}-${part + 1}.txt`;
