import fc from "fast-check";
import { and, eq, isNull, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Refusal } from "#app/domain/errors.ts";
import { cancelEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { checkIn, undoCheckIn } from "#app/domain/events/door/commands.server.ts";
import {
  joinWaitingList,
  leaveWaitingList,
  takeSeats,
} from "#app/domain/events/seats/commands.server.ts";
import {
  approveRequest,
  refuseRequest,
  requestSeats,
  withdrawRequest,
} from "#app/domain/events/requests/commands.server.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { updateTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import {
  acceptTicket,
  offerTicket,
  withdrawOffer,
} from "#app/domain/events/transfers/commands.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { eventEntries, eventSeats, eventTransfers } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints } from "#tests/support/crash.ts";
import { expectEventMoneyInOnePlace, expectReleased } from "#tests/support/event-money.ts";
import {
  eventInput,
  kindInput,
  seatCounts,
  sellingEvent,
  ticketKind,
} from "#tests/support/events.ts";
import { purchaseCheckoutInput } from "#tests/support/purchases.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cardToken } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** The options of `npm run chaos -- events` (scripts/chaos.ts). The suite uses a short run. */
const asked = z
  .object({
    isCommand: z.boolean().default(false),
    seed: z.number().int(),
    events: z.number().int().positive(),
  })
  .parse(JSON.parse((testEnv as unknown as { CHAOS?: string }).CHAOS || '{"seed":24,"events":60}'));

/** The most rounds of one event, and acts that arrive at once. */
const ROUNDS = 8;
const ACTS_AT_ONCE = 4;
const RUNS = Math.max(1, Math.round(asked.events / (ROUNDS * ACTS_AT_ONCE)));
const MS_AN_EVENT_AT_MOST = 2_000;
const FANS = 4;
const points = crashPoints();

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true, database: points.database });
  ana = await createSeller(world.ctx);
});

const KINDS = [
  "buy",
  "buy",
  "buy",
  "pay",
  "pay",
  "free",
  "cancel",
  "cancelOne",
  "pass",
  "otherMethod",
  "join",
  "leave",
  "approvals",
  "request",
  "request",
  "withdraw",
  "approve",
  "approve",
  "refuse",
  "capacity",
  "kindCapacity",
  "twoDoors",
  "undo",
  "late",
  "hours",
  "drain",
  "cancelEvent",
] as const;
type Act = { kind: string; fan: number; size: number };
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...KINDS),
  fan: fc.nat({ max: FANS - 1 }),
  size: fc.integer({ min: 1, max: 3 }),
});
/** Acts of a round arrive at once. In a round with `crashAt` the process dies at that point. */
const rounds = fc.array(
  fc.record({
    acts: fc.array(act, { minLength: 1, maxLength: ACTS_AT_ONCE }),
    crashAt: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 4 }),
  }),
  { minLength: 2, maxLength: ROUNDS },
);

type Played = {
  eventId: string;
  kindId: string;
  freeKindId: string;
  fans: TestPerson[];
  chargeIds: string[];
};

async function startEvent(): Promise<Played> {
  const { eventId, kindId } = await sellingEvent(world.ctx, ana, {
    capacity: 3,
    maxPerPerson: 3,
    startsAt: world.ctx.now() + 4 * DAY_MS,
  });
  const freeKindId = await ticketKind(world.ctx, eventId, ana, { name: "Livre", price: 0 });
  const fans = await Promise.all(
    Array.from({ length: FANS }, (_, at) => createPerson(world.ctx, `Fã ${at}`)),
  );
  return { eventId, kindId, freeKindId, fans, chargeIds: [] };
}

