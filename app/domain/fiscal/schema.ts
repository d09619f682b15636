import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { Cents } from "#app/domain/money.ts";

/**
 * One invoice of the platform's fee to one creator: a "recibo provisório de serviços", which a city
 * hall converts into an NFS-e.
 */
export type Rps = {
  number: number;
  amountCents: Cents;
  takerName: string;
  taxKind: "cpf" | "cnpj";
  /** Its characters alone; a CNPJ may have letters. */ taxId: string;
};

/** The invoices of one file, all of one month and one day of issue (ISO dates). */
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

/** The service to which the platform's own invoices are submitted. */
export type InvoiceIssuer = {
  /**
   * Names of the missing variables about the issuer. While any is missing, nothing may be numbered:
   * `handIn` throws.
   */
  missing: readonly string[];
  /**
   * Submits one batch. A batch with the same month and part replaces the earlier one: nothing is
   * invoiced twice.
   */
  handIn(batch: RpsBatch): Promise<void>;
  /** Deletes the submitted files of these parts of a month; safe to repeat. */
  forget(names: { month: Month; part: number }[]): Promise<void>;
  /** Returns a submitted file, or null. */
  file(name: { month: Month; part: number }): Promise<RpsFile | null>;
};
