import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import {
  EventNotFound,
  NoSeat,
  NoTicketKind,
  PaymentIsRunning,
  TooManyChoices,
} from "#app/domain/events/errors.ts";
import { refuseOtherKind } from "#app/domain/events/seats/commands.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { areAnswersOver } from "#app/domain/events/queries/due.server.ts";
import { openOrder } from "#app/domain/events/tickets/queries/orders.server.ts";
import {
  answersStatements,
  refuseUnanswered,
} from "#app/domain/events/questions/commands/answers.server.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import { seatProblem } from "#app/domain/events/rules.ts";
import { kindProblem } from "#app/domain/events/rules/tickets.ts";
import { CannotBuyOwnContent } from "#app/domain/purchases/errors.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { eventAnswers } from "#drizzle/schema/events-people.ts";
import { eventOrders } from "#drizzle/schema/events.ts";

const CHOICES: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 60 }];

type Choice = {
  eventId: string;
  personId: string;
  kindId: string;
  quantity: number;
  /** For the first of its tickets; the others are in the buyer's own name. */
  names?: readonly string[];
  /** To the questions of the event. */
  answers?: readonly Answer[];
};

/**
 * Chooses paid tickets, and returns the order that the checkout sells (`?event=<order id>`). Holds
 * no seat: the payment does. Another choice replaces one that is not being paid. Refuses
 * EventNotFound, NoTicketKind, NoSeat with its reason, QuestionUnanswered, PaymentIsRunning,
 * CannotBuyOwnContent and TooManyChoices (60 an hour).
 *
 * INVARIANT: what was once asked to be paid for never changes. An order with a purchase, also an
 * unpaid one, is closed by another choice: its code, paid late, buys nothing else.
 */
export async function chooseTickets(ctx: Context, choice: Choice): Promise<{ orderId: string }> {
  const counted = { act: "event.choice", personId: choice.personId, limits: CHOICES };
  try {
    return await retryOnConflict(async () => {
      const agreed = await agreedFor(ctx, choice);
      if ("orderId" in agreed) return agreed;
      await commit(ctx.db, [
        ...rateLimitStatements(ctx, counted),
        ...choiceStatements(ctx, choice, agreed),
      ]);
      const order = await openOrder(ctx, choice);
      if (!order) throw new StaleWrite();
      return { orderId: order.id };
    });
  } catch (error) {
    throw error instanceof StaleWrite && (await rateLimitResetAt(ctx, counted)) > ctx.now()
      ? new TooManyChoices()
      : error;
  }
}

type Agreed = { unitPriceCents: number };

async function agreedFor(
  ctx: Context,
  { eventId, personId, kindId, quantity, names = [], answers = [] }: Choice,
): Promise<Agreed | { orderId: string }> {
  const event = await eventFor(ctx, { eventId, viewerId: personId });
  if (!event) throw new EventNotFound();
  if (event.creatorId === personId) throw new CannotBuyOwnContent("event");
  const kind = event.ticketKinds.find(({ id }) => id === kindId);
  if (!kind || kind.priceCents === 0) throw new NoTicketKind();
  const { payment } = event;
  if (payment) {
    if (payment.kindId === kindId && payment.quantity === quantity) {
      await ctx.db
        .update(eventOrders)
        .set({ names: [...names] })
        .where(and(eq(eventOrders.id, payment.orderId), eq(eventOrders.status, "held")));
      return payment;
    }
    throw new PaymentIsRunning(payment);
  }
  const problem = seatProblem(event, quantity, ctx.now()) ?? kindProblem(kind, quantity, ctx.now());
  if (problem && (await endOwnSwitch(ctx, { eventId, personId }))) throw new StaleWrite();
  if (problem) throw new NoSeat(problem);
  refuseOtherKind(event, kindId);
  refuseUnanswered(event.questions, answers);
  return { unitPriceCents: kind.priceCents };
}

function choiceStatements(
  ctx: Context,
  { eventId, personId, kindId, quantity, names = [], answers = [] }: Choice,
  { unitPriceCents }: Agreed,
): BatchWrite[] {
  // The rule as it is at the write: the creator may have changed it since the read.
  const refundHours = sql<number>`(SELECT e.refund_hours FROM events e WHERE e.id = ${eventId})`;
  const answered = answersStatements(ctx, { eventId, personId, answers });
  const { answersId } = answered;
  const agreed = { unitPriceCents, refundHours, names: [...names], answersId };
  return [
    erasedAnswersStatement(
      ctx,
      sql`event_orders.event_id = ${eventId} AND event_orders.person_id = ${personId} AND event_orders.status = 'open'`,
    ),
    ...answered.writes,
    // Seats that a change of method still keeps go with the former choice.
    releasedStatement(ctx, isOwnSwitch({ eventId, personId })),
    ctx.db
      .update(eventOrders)
      .set({ status: "canceled" })
      .where(
        sql`${eventOrders.eventId} = ${eventId} AND ${eventOrders.personId} = ${personId} AND ${eventOrders.status} = 'open' AND ${hasPurchase}
          AND NOT (${eventOrders.ticketKindId} = ${kindId} AND ${eventOrders.quantity} = ${quantity} AND ${eventOrders.unitPriceCents} = ${agreed.unitPriceCents})`,
      ),
    mustChangeOne(
      ctx.db
        .insert(eventOrders)
        .values({
          ...agreed,
          id: ctx.newId(),
          eventId,
          personId,
          ticketKindId: kindId,
          quantity,
          status: "open",
          createdAt: ctx.now(),
        })
        .onConflictDoUpdate({
          target: [eventOrders.eventId, eventOrders.personId],
          targetWhere: sql`status IN ('open', 'held')`,
          set: { ...agreed, ticketKindId: kindId, quantity, createdAt: ctx.now() },
          setWhere: sql`${eventOrders.status} = 'open'`,
        }),
    ),
  ];
}

