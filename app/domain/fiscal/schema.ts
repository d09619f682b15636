import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { Cents } from "#app/domain/money.ts";

/**
 * One invoice of the platform's fee to one creator: a "recibo provisório de serviços", which a city
 * hall turns into an NFS-e.
 */
export type Rps = {
  number: number;
  amountCents: Cents;
  takerName: string;
  taxKind: "cpf" | "cnpj";
  /** Its characters alone; a CNPJ may have letters. */ taxId: string;
};

/** A file's worth of them, all of one month and one day of issue (ISO dates). */
export type RpsBatch = {
  month: Month;
  /** From 0. */ part: number;
  issuedOn: string;
  series: string;
  description: string;
  rps: Rps[];
};

type RpsFile = {
  body: ReadableStream;
  filename: string;
  contentType: string;
  sizeBytes: number;
};

/** Where the platform's own invoices are handed in. */
export type InvoiceIssuer = {
  /**
   * What it needs to know of who issues and was not told, by the names of its variables. While
   * anything is missing nothing is to be numbered: `handIn` throws.
   */
  missing: readonly string[];
  /**
   * Hands in one batch. Handed in again under its month and part it takes the place of the same:
   * nothing is invoiced twice.
   */
  handIn(batch: RpsBatch): Promise<void>;
  /** Forgets what was handed in under these parts of a month; safe to repeat. */
  forget(names: { month: Month; part: number }[]): Promise<void>;
  /** What was handed in, or null. */
  file(name: { month: Month; part: number }): Promise<RpsFile | null>;
};
