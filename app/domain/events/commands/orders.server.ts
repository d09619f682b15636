import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import {
  EventNotFound,
  NoSeat,
  NoTicketKind,
  PaymentIsRunning,
  TooManySeats,
} from "#app/domain/events/errors.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { openOrder } from "#app/domain/events/queries/orders.server.ts";
import { seatProblem } from "#app/domain/events/rules.ts";
import { kindProblem } from "#app/domain/events/rules/tickets.ts";
import { CannotBuyOwnContent } from "#app/domain/purchases/errors.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { eventOrders } from "#drizzle/schema/events.ts";

const CHOICES: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 60 }];

type Choice = { eventId: string; personId: string; kindId: string; quantity: number };

/**
 * Chooses paid tickets, and returns the order that the checkout sells (`?event=<order id>`). Holds
 * no seat: the payment does. Another choice replaces one that is not being paid. Refuses
 * EventNotFound, NoTicketKind, NoSeat with its reason, PaymentIsRunning, CannotBuyOwnContent and
 * TooManySeats (60 choices an hour).
 */
export async function chooseTickets(ctx: Context, choice: Choice): Promise<{ orderId: string }> {
  const { eventId, personId, kindId, quantity } = choice;
  const event = await eventFor(ctx, { eventId, viewerId: personId });
  if (!event) throw new EventNotFound();
  if (event.creatorId === personId) throw new CannotBuyOwnContent("event");
  const kind = event.ticketKinds.find(({ id }) => id === kindId);
  if (!kind || kind.priceCents === 0) throw new NoTicketKind();
  const { payment } = event;
  if (payment) {
    if (payment.kindId === kindId && payment.quantity === quantity) return payment;
    throw new PaymentIsRunning(payment);
  }
  const problem = seatProblem(event, quantity, ctx.now()) ?? kindProblem(kind, quantity, ctx.now());
  if (problem) throw new NoSeat(problem);
  try {
    await retryOnConflict(() =>
      save(ctx, choice, { unitPriceCents: kind.priceCents, refundHours: event.refundHours }),
    );
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManySeats() : error;
  }
  const order = await openOrder(ctx, choice);
  if (!order) throw new NoTicketKind();
  return { orderId: order.id };
}

async function save(
  ctx: Context,
  { eventId, personId, kindId, quantity }: Choice,
  agreed: { unitPriceCents: number; refundHours: number | null },
): Promise<void> {
  await commit(ctx.db, [
    ...rateLimitStatements(ctx, { act: "event.choice", personId, limits: CHOICES }),
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
        set: { ...agreed, ticketKindId: kindId, quantity },
        setWhere: sql`${eventOrders.status} = 'open'`,
      }),
  ]);
}