/** Builds the statements that close orders that are not paid for, and erase their answers. */
export const closedOrdersStatements = (ctx: Context, which: SQL): BatchWrite[] => [
  erasedAnswersStatement(ctx, which),
  ctx.db.update(eventOrders).set({ status: "canceled", answersId: null }).where(which),
];

/**
 * Builds the statements that apply another refund rule to what was chosen and not paid for. A
 * choice whose code may still be paid late is closed: that code was made under the former rule.
 */
export function refundRuleStatements(
  ctx: Context,
  { eventId, refundHours }: { eventId: string; refundHours: number | null },
): BatchWrite[] {
  const isOpen = sql`${eventOrders.eventId} = ${eventId} AND ${eventOrders.status} = 'open' AND ${eventOrders.refundHours} IS NOT ${refundHours}`;
  return [
    ...closedOrdersStatements(ctx, sql`${isOpen} AND ${hasPurchase}`),
    ctx.db.update(eventOrders).set({ refundHours }).where(isOpen),
  ];
}

/**
 * Ends the changes of a payment method whose next payment did not begin: a killed request, or a
 * card that was removed. The seats go to whoever comes next. Safe to repeat.
 */
export async function endSwitch(ctx: Context, { orderId }: { orderId: string }): Promise<void> {
  await commit(ctx.db, [
    releasedStatement(ctx, sql`${eventOrders.id} = ${orderId} AND ${isSwitchOver(ctx)}`),
  ]);
}

/**
 * Erases the answers of a choice that nobody paid for a day, and closes it: who still wants the
 * tickets chooses and answers again. Does nothing while a payment runs. Safe to repeat.
 */
export async function forgetAnswers(ctx: Context, { orderId }: { orderId: string }): Promise<void> {
  const isOver = sql`${eventOrders.id} = ${orderId} AND ${areAnswersOver(ctx)}`;
  await commit(ctx.db, closedOrdersStatements(ctx, isOver));
}

/** Builds the statement that erases the answers of the orders of `which`. */
const erasedAnswersStatement = (ctx: Context, which: SQL): BatchWrite =>
  ctx.db
    .delete(eventAnswers)
    .where(
      sql`${eventAnswers.id} IN (SELECT event_orders.answers_id FROM event_orders WHERE ${which})`,
    );

/** Frees what a person's former change of method still keeps. Returns whether there was one. */
async function endOwnSwitch(ctx: Context, who: Pick<Choice, "eventId" | "personId">) {
  const released = await releasedStatement(ctx, isOwnSwitch(who)).returning({
    status: eventOrders.status,
  });
  return released.some(({ status }) => status === "open");
}

const isOwnSwitch = ({ eventId, personId }: Pick<Choice, "eventId" | "personId">): SQL =>
  sql`event_orders.event_id = ${eventId} AND event_orders.person_id = ${personId} AND event_orders.status = 'held' AND event_orders.switch_ends_at IS NOT NULL`;

/** SQL condition on `event_orders`: a change of its payment method did not come to its end. */
const isSwitchOver = (ctx: Context): SQL => sql`event_orders.switch_ends_at <= ${ctx.now()}`;

/** An order whose payment runs after all keeps its seats. */
function releasedStatement(ctx: Context, which: SQL) {
  return ctx.db
    .update(eventOrders)
    .set({
      switchEndsAt: null,
      status: sql`CASE WHEN event_orders.status = 'held' AND NOT ${isBeingPaid} THEN 'open' ELSE event_orders.status END`,
    })
    .where(which);
}

const isBeingPaid = sql`EXISTS (SELECT 1 FROM purchases running WHERE running.person_id = event_orders.person_id AND running.kind = 'event' AND running.target_id = event_orders.id AND running.bought_at IS NULL AND running.ended_at IS NULL)`;

/** SQL condition on `event_orders`: a payment of it was started once. */
export const hasPurchase = sql`EXISTS (SELECT 1 FROM purchases bought WHERE bought.person_id = event_orders.person_id AND bought.kind = 'event' AND bought.target_id = event_orders.id)`;
