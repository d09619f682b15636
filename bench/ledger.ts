import { z } from "zod";
import { inRoot } from "#scripts/paths.ts";
import type { Measurement } from "./harness.ts";
import {
  measureInProcess,
  measureInWorkerd,
  median,
  speedMeasurement,
  formatMeasurements,
} from "./harness.ts";
import type { LedgerReadsResult } from "#bench/ledger/reads.ts";
import type { PayoutPlanningResult } from "#bench/ledger/payout-planning.ts";
import { benchPostgres } from "./ledger/postgres.ts";
import { benchSqlite } from "./ledger/sqlite.ts";
import { sized } from "./size.ts";
import type { OtherDatabaseResult, TransfersResult } from "./ledger/transfers.ts";

/** Source: issue 6, "Numbers". */
const POSTING_AT_LEAST = 0.7;
const GROWS_AT_MOST = 1.2;
const ENTRIES = sized(10_000_000, 1_000);
const CREATORS = sized(100_000, 20);
const PLANNED_WITHIN_SECONDS = 60;

/** A statement row reads its entry, its transaction and its sale, each by an index. */
const ROWS_A_LINE_AT_MOST = 8;
const STATEMENT_AT_MOST = 4;
/** Most that a full check may cost, relative to summing every entry by transaction and by account. */
const LOOK_AT_MOST = 30;
/** Growth limit for ten times the charges: linear is ten, with room for larger indexes. */
const LOOK_GROWS_AT_MOST = 15;
/**
 * Most that reading a month page by page, hashing and summing it may cost, relative to reading it
 * at once.
 */
const SEAL_AT_MOST = 8;
const TRIAL_AT_MOST = 2;
const MIB = 1024 * 1024;

const times = z.array(z.number());
const transfersSchema = z.object({
  samples: z.object({
    single: times,
    singleByHand: times,
    batch: times,
    batchByHand: times,
    singleAmongMany: times,
    batchAmongMany: times,
    batchOfMany: times,
    batchOfManyByHand: times,
  }),
  entries: z.number(),
  filledMs: z.number(),
});
const samples = z.object({ coreto: times, bare: times });
const booksSchema = z.object({
  statement: samples,
  statementRows: z.object({ shown: z.number(), read: z.number() }),
  trial: samples,
  sealed: z.object({
    entries: z.number(),
    sealMs: z.number(),
    verifyMs: z.number(),
    bareMs: z.number(),
  }),
  trialSealed: z.object({ read: z.number(), bareRead: z.number() }),
  looks: z.array(
    z.object({
      charges: z.number(),
      wholeMs: z.number(),
      bareMs: z.number(),
      wholeRead: z.number(),
      dayRead: z.number(),
      dayMs: z.number(),
    }),
  ),
});

const plannedSchema = z.object({
  creators: z.number(),
  seconds: z.number(),
  runs: z.number(),
  beforeBytes: z.number(),
  quarterBytes: z.number(),
  highestBytes: z.number(),
});

/**
 * Measures the ledger against the same statements by hand, here and in other databases, and its
 * growth with size.
 */
export async function benchLedger({
  entries = ENTRIES,
  creators = CREATORS,
}: { entries?: number | undefined; creators?: number | undefined } = {}): Promise<Measurement[]> {
  const found: Measurement[] = [];
  // It takes some minutes, so each part is printed when it is done.
  const report = (part: Measurement[]): void => {
    found.push(...part);
    console.error(`${formatMeasurements(part)}\n`);
  };
  const transfers: TransfersResult = transfersSchema.parse(
    JSON.parse(await measureInWorkerd("ledger/transfers", { BENCH_ENTRIES: String(entries) })),
  );
  report(ofTransfers(transfers));
  report(elsewhere(transfers, "node:sqlite", await benchSqlite()));
  const postgres = await benchPostgres();
  if (postgres) report(elsewhere(transfers, "PostgreSQL", postgres));
  else console.error("PostgreSQL is not installed: nothing stands beside it.\n");
  report(
    ofPlanning(
      plannedSchema.parse(
        JSON.parse(
          await measureInProcess("ledger/planning", [
            inRoot("bench", "ledger", "planning.ts"),
            String(creators),
          ]),
        ),
      ),
    ),
  );
  report(ofBooks(booksSchema.parse(JSON.parse(await measureInWorkerd("ledger/reads")))));
  return found;
}

