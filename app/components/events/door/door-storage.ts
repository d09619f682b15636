import type { DoorEntry, DoorTicket, OwnEntry } from "#app/domain/events/door/rules.ts";
import { DOOR_CACHE, queueName } from "./forget-doors.ts";
import type { DoorOwner } from "./forget-doors.ts";

/** What a door knows of the server: its list, and the entries of all doors up to a revision. */
export type DoorSnapshot = {
  tickets: DoorTicket[];
  listedAt: number | null;
  entries: DoorEntry[];
  since: number;
  isEventCanceled: boolean;
  inside: number;
};

/** Queues that the browser refuses to store. They end with the page. */
const inMemory = new Map<string, OwnEntry[]>();

/** Reads the entries of this device. */
export function storedQueue(owner: DoorOwner): OwnEntry[] {
  const name = queueName(owner);
  const held = inMemory.get(name);
  if (held) return held;
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(entries) ? (entries as OwnEntry[]) : [];
  } catch {
    return [];
  }
}

/** Changes the entries of this device. Reads them anew, because another tab may have changed them. */
export function changeQueue(
  owner: DoorOwner,
  change: (entries: OwnEntry[]) => OwnEntry[],
): OwnEntry[] {
  const name = queueName(owner);
  const entries = change(storedQueue(owner));
  try {
    localStorage.setItem(name, JSON.stringify(entries));
    inMemory.delete(name);
  } catch {
    // Full or switched off.
    inMemory.set(name, entries);
  }
  return entries;
}

const snapshotUrl = ({ account, eventId }: DoorOwner): string =>
  `/events/${eventId}/door/list?account=${account}`;

/** Reads what the door knew last; null for a first visit. */
export async function storedSnapshot(owner: DoorOwner): Promise<DoorSnapshot | null> {
  try {
    const stored = await (await caches.open(DOOR_CACHE)).match(snapshotUrl(owner));
    return stored ? ((await stored.json()) as DoorSnapshot) : null;
  } catch {
    return null;
  }
}

/** Stores what the door knows. */
export async function storeSnapshot(owner: DoorOwner, snapshot: DoorSnapshot): Promise<void> {
  try {
    const cache = await caches.open(DOOR_CACHE);
    await cache.put(snapshotUrl(owner), Response.json(snapshot));
  } catch {
    // Full or switched off: the page holds it while it is open.
  }
}