async function play(played: Played, { kind, fan, size }: Act): Promise<unknown> {
  const { eventId, kindId, freeKindId, chargeIds } = played;
  const { ctx } = world;
  const buyer = played.fans[fan];
  if (!buyer) return;
  const who = { eventId, personId: buyer.id };
  switch (kind) {
    case "buy":
      return await buy(played, buyer, { eventId, kindId, quantity: size });
    case "pay":
    case "late":
      if (kind === "late") await world.advance(31 * MINUTE_MS);
      if (kind === "late") await world.tick();
      return await payOne(chargeIds[fan % Math.max(1, chargeIds.length)]);
    case "free":
      return await takeSeats(ctx, { ...who, quantity: size, kindId: freeKindId });
    case "cancel":
      return await cancelSeats(ctx, who);
    case "cancelOne":
      return await cancelOne(who);
    case "pass":
      return await pass(played, buyer, fan + size);
    case "otherMethod":
      return await buy(played, buyer, { eventId, kindId, quantity: size }, await cardToken(world));
    case "join":
      return await joinWaitingList(ctx, { ...who, quantity: size });
    case "leave":
      return await leaveWaitingList(ctx, who);
    case "approvals":
      return await changeApproval(eventId, size > 1);
    case "request":
      return await requestSeats(ctx, {
        ...who,
        quantity: size,
        kindId: fan % 2 === 0 ? kindId : freeKindId,
      });
    case "withdraw":
      return await withdrawRequest(ctx, who);
    case "approve":
      return await approveRequest(ctx, { ...who, creatorId: ana.id });
    case "refuse":
      return await refuseRequest(ctx, { ...who, creatorId: ana.id });
    case "capacity":
      return await changeCapacity(eventId, size + 1);
    case "kindCapacity":
      return await updateTicketKind(ctx, {
        eventId,
        kindId,
        creatorId: ana.id,
        ...kindInput({ kindCapacity: size }),
      });
    case "twoDoors":
      return await enterAtTwoDoors(eventId, buyer);
    case "undo":
      return await undoOne(eventId);
    case "hours":
      await world.advance(13 * HOUR_MS);
      return await world.tick();
    case "drain":
      return await world.drain();
    default:
      // Rarely, or nothing else would be tried.
      return size === 3 && fan === 0
        ? await cancelEvent(ctx, { eventId, creatorId: ana.id })
        : undefined;
  }
}

async function buy(
  { chargeIds }: Played,
  buyer: TestPerson,
  tickets: { eventId: string; kindId: string; quantity: number },
  token: string | null = null,
): Promise<void> {
  const { orderId } = await chooseTickets(world.ctx, { ...tickets, personId: buyer.id });
  const checkout = purchaseCheckoutInput(buyer, orderId, {
    kind: "event",
    ...(token === null ? {} : { method: "card", cardToken: token }),
  });
  chargeIds.push((await startPurchase(world.ctx, checkout)).chargeId);
}

/** A bank pays once; another payment of the same code is refused there. */
async function payOne(chargeId = ""): Promise<void> {
  const charge = await chargeRow(world.ctx, { chargeId });
  if (charge?.providerChargeId)
    await world.console(`/sandbox/charges/${charge.providerChargeId}/pay`);
}

/** Passes a ticket on to another fan, who accepts at once. The former code opens nothing. */
async function pass({ eventId, fans }: Played, giver: TestPerson, to: number): Promise<void> {
  const { ctx } = world;
  const receiver = fans[to % fans.length];
  const who = { eventId, personId: giver.id };
  const [ticket] = await ticketsOf(ctx, who);
  if (!ticket || !receiver) return;
  const { seatId } = ticket;
  await offerTicket(ctx, { ...who, seatId, to: { username: receiver.username } });
  const offers = await ctx.db
    .select()
    .from(eventTransfers)
    .where(eq(eventTransfers.seatId, seatId));
  const offer = offers.find(
    ({ acceptedAt, withdrawnAt }) => acceptedAt === null && withdrawnAt === null,
  );
  if (!offer) return;
  try {
    await acceptTicket(ctx, { key: offer.id, personId: receiver.id });
  } catch (error) {
    await withdrawOffer(ctx, { ...who, seatId });
    throw error;
  }
  const door = { eventId, creatorId: ana.id, byId: ana.id, code: ticket.code };
  await expect(checkIn(ctx, door)).rejects.toThrow(Refusal);
}

async function cancelOne(who: { eventId: string; personId: string }): Promise<void> {
  const [ticket] = await ticketsOf(world.ctx, who);
  if (ticket) await cancelSeats(world.ctx, { ...who, seatId: ticket.seatId });
}

const changeCapacity = (eventId: string, capacity: number) => change(eventId, { capacity });

const changeApproval = (eventId: string, needsApproval: boolean) =>
  change(eventId, { needsApproval });

async function change(eventId: string, changed: Partial<EventInput>): Promise<void> {
  const own = { eventId, creatorId: ana.id };
  const saved = await editableEvent(world.ctx, own);
  if (!saved) return;
  const { revision, startsAt, endsAt, typedCapacity: capacity, needsApproval } = saved;
  const input = { startsAt, endsAt, capacity, needsApproval, maxPerPerson: 3, ...changed };
  await updateEvent(world.ctx, { ...own, revision, ...eventInput(world.ctx, input) });
}

