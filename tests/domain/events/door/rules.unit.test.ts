import { expect, test } from "vitest";
import {
  afterSync,
  decideOffline,
  isNewReading,
  mergeEntries,
  otherEntry,
  plausibleScanTime,
  seatEntry,
  undoOwn,
  validTickets,
  withCanceled,
} from "#app/domain/events/door/rules.ts";
import type { DoorEntry, DoorTicket, OwnEntry } from "#app/domain/events/door/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";

const ticket: DoorTicket = {
  seatId: "s1",
  digest: "d1",
  name: "Bia",
  kindName: "Meia",
  isCanceled: false,
};
const entry = (id: string, at: number, rest: Partial<DoorEntry> = {}): DoorEntry => ({
  id,
  seatId: "s1",
  at,
  isUndone: false,
  ...rest,
});
const own = (id: string, rest: Partial<OwnEntry> = {}): OwnEntry => ({
  ...entry(id, 1),
  name: "Bia",
  kindName: null,
  isQueued: true,
  problem: null,
  ...rest,
});
const known = { ticket, entries: [] as DoorEntry[], isEventCanceled: false };

test.each([
  [
    "a ticket of the list",
    known,
    { kind: "entered", seatId: "s1", name: "Bia", kindName: "Meia", at: 9 },
  ],
  ["a code outside the list", { ...known, ticket: null }, { kind: "unknown" }],
  [
    "a canceled seat",
    { ...known, ticket: { ...ticket, isCanceled: true } },
    { kind: "canceled", name: "Bia" },
  ],
  [
    "who is in already",
    { ...known, entries: [entry("a", 5)] },
    { kind: "used", name: "Bia", at: 5 },
  ],
  [
    "who was undone",
    { ...known, entries: [entry("a", 5, { isUndone: true })] },
    { kind: "entered", seatId: "s1", name: "Bia", kindName: "Meia", at: 9 },
  ],
  ["a canceled event", { ...known, isEventCanceled: true }, { kind: "event_canceled" }],
])("without network the device decides about %s", (_, given, answer) => {
  expect(decideOffline(given, 9)).toEqual(answer);
});

test("the entry of a seat is its earliest, and the other door's is never the own", () => {
  const entries = [entry("b", 7), entry("a", 5), entry("c", 1, { isUndone: true })];
  expect(seatEntry(entries, "s1")?.id).toBe("a");
  expect(seatEntry(entries, "s2")).toBeNull();
  expect(otherEntry(entries, own("a"))?.id).toBe("b");
  expect(otherEntry(entries, own("b"))?.id).toBe("a");
  expect(otherEntry(entries, own("a", { isUndone: true }))).toBeNull();
  expect(otherEntry([entry("a", 5)], own("a"))).toBeNull();
});

test("a seat that the server called canceled is refused without network too", () => {
  const [marked] = withCanceled([ticket], new Set(["s1"]));
  expect(decideOffline({ ...known, ticket: marked ?? null }, 9)).toEqual({
    kind: "canceled",
    name: "Bia",
  });
  expect(withCanceled([ticket], new Set(["s2"]))).toEqual([ticket]);
});

test("an entry that was undone stays undone, whatever arrives late", () => {
  const undone = entry("a", 5, { isUndone: true });
  expect(mergeEntries([undone], [entry("a", 5)])).toEqual([undone]);
  expect(mergeEntries([entry("a", 5)], [undone])).toEqual([undone]);
});

test("what was undone while its sync ran is sent again", () => {
  const sent = [own("a")];
  const undone = undoOwn(sent, "a");
  const answers = [{ id: "a", state: "stored" as const }];
  expect(afterSync(undone, sent, answers)).toEqual(undone);
  expect(afterSync(undone, undone, answers)[0]).toMatchObject({ isQueued: false, isUndone: true });
});

test("a device forgets old answered entries, and never one that waits", () => {
  const waiting = own("first");
  const many = [
    waiting,
    ...Array.from({ length: 80 }, (_, at) => own(`e${at}`, { isQueued: false })),
  ];
  const left = afterSync(many, [], []);
  expect(left).toHaveLength(51);
  expect(left[0]).toEqual(waiting);
  expect(left.at(-1)?.id).toBe("e79");
});

test("a code that stays before the camera is read once", () => {
  expect(isNewReading(null, { code: "A", at: 0 })).toBe(true);
  expect(isNewReading({ code: "A", at: 0 }, { code: "A", at: 250 })).toBe(false);
  expect(isNewReading({ code: "A", at: 0 }, { code: "B", at: 250 })).toBe(true);
  expect(isNewReading({ code: "A", at: 0 }, { code: "A", at: 4_000 })).toBe(true);
  expect(isNewReading(null, { code: "", at: 0 })).toBe(false);
});

test("the clock of a device is believed within two weeks, and never ahead", () => {
  const now = 100 * DAY_MS;
  expect(plausibleScanTime(now + 1, now)).toBe(now);
  expect(plausibleScanTime(now - DAY_MS, now)).toBe(now - DAY_MS);
  expect(plausibleScanTime(0, now)).toBe(now - 14 * DAY_MS);
});

test("a list says how many tickets let somebody in, without those that were canceled", () => {
  const tickets = [ticket, { ...ticket, seatId: "s2" }, { ...ticket, seatId: "s3" }];
  expect(validTickets(withCanceled(tickets, new Set(["s2"])))).toBe(2);
});
