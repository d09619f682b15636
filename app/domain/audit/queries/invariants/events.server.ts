import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AuditScope, Invariant } from "./moved.server.ts";

/** SQL condition: somebody chose a ticket of the event lately. The nightly check reads all events. */
const isMovedEvent = (moved: AuditScope, eventId: SQL): SQL =>
  moved.isWhole
    ? sql`1`
    : sql`${eventId} IN (SELECT placed.event_id FROM event_orders placed WHERE ${moved.row(sql`placed.id`)})`;

/** Invariants of events: seats, and the payments that hold and buy them. */
export const eventInvariants: readonly Invariant[] = [
  {
    name: "event_seats_within_capacity",
    title: "Nenhum evento tem mais vagas do que comporta, e as contas delas batem",
    sql: (_, moved) => sql`
      SELECT e.id FROM events e WHERE ${isMovedEvent(moved, sql`e.id`)} AND (e.seats_taken + e.seats_held + e.seats_offered > COALESCE(e.capacity, 9e15)
        OR e.seats_taken <> (SELECT COUNT(*) FROM event_seats s WHERE s.event_id = e.id AND s.status = 'taken')
        OR e.seats_held <> (SELECT COALESCE(SUM(o.quantity), 0) FROM event_orders o WHERE o.event_id = e.id AND o.status = 'held')
        OR e.seats_offered <> (SELECT COALESCE(SUM(w.offered_quantity), 0) FROM event_waiting w WHERE w.event_id = e.id))
      UNION ALL
      SELECT k.id FROM event_ticket_kinds k WHERE ${isMovedEvent(moved, sql`k.event_id`)} AND (k.seats_taken + k.seats_held > COALESCE(k.capacity, 9e15)
        OR k.seats_taken <> (SELECT COUNT(*) FROM event_seats s WHERE s.event_id = k.event_id AND s.status = 'taken' AND s.ticket_kind_id = k.id)
        OR k.seats_held <> (SELECT COALESCE(SUM(o.quantity), 0) FROM event_orders o WHERE o.event_id = k.event_id AND o.status = 'held' AND o.ticket_kind_id = k.id))`,
  },
  {
    name: "event_holds_paid_for",
    title: "Toda vaga guardada tem um pagamento em andamento, e todo pedido pago tem a sua compra",
    sql: (_, moved) => sql`
      SELECT o.id FROM event_orders o WHERE ${moved.row(sql`o.id`)} AND o.status IN ('open', 'held') AND NOT (o.status = 'held' AND o.switch_ends_at IS NOT NULL) AND (o.status = 'held') <> EXISTS (
        SELECT 1 FROM purchases p WHERE p.kind = 'event' AND p.target_id = o.id AND p.person_id = o.person_id AND p.bought_at IS NULL AND p.ended_at IS NULL)
      UNION ALL
      SELECT o.id FROM event_orders o WHERE ${moved.row(sql`o.id`)} AND o.status IN ('paid', 'canceled') AND (o.status = 'paid') <> EXISTS (
        SELECT 1 FROM purchases p WHERE p.kind = 'event' AND p.target_id = o.id AND p.person_id = o.person_id AND p.bought_at IS NOT NULL AND p.ended_at IS NULL)`,
  },
  {
    name: "event_seats_bought",
    title: "Quem pagou tem as suas vagas, no máximo as que pagou",
    sql: (_, moved) => sql`
      SELECT o.id FROM event_orders o WHERE ${moved.row(sql`o.id`)} AND ((SELECT COUNT(*) FROM event_seats s WHERE s.order_id = o.id) > o.quantity
        OR (o.status IN ('open', 'held') AND EXISTS (SELECT 1 FROM event_seats s WHERE s.order_id = o.id)))`,
  },
  {
    name: "event_money_held_back",
    title: "Nada de um evento é liberado antes de ele terminar",
    sql: (_, moved) => sql`
      SELECT p.id FROM purchases p JOIN event_orders o ON o.id = p.target_id JOIN events e ON e.id = o.event_id JOIN charge_releases r ON r.charge_id = p.charge_id
      WHERE ${moved.row(sql`o.id`)} AND p.kind = 'event' AND p.bought_at IS NOT NULL AND p.ended_at IS NULL AND r.released_at IS NULL AND r.release_at < e.ends_at
      UNION ALL
      SELECT p.id FROM purchases p JOIN event_orders o ON o.id = p.target_id JOIN events e ON e.id = o.event_id
        JOIN ledger_transactions t ON t.charge_id = p.charge_id AND t.kind = 'charge.released'
      WHERE ${moved.transaction(sql`t.id`)} AND p.kind = 'event' AND p.ended_at IS NULL AND t.posted_at < e.ends_at`,
  },
];
