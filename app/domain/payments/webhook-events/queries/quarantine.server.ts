import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isPartyToMoneySql } from "#app/domain/identity/colleagues/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Page } from "#app/domain/page.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import {
  parseQuarantineReason,
  quarantineStateOf,
} from "#app/domain/payments/webhook-events/rules.ts";
import type {
  StaffQuarantineReason,
  QuarantineState,
} from "#app/domain/payments/webhook-events/rules.ts";
import { eventTypes } from "#app/domain/payments/schema.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges, inbox } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Our object that an event is about, with our status. */
export type QuarantinedEventSubject =
  | { object: "charge"; id: string; status: ChargeStatus; amountCents: Cents }
  | { object: "payout"; id: string; status: string; amountCents: Cents };

/** A quarantined event without its content: only the object that it names. */
export type QuarantinedEvent = {
  id: string;
  provider: string;
  eventId: string;
  /** The object type, as the provider's adapter read it. */
  type: ProviderEvent["type"];
  /** The provider's id of the object. */
  objectId: string;
  reason: StaffQuarantineReason;
  /** The provider's answer, or the name of the fault. */
  detail: string | null;
  state: QuarantineState;
  about: QuarantinedEventSubject | null;
  attempts: number;
  receivedAt: Instant;
  /** When it was last quarantined; null while it is not. */
  quarantinedAt: Instant | null;
  handledAt: Instant | null;
  answeredAt: Instant | null;
  /** Name of the moderator who answered, if they have a page; null without an answer. */
  answeredBy: string | null;
  isAnswered: boolean;
  note: string | null;
};

/**
 * SQL condition: an event waits for staff review. Same text as its index and the invariant
 * `deliveries_set_aside`.
 */
export const isQuarantined: SQL = sql`quarantined_at IS NOT NULL AND handled_at IS NULL AND quarantine_reason <> 'unknown_type' AND answer IS NOT 'closed'`;

/**
 * The two lists, each by its own index. Most stored, unhandled events need no review, so that both
 * stay short.
 */
const LISTS = {
  waiting: {
    order: inbox.quarantinedAt,
    isListed: isQuarantined,
    listed: sql`inbox INDEXED BY inbox_aside`,
  },
  answered: {
    order: inbox.answeredAt,
    isListed: sql`answer IS NOT NULL AND (answer = 'closed' OR quarantined_at IS NULL OR handled_at IS NOT NULL)`,
    listed: sql`inbox INDEXED BY inbox_answered`,
  },
};

/** The format of `encodePlace`. A provider's event id may be any text. */
const CURSOR = /^(\d{1,16})_(.{1,200})$/;
const encodePlace = ({ at, id }: { at: Instant; id: string }): string => `${at}_${id}`;

type QuarantineListRequest = {
  state: "waiting" | "answered";
  cursor: string | null;
  limit: number;
};

/**
 * Lists events that wait for staff review, the last quarantined first, or answered ones, the last
 * answered first. Also counts the waiting ones. One round trip.
 */
export async function quarantinedEvents(
  ctx: Context,
  { state, cursor, limit }: QuarantineListRequest,
): Promise<{ waitingCount: number; page: Page<QuarantinedEvent> }> {
  const [, at, id] = CURSOR.exec(cursor ?? "") ?? [];
  const { order, isListed, listed } = LISTS[state];
  const after =
    at === undefined ? sql`TRUE` : sql`(${order}, ${inbox.id}) < (${Number(at)}, ${id})`;
  const [waiting, rows] = await ctx.db.batch([
    quarantinedCountStatement(ctx),
    quarantinedRows(
      ctx,
      inArray(
        inbox.id,
        sql`(SELECT ${inbox.id} FROM ${listed} WHERE ${isListed} AND ${after} ORDER BY ${desc(order)}, ${desc(inbox.id)} LIMIT ${limit + 1})`,
      ),
    ).orderBy(desc(order), desc(inbox.id)),
  ]);
  const items = rows.slice(0, limit).map(asQuarantinedEvent);
  const last = items.at(-1);
  const placedAt = (state === "waiting" ? last?.quarantinedAt : last?.answeredAt) ?? 0;
  return {
    waitingCount: waiting[0]?.count ?? 0,
    page: {
      items,
      next: rows.length > limit && last ? encodePlace({ at: placedAt, id: last.id }) : null,
    },
  };
}

