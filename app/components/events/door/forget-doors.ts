/** Before the names of the queues of doors in the browser's storage. */
const QUEUE_NAME = "coreto-door:";

/** The cache with the lists of doors. The service worker deletes it at a sign-out too. */
export const DOOR_CACHE = "coreto-door";

/** Whose door: of an event, opened by an account. */
export type DoorOwner = { account: string; eventId: string };

/** The name of a door's queue in the browser's storage. */
export const queueName = ({ account, eventId }: DoorOwner): string =>
  `${QUEUE_NAME}${account}:${eventId}`;

/**
 * Deletes the lists that doors of other accounts left in this browser; without an account, all
 * lists and queues. Another account's queue waits until that account opens the door again.
 */
export function forgetDoors(except: string | null = null): void {
  if (except === null) for (const name of queueNames()) localStorage.removeItem(name);
  if ("caches" in globalThis) void forgetLists(except);
}

async function forgetLists(except: string | null): Promise<void> {
  if (except === null) return void (await caches.delete(DOOR_CACHE));
  const cache = await caches.open(DOOR_CACHE);
  for (const request of await cache.keys())
    if (new URL(request.url).searchParams.get("account") !== except) await cache.delete(request);
}

/** Counts the entries that this browser did not send yet. */
export function waitingEntries(): number {
  return queueNames().reduce((sum, name) => sum + queuedCount(localStorage.getItem(name)), 0);
}

/** 0 for what this version did not write. */
function queuedCount(text: string | null): number {
  try {
    const entries: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(entries) ? entries.filter(isQueued).length : 0;
  } catch {
    return 0;
  }
}

const isQueued = (entry: unknown): boolean =>
  typeof entry === "object" && entry !== null && "isQueued" in entry && entry.isQueued === true;

function queueNames(): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(QUEUE_NAME));
  } catch {
    // Storage is switched off.
    return [];
  }
}
