import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Answer } from "#app/domain/events/questions/rules.ts";

/** Answers to the questions of an event, once for each order, free taking or request. */
export const eventAnswers = sqliteTable(
  "event_answers",
  {
    id: text("id").primaryKey(),
    eventId: text("event_id").notNull(),
    personId: text("person_id").notNull(),
    /** With the text of each question on that day: later changes leave them readable. */
    answers: text("answers", { mode: "json" }).$type<Answer[]>().notNull(),
  },
  (table) => [
    index("event_answers_event").on(table.eventId),
    index("event_answers_person").on(table.personId, table.eventId),
  ],
);

/**
 * A request for seats at an event whose creator approves each. It holds no seat. An approved one
 * has its free seats, or an offer in `event_waiting` to buy them. A withdrawn one is deleted.
 */
export const eventRequests = sqliteTable(
  "event_requests",
  {
    eventId: text("event_id").notNull(),
    personId: text("person_id").notNull(),
    quantity: integer("quantity").notNull(),
    /** Null at an event without ticket kinds. */
    ticketKindId: text("ticket_kind_id"),
    /** Names for its tickets, as those of an order. */
    names: text("names", { mode: "json" }).$type<string[]>().notNull().default([]),
    answersId: text("answers_id"),
    status: text("status", { enum: ["waiting", "approved", "refused"] }).notNull(),
    requestedAt: integer("requested_at").notNull(),
    decidedAt: integer("decided_at"),
    /** What the creator wrote with the answer; empty without. */
    reply: text("reply").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.personId] }),
    index("event_requests_list").on(table.eventId, table.status, table.requestedAt, table.personId),
    index("event_requests_person").on(table.personId),
  ],
);
