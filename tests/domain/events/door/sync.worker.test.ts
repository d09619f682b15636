import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { syncDoor, undoCheckIn } from "#app/domain/events/door/commands.server.ts";
import { eraseEventsStatements, eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { doorList } from "#app/domain/events/door/queries.server.ts";
import {
  afterSync,
  codeDigest,
  decideOffline,
  entriesWithOwn,
  mergeEntries,
  otherEntry,
  seatEntry,
  undoOwn,
} from "#app/domain/events/door/rules.ts";
import type { DoorEntry, DoorTicket, OwnEntry } from "#app/domain/events/door/rules.ts";
import { eventEntries, eventSeats } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

type Sync = Pick<Parameters<typeof syncDoor>[1], "ask" | "entries" | "since">;
type Ticket = DoorTicket & { code: string; personId: string };

/** An event with tickets of two guests. */
async function openDoor() {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana);
  const own = { eventId, creatorId: ana.id };
  const guests = await Promise.all(["Bia", "Caio"].map((name) => createPerson(ctx, name)));
  const codes = new Map<string, { code: string; personId: string }>();
  for (const { id } of guests) {
    await takeSeats(ctx, { eventId, personId: id, quantity: 1 });
    for (const { code } of await ticketsOf(ctx, { eventId, personId: id }))
      codes.set(await codeDigest(eventId, code), { code, personId: id });
  }
  const { tickets } = await doorList(ctx, { ...own, after: null, limit: 100 });
  const listed = tickets.map((ticket): Ticket => {
    const known = codes.get(ticket.digest);
    if (!known) throw new Error("no such ticket");
    return { ...ticket, ...known };
  });
  return { own, tickets: listed };
}

type Network = "up" | "answer lost" | "down";

/** The device of a door, with the rules that the page uses. */
function device(own: { eventId: string; creatorId: string }, log: Sync[]) {
  let entries: OwnEntry[] = [];
  let known: DoorEntry[] = [];
  let since = 0;
  let isEventCanceled = false;
  let count = 0;
  const name = crypto.randomUUID().slice(0, 18);
  const exchange = async (ask: Sync["ask"], network: Network) => {
    const sent = entries.filter(({ isQueued }) => isQueued);
    const asked: Sync = { ask, since, entries: sent };
    if (network === "down") return null;
    log.push(asked);
    const answer = await syncDoor(world.ctx, { ...own, byId: ana.id, ...asked });
    if (network === "answer lost") return null;
    entries = afterSync(entries, sent, answer.states);
    known = mergeEntries(known, answer.changes);
    ({ since, isEventCanceled } = answer);
    return answer.answer;
  };
  return {
    own: () => entries,
    all: () => entriesWithOwn(known, entries),
    exchange,
    async scan(ticket: Ticket, network: Network) {
      count += 1;
      const id = `${name}-${count.toString(16)}-`;
      const asked = await exchange({ id, code: ticket.code }, network);
      const answer =
        asked ??
        decideOffline(
          { ticket, entries: entriesWithOwn(known, entries), isEventCanceled },
          world.ctx.now(),
        );
      const entry = { id, seatId: ticket.seatId, name: ticket.name, kindName: null, problem: null };
      const isLost = network === "answer lost";
      if (isLost) entries = [...entries, { ...entry, at: 0, isUndone: true, isQueued: true }];
      if (answer.kind === "entered")
        entries = [
          ...entries,
          {
            ...entry,
            id: isLost ? `${id}0` : id,
            at: answer.at,
            isUndone: false,
            isQueued: asked === null,
          },
        ];
      return answer.kind;
    },
    undo(index: number) {
      const id = entries[index % Math.max(1, entries.length)]?.id;
      if (id) entries = undoOwn(entries, id);
    },
  };
}

const seatRow = async (seatId: string) =>
  (await world.ctx.db.select().from(eventSeats).where(eq(eventSeats.id, seatId)))[0];

const network = fc.constantFrom<Network>("up", "answer lost", "down");
const door = fc.nat({ max: 1 });
const act = fc.oneof(
  fc.record({ act: fc.constant("scan" as const), door, ticket: fc.nat({ max: 1 }), network }),
  fc.record({ act: fc.constant("sync" as const), door, network }),
  fc.record({ act: fc.constant("undo" as const), door, index: fc.nat({ max: 9 }) }),
  fc.record({ act: fc.constant("repeat" as const), index: fc.nat({ max: 9 }) }),
);

test("two doors, whatever is scanned, sent, lost or sent again: each ticket is in once, and no entry is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), async (acts) => {
      const log: Sync[] = [];
      const { own, tickets } = await openDoor();
      const doors = [device(own, log), device(own, log)] as const;
      for (const one of acts) {
        await world.advance(1_000);
        const at = "door" in one ? doors[one.door === 0 ? 0 : 1] : doors[0];
        if (one.act === "scan") await at.scan(tickets[one.ticket] ?? fail(), one.network);
        if (one.act === "sync") await at.exchange(null, one.network);
        if (one.act === "undo") at.undo(one.index);
        const again = one.act === "repeat" ? log[one.index % Math.max(1, log.length)] : undefined;
        if (again) await syncDoor(world.ctx, { ...own, byId: ana.id, ...again });
      }
      for (const at of [...doors, ...doors]) await at.exchange(null, "up");
      for (const again of log) await syncDoor(world.ctx, { ...own, byId: ana.id, ...again });
      for (const { seatId } of tickets) await expectOneEntry(seatId, doors);
    }),
    { numRuns: 20 },
  );
}, 120_000);

function fail(): never {
  throw new Error("no such ticket");
}

type Device = ReturnType<typeof device>;