async function enterAtTwoDoors(eventId: string, { id }: TestPerson): Promise<void> {
  const seats = await world.ctx.db.select().from(eventSeats).where(eq(eventSeats.eventId, eventId));
  const seat = seats.find(({ personId, status }) => personId === id && status === "taken");
  if (!seat) return;
  const door = { eventId, creatorId: ana.id, byId: ana.id, code: seat.code };
  const entered = await Promise.allSettled([checkIn(world.ctx, door), checkIn(world.ctx, door)]);
  expect(entered.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
}

async function undoOne(eventId: string): Promise<void> {
  const [entry] = await world.ctx.db
    .select({ entryId: eventEntries.id })
    .from(eventEntries)
    .where(and(eq(eventEntries.eventId, eventId), isNull(eventEntries.undoneAt)));
  if (entry) await undoCheckIn(world.ctx, { eventId, creatorId: ana.id, ...entry });
}

async function round(played: Played, acts: Act[], crashAt: number | null): Promise<void> {
  if (crashAt !== null) points.arm(crashAt);
  const outcomes = await Promise.allSettled(acts.map((one) => play(played, one)));
  const isDead = points.crashed();
  points.disarm();
  for (const one of outcomes)
    if (one.status === "rejected" && !isDead && !(one.reason instanceof Refusal)) throw one.reason;
}

/** Everything that runs comes to its end: payments expire, offers end, refunds are sent. */
async function settle(): Promise<void> {
  for (let runs = 0; runs < 4; runs += 1) {
    await world.advance(31 * MINUTE_MS);
    await world.drain();
    await world.tick();
  }
}

async function judge({ eventId }: Played): Promise<void> {
  const { db } = world.ctx;
  const { stored, summed, capacity } = await seatCounts(world.ctx, eventId);
  expect(stored).toEqual(summed);
  expect(stored.held).toBe(0);
  expect((stored.taken ?? 0) + (stored.offered ?? 0)).toBeLessThanOrEqual(capacity ?? 0);
  const kept = await expectEventMoneyInOnePlace(world.ctx, eventId);
  const unpaid = await db.all(
    sql`SELECT s.id FROM event_seats s JOIN events e ON e.id = s.event_id WHERE s.event_id = ${eventId} AND e.status = 'published' AND s.status = 'taken' AND s.checked_in_at IS NULL AND s.order_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM purchases p WHERE p.kind = 'event' AND p.target_id = s.order_id AND p.bought_at IS NOT NULL AND p.ended_at IS NULL)`,
  );
  expect(unpaid).toEqual([]);
  const untold = await db.all(
    sql`SELECT p.id FROM purchases p JOIN event_orders o ON o.id = p.target_id WHERE p.kind = 'event' AND p.bought_at IS NOT NULL AND o.event_id = ${eventId}
      AND (SELECT COUNT(*) FROM outbox told WHERE told.type = 'purchase.bought' AND json_extract(told.payload, '$.purchaseId') = p.id) <> 1`,
  );
  expect(untold).toEqual([]);
  const unapproved = await db.all(
    sql`SELECT r.person_id FROM event_requests r WHERE r.event_id = ${eventId} AND r.status <> 'waiting'
      AND NOT EXISTS (SELECT 1 FROM outbox told WHERE told.type = 'event.request_' || r.status AND json_extract(told.payload, '$.eventId') = r.event_id AND json_extract(told.payload, '$.personId') = r.person_id)`,
  );
  expect(unapproved).toEqual([]);
  await expectInvariantsToHold(world.ctx);
  if (kept.length === 0) return;
  // A card settles after 30 days.
  await world.advance(40 * DAY_MS);
  await world.tick();
  await expectReleased(world.ctx, kept);
  await expectEventMoneyInOnePlace(world.ctx, eventId);
}

test(
  "however people buy, pay late, cancel, wait and enter while the event changes and processes die, there are never more seats than the capacity, every real is in one place, and everybody is told once",
  async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        const played = await startEvent();
        for (const { acts, crashAt } of given) await round(played, acts, crashAt);
        await settle();
        await judge(played);
      }),
      { numRuns: RUNS, seed: asked.seed, endOnFailure: !asked.isCommand },
    );
  },
  60_000 + asked.events * MS_AN_EVENT_AT_MOST,
);
