import { sha256Hex } from "#app/lib/digest.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A ticket as the device of a door stores it: its code only as a digest. */
export type DoorTicket = {
  seatId: string;
  digest: string;
  name: string;
  kindName: string | null;
  isCanceled: boolean;
};

/** A scan that let somebody in. */
export type DoorEntry = { id: string; seatId: string; at: Instant; isUndone: boolean };

/** What a scan is answered with. */
export type DoorAnswer =
  | { kind: "entered"; seatId: string; name: string; kindName: string | null; at: Instant }
  | { kind: "used"; name: string; at: Instant }
  | { kind: "canceled"; name: string }
  | { kind: "event_canceled" | "unknown" | "undone" };

/** What the server made of a queued entry. */
export type EntryState = "stored" | "canceled" | "event_canceled" | "unknown";

/** An entry of this device. It is queued until the server answers what became of it. */
export type OwnEntry = {
  id: string;
  /** Null for a scan that was taken back before its ticket was known. */
  seatId: string | null;
  name: string;
  kindName: string | null;
  at: Instant;
  isUndone: boolean;
  isQueued: boolean;
  /** Why the server did not store it; null otherwise. */
  problem: Exclude<EntryState, "stored"> | null;
};

/** The most entries in one request. */
export const ENTRIES_PER_SYNC = 25;

/** Entries that were answered stay on the device up to this number. */
const SHOWN_ENTRIES_MAX = 50;

/**
 * Decides about a ticket at `now` without network, by what the device knows: its list and the
 * entries of all doors at the last sync, its own included.
 */
export function decideOffline(
  {
    ticket,
    entries,
    isEventCanceled,
  }: { ticket: DoorTicket | null; entries: readonly DoorEntry[]; isEventCanceled: boolean },
  now: Instant,
): DoorAnswer {
  if (isEventCanceled) return { kind: "event_canceled" };
  if (!ticket) return { kind: "unknown" };
  const { seatId, name, kindName, isCanceled } = ticket;
  if (isCanceled) return { kind: "canceled", name };
  const entry = seatEntry(entries, seatId);
  if (entry) return { kind: "used", name, at: entry.at };
  return { kind: "entered", seatId, name, kindName, at: now };
}

/** Returns the entry of a seat: of the scans that are not undone, the earliest. */
export function seatEntry(entries: readonly DoorEntry[], seatId: string): DoorEntry | null {
  return livingEntries(entries, seatId)[0] ?? null;
}

const livingEntries = (entries: readonly DoorEntry[], seatId: string): DoorEntry[] =>
  entries
    .filter((entry) => entry.seatId === seatId && !entry.isUndone)
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));

/** Returns another scan that let in with the same ticket as `own`, or null. */
export function otherEntry(
  entries: readonly DoorEntry[],
  own: Pick<OwnEntry, "id" | "seatId" | "isUndone">,
): DoorEntry | null {
  if (own.seatId === null || own.isUndone) return null;
  return livingEntries(entries, own.seatId).find(({ id }) => id !== own.id) ?? null;
}

/** Returns `saved` with `changes`, one entry an id. An undone entry stays undone. */
export function mergeEntries(
  saved: readonly DoorEntry[],
  changes: readonly DoorEntry[],
): DoorEntry[] {
  const merged = new Map(saved.map((entry) => [entry.id, entry]));
  for (const change of changes) {
    const before = merged.get(change.id);
    merged.set(change.id, { ...change, isUndone: change.isUndone || before?.isUndone === true });
  }
  return [...merged.values()];
}

/**
 * Returns the entries of all doors as the device knows them, with those that it did not send yet.
 * The time of one that the server has is the server's.
 */
export function entriesWithOwn(saved: readonly DoorEntry[], own: readonly OwnEntry[]): DoorEntry[] {
  const unsent = own.flatMap(({ id, seatId, at, isUndone, problem }) =>
    seatId === null || problem !== null ? [] : [{ id, seatId, at, isUndone }],
  );
  return mergeEntries(unsent, saved);
}

/** Counts the tickets of a list that let somebody in: canceled ones stay in it, to be refused. */
export const validTickets = (tickets: readonly DoorTicket[]): number =>
  tickets.filter(({ isCanceled }) => !isCanceled).length;

/** Returns the list with the seats marked as canceled of which the server said so. */
export function withCanceled(
  tickets: readonly DoorTicket[],
  canceledSeatIds: ReadonlySet<string | null>,
): DoorTicket[] {
  return tickets.map((ticket) =>
    canceledSeatIds.has(ticket.seatId) ? { ...ticket, isCanceled: true } : ticket,
  );
}

/** Undoes one entry of the device. It is sent again, even if the server has it as entered. */
export const undoOwn = (own: readonly OwnEntry[], id: string): OwnEntry[] =>
  own.map((entry) => (entry.id === id ? { ...entry, isUndone: true, isQueued: true } : entry));

/**
 * Returns the device's entries after a sync. `sent` is what was sent: what was undone meanwhile
 * stays queued. Of those that were answered the latest stay, to be shown.
 */
export function afterSync(
  own: readonly OwnEntry[],
  sent: readonly Pick<OwnEntry, "id" | "isUndone">[],
  answers: readonly { id: string; state: EntryState }[],
): OwnEntry[] {
  const sentUndone = new Map(sent.map(({ id, isUndone }) => [id, isUndone]));
  const states = new Map(answers.map(({ id, state }) => [id, state]));
  const answered = own.map((entry): OwnEntry => {
    const state = states.get(entry.id);
    if (state === undefined || sentUndone.get(entry.id) !== entry.isUndone) return entry;
    return { ...entry, isQueued: false, problem: state === "stored" ? null : state };
  });
  const settled = answered.filter(({ isQueued }) => !isQueued).slice(0, -SHOWN_ENTRIES_MAX);
  const dropped = new Set(settled.map(({ id }) => id));
  return answered.filter(({ id }) => !dropped.has(id));
}

/** How far back the clock of a device is believed. */
const SCAN_AGE_MAX_MS = 14 * DAY_MS;

/** Returns when a queued scan was, by the clock of its device: not after `now`, and not long before. */
export const plausibleScanTime = (at: Instant, now: Instant): Instant =>
  Math.min(now, Math.max(at, now - SCAN_AGE_MAX_MS));

/** The camera's last reading: a code, and when it was seen. */
export type Reading = { code: string; at: number };

/** A ticket that stays before the camera is one ticket, until it was away for this long (ms). */
const SAME_CODE_MS = 4_000;

/** Returns whether a code that the camera sees at `at` is a new ticket. */
export const isNewReading = (last: Reading | null, { code, at }: Reading): boolean =>
  code !== "" && (last === null || last.code !== code || at - last.at >= SAME_CODE_MS);

/** Returns the digest of a ticket's code, as lists of doors have it (hexadecimal). */
export const codeDigest = (eventId: string, code: string): Promise<string> =>
  sha256Hex(`${eventId}:${code}`);