/** Statement for a batch: counts the events that wait for staff review. */
export function quarantinedCountStatement({ db }: Pick<Context, "db">) {
  return db
    .select({
      count: sql<number>`COUNT(*)`.as("waiting_count"),
      oldestAt: sql<Instant | null>`MIN(${inbox.quarantinedAt})`.as("waiting_oldest_at"),
    })
    .from(LISTS.waiting.listed)
    .where(isQuarantined);
}

/**
 * Loads one waiting or answered event, and whether the moderator is a party of its subject
 * (`isPartyToMoney`, or its payer). Null for any other. One round trip.
 */
export async function quarantinedEvent(
  ctx: Context,
  { inboxId, moderatorId }: { inboxId: string; moderatorId: string },
): Promise<(QuarantinedEvent & { isSide: boolean }) | null> {
  const sides = sql<number>`COALESCE(${charges.payerId} = ${moderatorId} OR ${isPartyToMoneySql({ creatorId: sql`COALESCE(${charges.creatorId}, ${payouts.creatorId})`, moderatorId })}, 0)`;
  const [[row], [side]] = await ctx.db.batch([
    quarantinedRows(
      ctx,
      and(eq(inbox.id, inboxId), or(isQuarantined, sql`answer IS NOT NULL`)),
    ).limit(1),
    ctx.db
      .select({ isSide: sides.as("is_side") })
      .from(inbox)
      .leftJoin(charges, eq(charges.id, inbox.aboutChargeId))
      .leftJoin(payouts, eq(payouts.id, inbox.aboutPayoutId))
      .where(eq(inbox.id, inboxId)),
  ]);
  return row ? { ...asQuarantinedEvent(row), isSide: side?.isSide === 1 } : null;
}

function quarantinedRows({ db }: Pick<Context, "db">, where: SQL | undefined) {
  return db
    .select({
      id: inbox.id,
      provider: inbox.provider,
      eventId: inbox.providerEventId,
      type: inbox.type,
      objectId: inbox.objectId,
      reason: inbox.quarantineReason,
      attempts: inbox.attempts,
      receivedAt: inbox.receivedAt,
      quarantinedAt: inbox.quarantinedAt,
      handledAt: inbox.handledAt,
      answer: inbox.answer,
      answeredAt: inbox.answeredAt,
      note: inbox.answerNote,
      answeredBy: sql<string | null>`${profiles.name}`.as("answered_name"),
      charge: { id: charges.id, status: charges.status, amountCents: charges.amountCents },
      payout: { id: payouts.id, status: payouts.status, amountCents: payouts.amountCents },
    })
    .from(inbox)
    .leftJoin(charges, eq(charges.id, inbox.aboutChargeId))
    .leftJoin(payouts, eq(payouts.id, inbox.aboutPayoutId))
    .leftJoin(profiles, eq(profiles.personId, inbox.answeredBy))
    .where(where)
    .$dynamic();
}

function asQuarantinedEvent({
  reason,
  charge,
  payout,
  answer,
  type,
  ...row
}: Awaited<ReturnType<typeof quarantinedRows>>[number]): QuarantinedEvent {
  const about: QuarantinedEventSubject | null = charge
    ? {
        object: "charge",
        id: charge.id,
        status: charge.status as ChargeStatus,
        amountCents: charge.amountCents,
      }
    : payout
      ? { object: "payout", id: payout.id, status: payout.status, amountCents: payout.amountCents }
      : null;
  return {
    ...row,
    type: eventTypes.find((one) => one === type) ?? "other",
    ...parseQuarantineReason(reason ?? ""),
    state: quarantineStateOf({ ...row, answer }),
    about,
    isAnswered: answer !== null,
  };
}
