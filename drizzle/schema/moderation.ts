import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** Moderators' actions against accounts and on cases, with reasons; append-only by trigger. */
export const moderationActions = sqliteTable(
  "moderation_actions",
  {
    id: text("id").primaryKey(),
    /** Empty when the product acted, such as at the end of a suspension. */
    moderatorId: text("moderator_id").notNull(),
    personId: text("person_id").notNull(),
    act: text("act", {
      enum: [
        "ban",
        "unban",
        "claim",
        "release",
        "dismiss",
        "hide",
        "warn",
        "suspend",
        "uphold",
        "reverse",
      ],
    }).notNull(),
    /** As the person reads it; empty when a ban ends. */
    reason: text("reason").notNull().default(""),
    /** The case that it belongs to; null for an action without a report. */
    caseId: text("case_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("moderation_actions_person").on(table.personId, table.createdAt),
    index("moderation_actions_case")
      .on(table.caseId, table.createdAt)
      .where(sql`case_id IS NOT NULL`),
  ],
);

/** All reports of one subject until they are decided together. At most one per subject is open. */
export const reportCases = sqliteTable(
  "report_cases",
  {
    id: text("id").primaryKey(),
    /** A kind of `subjectKinds` in moderation/reports/schema.ts. */
    subjectKind: text("subject_kind").notNull(),
    subjectId: text("subject_id").notNull(),
    /** Who wrote the subject, or whose profile it is. */
    authorId: text("author_id").notNull(),
    reportsCount: integer("reports_count").notNull(),
    /** Some report is of a reason that goes to the top of the queue. */
    isUrgent: integer("is_urgent", { mode: "boolean" }).notNull(),
    openedAt: integer("opened_at").notNull(),
    claimedBy: text("claimed_by"),
    claimedAt: integer("claimed_at"),
    /** Incremented by each act, so that a decision on an older view is refused. */
    version: integer("version").notNull().default(1),
    decision: text("decision", { enum: ["dismiss", "hide", "warn", "suspend", "ban"] }),
    /** The rule that was broken, a report reason; null when dismissed. */
    rule: text("rule"),
    /** As the author reads it. */
    decisionReason: text("decision_reason").notNull().default(""),
    decidedBy: text("decided_by"),
    decidedAt: integer("decided_at"),
    /** When its suspension ends; null if there is none, or it ended. */
    suspendedUntil: integer("suspended_until"),
    /** When a moderator ended its ban by hand; null while the ban lasts, and for other decisions. */
    banLiftedAt: integer("ban_lifted_at"),
    /** When an appeal reversed the decision. */
    reversedAt: integer("reversed_at"),
    /** When evidence and texts were erased, months after the decision. */
    erasedAt: integer("erased_at"),
  },
  (table) => [
    uniqueIndex("report_cases_open")
      .on(table.subjectKind, table.subjectId)
      .where(sql`decided_at IS NULL`),
    index("report_cases_queue")
      .on(table.isUrgent, table.openedAt, table.id)
      .where(sql`decided_at IS NULL`),
    index("report_cases_author").on(table.authorId, table.openedAt),
    index("report_cases_suspended")
      .on(table.suspendedUntil)
      .where(sql`suspended_until IS NOT NULL`),
    index("report_cases_retained")
      .on(table.decidedAt, table.id)
      .where(sql`decided_at IS NOT NULL AND erased_at IS NULL`),
    index("report_cases_decided")
      .on(table.decidedAt, table.id)
      .where(sql`decided_at IS NOT NULL`),
  ],
);

/** One person's report. Its evidence is a copy that never changes. */
export const reports = sqliteTable(
  "reports",
  {
    id: text("id").primaryKey(),
    caseId: text("case_id").notNull(),
    /** Null once the reporter's account was deleted. */
    reporterId: text("reporter_id"),
    reason: text("reason").notNull(),
    details: text("details").notNull().default(""),
    /** JSON of `Evidence`; empty if the last copy of the case is equal, or once it was erased. */
    evidence: text("evidence").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("reports_once").on(table.caseId, table.reporterId),
    index("reports_reporter").on(table.reporterId, table.createdAt),
    index("reports_case").on(table.caseId, table.createdAt),
  ],
);

/** Files that evidence shows. They are stored as long as the evidence, whoever deletes them. */
export const reportMedia = sqliteTable(
  "report_media",
  {
    caseId: text("case_id").notNull(),
    mediaId: text("media_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.mediaId] }),
    index("report_media_media").on(table.mediaId),
  ],
);

/** The author's appeal against a decision, at most one per case. */
export const moderationAppeals = sqliteTable(
  "moderation_appeals",
  {
    caseId: text("case_id").primaryKey(),
    authorId: text("author_id").notNull(),
    words: text("words").notNull(),
    createdAt: integer("created_at").notNull(),
    outcome: text("outcome", { enum: ["upheld", "reversed"] }),
    /** As the author reads it. */
    outcomeReason: text("outcome_reason").notNull().default(""),
    decidedBy: text("decided_by"),
    decidedAt: integer("decided_at"),
  },
  (table) => [
    index("moderation_appeals_waiting")
      .on(table.createdAt, table.caseId)
      .where(sql`decided_at IS NULL`),
    index("moderation_appeals_author").on(table.authorId),
  ],
);