function ofTransfers({ samples: of, entries }: TransfersResult): Measurement[] {
  const grown = (name: string, many: number[], few: number[]): Measurement =>
    comparison(
      `${name}, ${entries.toLocaleString("en")} entries beside 10,000`,
      { coreto: many, bare: few },
      GROWS_AT_MOST,
    );
  return [
    speedMeasurement(
      "transfer single beside a hand-written D1 batch",
      { coreto: of.single, bare: of.singleByHand },
      POSTING_AT_LEAST,
    ),
    speedMeasurement(
      "transfer batch of 20 beside a hand-written D1 batch",
      { coreto: of.batch, bare: of.batchByHand },
      POSTING_AT_LEAST,
    ),
    grown("transfer single", of.singleAmongMany, of.single),
    grown("transfer batch of 20", of.batchAmongMany, of.batch),
    speedMeasurement(
      "transfer batch of 20 to any of 100,000 creators, beside the same by hand",
      { coreto: of.batchOfMany, bare: of.batchOfManyByHand },
      POSTING_AT_LEAST,
    ),
  ];
}

const elsewhere = (
  { samples: of }: TransfersResult,
  name: string,
  { single, batch }: OtherDatabaseResult,
): Measurement[] => [
  speedMeasurement(`transfer single beside ${name}`, { coreto: of.single, bare: single }),
  speedMeasurement(`transfer batch of 20 beside ${name}`, { coreto: of.batch, bare: batch }),
];

const ofPlanning = ({
  creators,
  seconds,
  runs,
  beforeBytes,
  quarterBytes,
  highestBytes,
}: PayoutPlanningResult): Measurement[] => [
  counted(
    `payouts of ${creators.toLocaleString("en")} creators planned (${runs} ${runs === 1 ? "run" : "runs"} of the cron)`,
    seconds,
    PLANNED_WITHIN_SECONDS,
    1,
    "s",
  ),
  counted(
    `held at most meanwhile (${Math.round(beforeBytes / MIB)} MB before), beside the first quarter`,
    highestBytes / MIB,
    quarterBytes / MIB,
    GROWS_AT_MOST,
    "MB",
  ),
];

function ofBooks({
  statement,
  statementRows,
  trial,
  trialSealed,
  sealed,
  looks,
}: LedgerReadsResult): Measurement[] {
  const [few, many] = [looks[0], looks.at(-1)];
  return [
    comparison(
      "first page of an account of 100,000 entries, beside its rows alone",
      statement,
      STATEMENT_AT_MOST,
    ),
    counted(
      `rows read for a page of ${statementRows.shown}`,
      statementRows.read,
      statementRows.shown,
      ROWS_A_LINE_AT_MOST,
    ),
    comparison("trial balance of all days, beside one sum by kind", trial, TRIAL_AT_MOST),
    counted(
      "trial balance after a sealed month, rows",
      trialSealed.read,
      trialSealed.bareRead,
      0.1,
    ),
    counted(
      `a month of ${sealed.entries.toLocaleString("en")} entries sealed, beside read at once`,
      sealed.sealMs,
      sealed.bareMs,
      SEAL_AT_MOST,
      "ms",
    ),
    counted("the same, verified", sealed.verifyMs, sealed.bareMs, SEAL_AT_MOST, "ms"),
    ...looks.flatMap(({ charges, wholeMs, bareMs, wholeRead, dayRead, dayMs }) => [
      counted(
        `all invariants, ${charges.toLocaleString("en")} charges (${wholeRead.toLocaleString("en")} rows)`,
        wholeMs,
        bareMs,
        LOOK_AT_MOST,
        "ms",
      ),
      counted(
        `what moved of ${charges.toLocaleString("en")} charges, 20 sales (${Math.round(dayMs)} ms), beside all`,
        dayRead,
        wholeRead,
        1,
      ),
    ]),
    ...(few && many
      ? [
          counted(
            "rows of a look by day, many charges beside few",
            many.dayRead,
            few.dayRead,
            GROWS_AT_MOST,
          ),
          counted(
            `all invariants, ${many.charges / few.charges} times the charges`,
            many.wholeMs,
            few.wholeMs,
            LOOK_GROWS_AT_MOST,
            "ms",
          ),
        ]
      : []),
  ];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

function comparison(
  name: string,
  { coreto, bare }: z.infer<typeof samples>,
  limit: number,
): Measurement {
  const [value, baseline] = [median(coreto), median(bare)];
  return {
    name,
    value: rounded(value),
    unit: "ms",
    baseline: rounded(baseline),
    ratio: rounded(value / baseline),
    limit,
  };
}

function counted(
  name: string,
  value: number,
  baseline: number,
  limit: number,
  unit = "rows",
): Measurement {
  return {
    name,
    value: rounded(value),
    unit,
    baseline: rounded(baseline),
    ratio: rounded(value / Math.max(baseline, 0.01)),
    limit,
  };
}
