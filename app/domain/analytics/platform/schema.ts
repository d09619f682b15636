import type { Cents } from "#app/domain/money.ts";

/** How the checkouts that began on a day went, of one method. */
export type CheckoutSums = {
  method: string;
  started: number;
  paid: number;
  /** Of the paid: within five minutes, and within an hour of their start. */
  paidInFiveMinutes: number;
  paidInHour: number;
};

/** One São Paulo day of the whole platform. Money is by the day of its posting in the ledger. */
export type PlatformDay = {
  /** What payers paid. */
  grossCents: Cents;
  /** What the platform's fee accounts gained, refunds and disputes deducted. */
  feeCents: Cents;
  /** What went back to payers: refunds and lost disputes. */
  returnedCents: Cents;
  checkouts: CheckoutSums[];
  failures: { code: string; count: number }[];
  disputes: number;
  payouts: { settled: number; /** From request to arrival, summed. */ waitMs: number };
  /** Different creators who sold, and people who paid. */
  activeCreators: number;
  activeFans: number;
};

export const EMPTY_DAY: PlatformDay = {
  grossCents: 0,
  feeCents: 0,
  returnedCents: 0,
  checkouts: [],
  failures: [],
  disputes: 0,
  payouts: { settled: 0, waitMs: 0 },
  activeCreators: 0,
  activeFans: 0,
};

/** How far the people who registered in the last 90 days came as creators. */
export type CreatorFunnel = {
  registered: number;
  opened: number;
  published: number;
  planned: number;
  sold: number;
};
