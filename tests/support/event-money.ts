import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import { eventOrders, events, eventSeats } from "#drizzle/schema/events.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";

/**
 * Expects each paid amount of an event to match its order and its seats, and to be in one place:
 * refunded for the seats that were given up before the start, and of the rest the fee with the
 * platform and the net amount with the creator, held until the event is over. Returns the charges
 * of which something was kept.
 */
export async function expectEventMoneyInOnePlace(ctx: Context, eventId: string): Promise<string[]> {
  const [event] = await ctx.db.select().from(events).where(eq(events.id, eventId));
  if (!event) throw new Error("no event");
  const paid = await ctx.db
    .select({ charge: charges, purchase: purchases, order: eventOrders })
    .from(purchases)
    .innerJoin(charges, eq(charges.id, purchases.chargeId))
    .innerJoin(eventOrders, eq(eventOrders.id, purchases.targetId))
    .where(
      sql`${purchases.kind} = 'event' AND ${eventOrders.eventId} = ${eventId} AND ${charges.succeededAt} IS NOT NULL`,
    );
  const kept: string[] = [];
  for (const { charge, purchase, order } of paid) {
    const seats = await ctx.db.select().from(eventSeats).where(eq(eventSeats.orderId, order.id));
    expect(charge.amountCents).toBe(order.quantity * order.unitPriceCents);
    const isKept = purchase.boughtAt !== null && purchase.endedAt === null;
    if (isKept) expect([order.status, seats.length]).toEqual(["paid", order.quantity]);
    const givenUp = seats.filter(
      ({ canceledAt }) => canceledAt !== null && canceledAt < event.startsAt,
    );
    const refundedCents = isKept ? givenUp.length * order.unitPriceCents : charge.amountCents;
    expect(charge.refundedCents).toBe(refundedCents);
    if (event.status === "canceled") expect(charge.status).toBe("refunded");
    const at = await centsOf(ctx, charge.id);
    const cents = (...kinds: LedgerAccountKind[]) =>
      kinds.reduce((sum, kind) => sum + (at.get(kind) ?? 0), 0);
    expect(cents("provider_clearing", "provider_costs")).toBe(charge.amountCents - refundedCents);
    expect(cents("refund_in_transit")).toBe(0);
    expect(cents("creator_pending", "creator_available", "platform_fees")).toBe(
      refundedCents - charge.amountCents,
    );
    if (ctx.now() < event.endsAt) expect(cents("creator_available")).toBe(0);
    if (isKept && refundedCents < charge.amountCents) kept.push(charge.id);
  }
  return kept;
}

/** Expects that what was kept of these charges is released, and with the creator. */
export async function expectReleased(ctx: Context, chargeIds: readonly string[]): Promise<void> {
  for (const id of chargeIds) {
    const at = await centsOf(ctx, id);
    expect(at.get("creator_pending")).toBe(0);
    expect(at.get("creator_available")).toBeLessThan(0);
  }
}

/** What the ledger has of a charge in each kind of account, debits positive (centavos). */
async function centsOf(ctx: Context, chargeId: string): Promise<Map<LedgerAccountKind, number>> {
  const rows = await ctx.db.all<{ kind: LedgerAccountKind; cents: number }>(
    sql`SELECT a.kind AS kind, SUM(e.amount_cents) AS cents FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN ledger_accounts a ON a.id = e.account_id WHERE t.charge_id = ${chargeId} AND t.posted_at IS NOT NULL GROUP BY a.kind`,
  );
  return new Map(rows.map(({ kind, cents }) => [kind, cents]));
}
