import { monthBounds, monthAfter } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { Cents } from "#app/domain/money.ts";
import { DAY_MS, instantOfIsoDay, isoDay, TIME_ZONE } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** The invoice series, at most five characters. Its numbers never start again. */
export const SERIES = "CORET";

/** Below the 10 MB that a city hall accepts in one file, at 1.4 kB for the longest RPS. */
export const RPS_PER_FILE = 5_000;

const DAYS_TO_HAND_IN = 10;

/**
 * Returns the last day (ISO date) on which the city hall accepts what was issued on `issuedOn`. São
 * Paulo converts an RPS within ten days of its issue.
 */
const deliveryDeadline = (issuedOn: string): string =>
  isoDay(instantOfIsoDay(issuedOn) + DAYS_TO_HAND_IN * DAY_MS);

/**
 * Returns the last day (ISO date) for the invoices of a month, for every page and message that
 * names one. `issuedOn` is null while the month is not invoiced: its deadline counts as if it had
 * been issued on the day after the month.
 */
export const monthDeadline = ({
  month,
  issuedOn,
}: {
  month: Month;
  issuedOn: string | null;
}): string => deliveryDeadline(issuedOn ?? isoDay(monthBounds(month).until));

/** The outbox message about a month: its files are not written, or nobody took them. */
export const lateMessageId = (month: Month, why: Lateness): string => `fiscal:${month}:${why}`;

/** The outbox message that a month waits because the issuer is not configured. */
export const issuerMessageId = (month: Month): string => `fiscal:${month}:no_issuer`;

/** Days after the city hall's deadline until the staff are notified of a month that still waits. */
const PATIENCE_DAYS = 7;

/** Why a month of invoices is late: unwritten files, or nobody took them to the city hall. */
type Lateness = "not_written" | "not_taken";
export type LateMonth = {
  month: Month;
  why: Lateness;
  /** ISO date: the deadline. */ dueOn: string;
};

type PendingMonth = {
  month: Month;
  issuedOn: string;
  handedInAt: number | null;
  takenAt: number | null;
  invoicesCount: number;
};

/**
 * Returns the months that are late at `now`, oldest first.
 *
 * A batch is late seven days after its deadline if its files are not written, or are not recorded
 * as taken. The month after the last invoiced one is late if it is not invoiced (`nextMonth`, null
 * where no month was ever sealed). Its deadline counts as if it had been issued on the day after
 * the month. Source: issue 6, "Payouts";
 * docs/decisions/money/fix-the-fee-at-the-sale-and-invoice-sealed-months.md.
 */
export function lateMonths(
  { batches, nextMonth }: { batches: readonly PendingMonth[]; nextMonth: Month | null },
  now: Instant,
): LateMonth[] {
  const isLate = (dueOn: string) =>
    isoDay(now) >= isoDay(instantOfIsoDay(dueOn) + PATIENCE_DAYS * DAY_MS);
  const written = batches.flatMap(
    ({ month, issuedOn, handedInAt, takenAt, invoicesCount }): LateMonth[] => {
      const dueOn = monthDeadline({ month, issuedOn });
      if (!isLate(dueOn) || takenAt !== null || invoicesCount === 0) return [];
      return [{ month, why: handedInAt === null ? "not_written" : "not_taken", dueOn }];
    },
  );
  const dueOn = nextMonth === null ? null : monthDeadline({ month: nextMonth, issuedOn: null });
  return [
    ...written,
    ...(nextMonth !== null && dueOn !== null && isLate(dueOn)
      ? [{ month: nextMonth, why: "not_written" as const, dueOn }]
      : []),
  ];
}

/**
 * Years for which takers are retained: five, from the first day of the year after it (Código
 * Tributário Nacional, art. 173, I and 195).
 */
const YEARS_RETAINED = 5;

/**
 * Returns the first month whose invoices still name their takers, where `last` is the last invoiced
 * month. Of earlier months only sums and numbers stay. The trigger `fiscal_fees_no_update` enforces
 * the same.
 */
export const retainedSince = (last: Month): Month =>
  `${String(Number(last.slice(0, 4)) - YEARS_RETAINED).padStart(4, "0")}-01`;

/** Returns how many files `count` invoices take. */
export const filesCount = (count: number): number => Math.ceil(count / RPS_PER_FILE);

/**
 * Returns the month to invoice next, or null: the one after the last invoiced, or the first sealed
 * one.
 *
 * It is never an open month, because an invoice must not change. A correction is an entry of a
 * later month and goes into that month's invoice.
 */
export function monthToInvoice({
  lastInvoiced,
  firstSealed,
  lastSealed,
}: {
  lastInvoiced: Month | null;
  firstSealed: Month | null;
  lastSealed: Month | null;
}): Month | null {
  const next = lastInvoiced === null ? firstSealed : monthAfter(lastInvoiced);
  return next !== null && lastSealed !== null && next <= lastSealed ? next : null;
}

/**
 * Computes the amount invoiced to one creator, and the amount left for the next month, in centavos.
 *
 * Everything is left if more was refunded than charged, or if no documents are approved: an invoice
 * is never of zero or less. `fee + carried = invoiced + left`. The SQL of `monthFees` computes the
 * same; a test compares them.
 */
export function invoiceAmounts({
  feeCents,
  carriedCents,
  hasTaxId,
}: {
  feeCents: Cents;
  carriedCents: Cents;
  hasTaxId: boolean;
}): { invoicedCents: Cents; leftCents: Cents } {
  const dueCents = feeCents + carriedCents;
  const invoicedCents = hasTaxId && dueCents > 0 ? dueCents : 0;
  return { invoicedCents, leftCents: dueCents - invoicedCents };
}

const MONTH = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  month: "long",
  year: "numeric",
});

/** Returns the Portuguese description of the service, as the taker reads it. */
export const serviceDescription = (month: Month): string =>
  `Intermediação de vendas pela internet na plataforma Coreto em ${MONTH.format(monthBounds(month).from)}: taxas cobradas menos as devolvidas.`;

const WRITTEN = /^(20\d{2}-(?:0[1-9]|1[0-2]))-(\d{1,4})\.txt$/;

/** Parses the month and part of an invoice file in a URL; null for any other text. */
export function parseInvoiceFile(text: string | undefined): { month: Month; part: number } | null {
  const [, month, number] = WRITTEN.exec(text ?? "") ?? [];
  return month === undefined || Number(number) < 1 ? null : { month, part: Number(number) - 1 };
}

/** Formats the file name for that URL: parts are counted from 1. */
export const invoiceFileName = (month: Month, part: number): string => `${month}-${part + 1}.txt`;
