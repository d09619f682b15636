import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * The reconciliation run of one provider on one night, with its progress, so that a killed run
 * resumes.
 */
export const reconciliationRuns = sqliteTable(
  "reconciliation_runs",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    /** `YYYY-MM-DD` in São Paulo: one run per provider and night. */
    night: text("night").notNull(),
    /**
     * The start of this provider's last finished run. This run covers everything since, plus an
     * overlap. Null for the first.
     */
    since: integer("since"),
    startedAt: integer("started_at").notNull(),
    /** The current step, in the order of reconciliation/rules/runs.ts, and `done`. */
    step: text("step").notNull(),
    /** The position within the step: the provider's cursor, or the last id of ours. */
    cursor: text("cursor"),
    pagesCount: integer("pages_count").notNull().default(0),
    /** Objects that the provider listed, each counted once: its rows in `reconciliation_sightings`. */
    listedCount: integer("listed_count").notNull().default(0),
    foundCount: integer("found_count").notNull().default(0),
    repairedCount: integer("repaired_count").notNull().default(0),
    /**
     * Requests that the provider did not answer. A run with any is incomplete, and later runs look
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
 * Objects that the provider listed in a run; others of ours are unlisted. Retained while the run is
 * among those shown.
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

/** A mismatch between the provider's object and our row. */
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
    /** The id of our row; null if there is none. */
    ourId: text("our_id"),
    /** Our reference, as the provider stores it. */
    reference: text("reference"),
    /** Each side as last seen, as JSON of `Side`; null if it is missing. */
    ours: text("ours"),
    theirs: text("theirs"),
    /** Whether it is about money, or only about a status without a money movement. */
    isMoney: integer("is_money", { mode: "boolean" }).notNull(),
    /**
     * By how much our ledger exceeds what the provider says it holds (centavos); negative if the
     * provider holds more.
     */
    gapCents: integer("gap_cents").notNull(),
    state: text("state").notNull(),
    firstSeenAt: integer("first_seen_at").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
    resolvedAt: integer("resolved_at"),
    /**
     * Who explained it; null if it was repaired, or disappeared. If two approvals were needed, the
     * second person.
     */
    resolvedBy: text("resolved_by"),
    /**
     * Whose explanation waits for a second person's approval, and since when. Cleared when a side
     * changes.
     */
    explainAskedBy: text("explain_asked_by"),
    explainAskedAt: integer("explain_asked_at"),
    /** The last run that examined it. */
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
 * Staff explanations of why a difference is acceptable, with both sides at that time. Append-only
 * by trigger.
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