/** The seat has the earliest entry of its doors, and each door knows of the other's. */
async function expectOneEntry(seatId: string, doors: readonly Device[]): Promise<void> {
  const living = doors.map((at) =>
    at.own().filter((entry) => entry.seatId === seatId && !entry.isUndone),
  );
  const count = living.flat().length;
  const stored = (await seatRow(seatId))?.checkedInAt ?? null;
  expect(stored !== null).toBe(count > 0);
  for (const at of doors) expect(seatEntry(at.all(), seatId)?.at ?? null).toBe(stored);
  for (const [index, entries] of living.entries()) {
    for (const entry of entries) {
      expect(entry).toMatchObject({ isQueued: false, problem: null });
      const isDouble = count > 1;
      expect(otherEntry(doors[index]?.all() ?? [], entry) !== null).toBe(isDouble);
    }
  }
}

test("a ticket that came in through two doors offline counts once, and both doors learn of it", async () => {
  const { own, tickets } = await openDoor();
  const [ticket = fail()] = tickets;
  const [front, back] = [device(own, []), device(own, [])];
  expect(await front.scan(ticket, "down")).toBe("entered");
  await world.advance(180_000);
  expect(await back.scan(ticket, "down")).toBe("entered");
  const [first, later] = [front.own()[0]?.at, back.own()[0]?.at];
  // The later entry arrives first, and still the seat has the earlier one in the end.
  for (const at of [back, front, back]) await at.exchange(null, "up");
  expect((await seatRow(ticket.seatId))?.checkedInAt).toBe(first);
  const [mine] = front.own();
  expect(mine && otherEntry(front.all(), mine)?.at).toBe(later);
  const [theirs] = back.own();
  expect(theirs && otherEntry(back.all(), theirs)?.at).toBe(first);
  // Undone at the front door, the person is still inside through the back door.
  front.undo(0);
  await front.exchange(null, "up");
  expect((await seatRow(ticket.seatId))?.checkedInAt).toBe(later);
  expect(await front.scan(ticket, "up")).toBe("used");
});

test("a stale undo clears no entry of another door", async () => {
  const { own, tickets } = await openDoor();
  const [ticket = fail()] = tickets;
  const [front, back] = [device(own, []), device(own, [])];
  await front.scan(ticket, "up");
  front.undo(0);
  await undoCheckIn(world.ctx, { ...own, entryId: front.own()[0]?.id ?? "" });
  expect(await back.scan(ticket, "up")).toBe("entered");
  await front.exchange(null, "up");
  expect((await seatRow(ticket.seatId))?.checkedInAt).not.toBeNull();
});

test("a seat canceled meanwhile is reported to the door that let in without network", async () => {
  const { own, tickets } = await openDoor();
  const [one = fail(), other = fail()] = tickets;
  const front = device(own, []);
  await front.scan(one, "down");
  await cancelSeats(world.ctx, { eventId: own.eventId, personId: one.personId });
  await front.exchange(null, "up");
  expect(front.own()).toMatchObject([{ isQueued: false, problem: "canceled" }]);
  await front.scan(other, "down");
  await cancelEvent(world.ctx, own);
  await front.exchange(null, "up");
  expect(front.own()[1]).toMatchObject({ isQueued: false, problem: "event_canceled" });
  expect(await front.scan(other, "up")).toBe("event_canceled");
  expect(await front.scan(other, "down")).toBe("event_canceled");
});

test("the list has digests, no code, and only for the creator", async () => {
  const { own, tickets } = await openDoor();
  const list = await doorList(world.ctx, { ...own, after: null, limit: 1 });
  expect(list).toMatchObject({ isEventCanceled: false, next: tickets[0]?.seatId });
  expect(JSON.stringify(list)).not.toContain(tickets[0]?.code);
  const rest = await doorList(world.ctx, { ...own, after: list.next, limit: 1 });
  expect(rest.tickets.map(({ seatId }) => seatId)).toEqual([tickets[1]?.seatId]);
  expect(rest.next).toBeNull();
  const stranger = await createSeller(world.ctx);
  const theirs = { ...own, creatorId: stranger.id };
  expect((await doorList(world.ctx, { ...theirs, after: null, limit: 9 })).tickets).toEqual([]);
  await expect(
    syncDoor(world.ctx, { ...theirs, byId: stranger.id, ask: null, entries: [], since: 0 }),
  ).rejects.toThrow("Não encontramos este evento.");
});

test("an erased person leaves no entry, and no trace at a door where they let in", async () => {
  const { ctx } = world;
  const { own, tickets } = await openDoor();
  const [one = fail(), other = fail()] = tickets;
  const helper = await createPerson(ctx, "Davi");
  const entries = [one, other].map(({ seatId }, index) => ({
    id: `${own.eventId.slice(0, 20)}-${index}`,
    seatId,
    at: ctx.now(),
    isUndone: false,
  }));
  await syncDoor(ctx, { ...own, byId: helper.id, ask: null, entries, since: 0 });
  const left = async () =>
    await ctx.db.select().from(eventEntries).where(eq(eventEntries.eventId, own.eventId));
  expect((await left()).map(({ scannedBy }) => scannedBy)).toEqual([helper.id, helper.id]);
  while ((await eraseSeats(ctx, { personId: helper.id, limit: 1 })) > 0);
  expect((await left()).map(({ scannedBy }) => scannedBy)).toEqual([null, null]);
  expect((await seatRow(one.seatId))?.checkedInBy).toBeNull();
  while ((await eraseSeats(ctx, { personId: one.personId, limit: 1 })) > 0);
  expect((await left()).map(({ seatId }) => seatId)).toEqual([other.seatId]);
  await commit(ctx.db, eraseEventsStatements(ctx, { personId: ana.id }));
  expect(await left()).toEqual([]);
});
