import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** One night's look at one provider: where it is, so that it goes on where it was killed. */
export const reconciliationRuns = sqliteTable(
  "reconciliation_runs",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    /** `YYYY-MM-DD` in São Paulo: a provider is looked at once a night. */
    night: text("night").notNull(),
    /**
     * When the last finished run of this provider began; everything since, and an overlap, is
     * looked at. Null for the first.
     */
    since: integer("since"),
    startedAt: integer("started_at").notNull(),
    /** What it reads now, in the order of reconciliation/rules/nights.ts, and `done`. */
    step: text("step").notNull(),
    /** Where in its step it is: the provider's cursor, or the last id of ours. */
    cursor: text("cursor"),
    pagesCount: integer("pages_count").notNull().default(0),
    /** What the provider listed, each once: its rows in `reconciliation_sightings`. */
    listedCount: integer("listed_count").notNull().default(0),
    foundCount: integer("found_count").notNull().default(0),
    repairedCount: integer("repaired_count").notNull().default(0),
    /**
     * Questions that it left unanswered: a run that has any was not whole, and those after it look
     * back to before it.
     */
    unclearCount: integer("unclear_count").notNull().default(0),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("reconciliation_runs_night").on(table.provider, table.night),
    index("reconciliation_runs_open")
      .on(table.provider, table.startedAt)
      .where(sql`finished_at IS NULL`),
    index("reconciliation_runs_newest").on(table.startedAt, table.id),
  ],
);

/**
 * What a run was shown by the provider: what is ours and is not here was not listed. Kept while the
 * run is among those that are shown.
 */
export const reconciliationSightings = sqliteTable(
  "reconciliation_sightings",
  {
    runId: text("run_id").notNull(),
    object: text("object", {
      enum: ["charge", "refund", "transfer", "dispute", "authorisation"],
    }).notNull(),
    /** The provider's id. */
    objectId: text("object_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.object, table.objectId] })],
);

/** Where the provider and we are not of one mind about one thing. */
export const reconciliationDifferences = sqliteTable(
  "reconciliation_differences",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    object: text("object", {
      enum: ["charge", "refund", "transfer", "dispute", "authorisation"],
    }).notNull(),
    /** The provider's id. */
    objectId: text("object_id").notNull(),
    kind: text("kind", { enum: ["ours_missing", "theirs_missing", "amount", "state"] }).notNull(),
    /** The id of our row, where there is one. */
    ourId: text("our_id"),
    /** Our reference, as the provider keeps it. */
    reference: text("reference"),
    /** Each side as it was seen last, as JSON of `Side`; null where it is missing. */
    ours: text("ours"),
    theirs: text("theirs"),
    /** Whether money is behind it, or only a state that moved none. */
    isMoney: integer("is_money", { mode: "boolean" }).notNull(),
    /**
     * By how much our books say that the provider holds more than it says (centavos); negative
     * where it holds more.
     */
    gapCents: integer("gap_cents").notNull(),
    state: text("state").notNull(),
    firstSeenAt: integer("first_seen_at").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
    resolvedAt: integer("resolved_at"),
    /**
     * Who explained it; null where it was repaired, or went by itself. Of an explanation that
     * needed two, whoever agreed.
     */
    resolvedBy: text("resolved_by"),
    /** Whose explanation needs somebody else who agrees, and since when; gone when a side moves. */
    explainAskedBy: text("explain_asked_by"),
    explainAskedAt: integer("explain_asked_at"),
    /** The last run that looked at it. */
    runId: text("run_id"),
  },
  (table) => [
    uniqueIndex("reconciliation_differences_once").on(
      table.provider,
      table.object,
      table.objectId,
      table.kind,
    ),
    index("reconciliation_differences_open")
      .on(table.provider, table.id)
      .where(sql`state = 'open'`),
    index("reconciliation_differences_listed").on(table.state, table.firstSeenAt, table.id),
    index("reconciliation_differences_newest").on(table.firstSeenAt, table.id),
  ],
);

/**
 * Why somebody of the staff says that a difference is none, with both sides as they were then.
 * Append-only by trigger.
 */
export const reconciliationNotes = sqliteTable(
  "reconciliation_notes",
  {
    id: text("id").primaryKey(),
    differenceId: text("difference_id").notNull(),
    personId: text("person_id").notNull(),
    note: text("note").notNull(),
    ours: text("ours"),
    theirs: text("theirs"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("reconciliation_notes_difference").on(table.differenceId, table.createdAt)],
);
