import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { eventsBetween } from "#app/domain/events/queries/lists.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { seatCounts, sellingEvent } from "#tests/support/events.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { purchaseCheckoutInput } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { EventsResult } from "./events.ts";
import { sized } from "./size.ts";

const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...testEnv });
const BUYERS = sizedHere(1_000, 6);
const SEATS = sizedHere(100, 2);
const FEW = 100;
const MANY = sizedHere(100_000, 300);
const MONTH_LIMIT = 300;
const AT_ONCE = 10_000;

// The compared rows are written by hand.
allowBrokenInvariants();

test("events", async () => {
  const world = await testContext({ webhooks: false });
  const result: EventsResult = {
    buyers: BUYERS,
    seats: SEATS,
    coreto: await bought(world),
    bare: await takenByHand(),
    months: await months(world.ctx),
  };
  expect([result.coreto.sold, result.bare.sold]).toEqual([SEATS, SEATS]);
  console.log(`bench.events ${JSON.stringify(result)}`);
});

/** Everybody chooses a ticket and asks for its Pix at once; who holds a seat pays. */
async function bought(world: World): Promise<EventsResult["coreto"]> {
  const creator = await createSeller(world.ctx);
  const tickets = await sellingEvent(world.ctx, creator, { capacity: SEATS });
  const buyers: TestPerson[] = [];
  for (let at = 0; at < BUYERS; at += 1) buyers.push(await createPerson(world.ctx, "Bia"));
  const tap = recordDatabase(testEnv.DB);
  const ctx: Context = { ...world.ctx, db: openDatabase(tap.database) };
  const startedAt = performance.now();
  const answers = await Promise.allSettled(
    buyers.map(async (buyer) => {
      const choice = { ...tickets, personId: buyer.id, quantity: 1 };
      const { orderId } = await chooseTickets(ctx, choice);
      const checkout = purchaseCheckoutInput(buyer, orderId, { kind: "event" });
      return (await startPurchase(ctx, checkout)).chargeId;
    }),
  );
  const lastAnswerMs = performance.now() - startedAt;
  for (const one of answers) {
    if (one.status === "rejected" && !(one.reason instanceof Refusal)) throw one.reason;
    if (one.status === "fulfilled") await pay(world, one.value);
  }
  const sold = (await seatCounts(world.ctx, tickets.eventId)).stored.taken ?? 0;
  return { lastAnswerMs, rowsWritten: written(tap.trips), sold };
}

async function pay(world: World, chargeId: string): Promise<void> {
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  await payAtBank(world, { providerChargeId: charge.providerChargeId });
  await settleCharge(world.ctx, { chargeId });
}

/** As many bare batches at once: each takes a seat if one is left, and writes an order for it. */
async function takenByHand(): Promise<EventsResult["bare"]> {
  const { DB } = testEnv;
  for (const table of [
    "CREATE TABLE bare_events (id TEXT PRIMARY KEY, capacity INTEGER NOT NULL, taken INTEGER NOT NULL) STRICT",
    "CREATE TABLE bare_orders (id TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT",
    `INSERT INTO bare_events VALUES ('e', ${SEATS}, 0)`,
  ])
    await DB.prepare(table).run();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: BUYERS }, (_, at) =>
      DB.batch([
        DB.prepare(
          "INSERT INTO bare_orders SELECT ?, taken FROM bare_events WHERE taken < capacity",
        ).bind(`o${at}`),
        DB.prepare("UPDATE bare_events SET taken = taken + 1 WHERE taken < capacity"),
      ]),
    ),
  );
  const lastAnswerMs = performance.now() - startedAt;
  const rowsWritten = answers
    .flat()
    .reduce((sum, { meta }) => sum + ((meta.rows_written as number | undefined) ?? 0), 0);
  const row = await DB.prepare("SELECT taken FROM bare_events").first<{ taken: number }>();
  return { lastAnswerMs, rowsWritten, sold: row?.taken ?? 0 };
}

/**
 * The rows that a month reads of a member who follows one creator, and of everybody's, while ever
 * more events of others stand in other months.
 */
async function months(ctx: Context): Promise<EventsResult["months"]> {
  const [creator, other] = [await createSeller(ctx), await createSeller(ctx)];
  const fan = await createPerson(ctx, "Bia");
  await follow(ctx, { followerId: fan.id, creatorId: creator.id });
  const from = ctx.now() + 400 * DAY_MS;
  await fillEvents(ctx, creator.id, { first: 0, last: 30, startsAt: from });
  const found: EventsResult["months"] = [];
  for (const [first, last] of [
    [30, FEW],
    [FEW, MANY],
  ] as const) {
    await fillEvents(ctx, other.id, { first, last, startsAt: from + 60 * DAY_MS });
    const month = { from, to: from + 31 * DAY_MS, limit: MONTH_LIMIT };
    found.push({
      events: last,
      mine: await rowsOf(ctx, (on) =>
        eventsBetween(on, { ...month, scope: "mine", personId: fan.id }),
      ),
      explore: await rowsOf(ctx, (on) =>
        eventsBetween(on, { ...month, scope: "explore", personId: fan.id }),
      ),
    });
  }
  return found;
}

async function fillEvents(
  ctx: Context,
  creatorId: string,
  { first, last, startsAt }: { first: number; last: number; startsAt: number },
): Promise<void> {
  for (let from = first; from < last; from += AT_ONCE)
    await testEnv.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${Math.min(from + AT_ONCE, last)})
       INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, status, created_at)
       SELECT ?1 || printf('%08d', i), ?1, 'Roda', 'Praça', ?2 + (i % 30) * 86400000, ?2 + (i % 30) * 86400000 + 3600000, 'published', ?3 FROM n`,
    )
      .bind(creatorId, startsAt, ctx.now())
      .run();
}

async function rowsOf(ctx: Context, read: (on: Context) => Promise<unknown>): Promise<number> {
  const tap = recordDatabase(testEnv.DB);
  await read({ ...ctx, db: openDatabase(tap.database) });
  return tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
}

const written = (trips: ReturnType<typeof recordDatabase>["trips"]): number =>
  trips.flat().reduce((sum, one) => sum + one.rowsWritten, 0);
