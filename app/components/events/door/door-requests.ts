import { ENTRIES_PER_SYNC } from "#app/domain/events/door/rules.ts";
import type { DoorTicket, OwnEntry } from "#app/domain/events/door/rules.ts";
import type { DoorList, DoorSync } from "#app/domain/events/door/schema.ts";
import { readShape } from "#app/lib/json-shape.ts";

/** A scan waits this long for the server; then the device decides (milliseconds). */
const ANSWER_WAIT_MS = 5_000;

const SIGNED_OUT =
  "A sua sessão acabou. Entre de novo em outra aba; as entradas deste aparelho esperam aqui.";

export type DoorPlace = { account: string; space: string; eventId: string };

/**
 * `answer` is null without network. `problem` says why the server refuses; `isRefused`: nobody may
 * be let in here any more, such as by who left the team.
 */
type SyncResult = { answer: DoorSync | null; problem: string | null; isRefused?: boolean };

/** The entries that the next sync sends. */
export const nextToSend = (queue: readonly OwnEntry[]): OwnEntry[] =>
  queue.filter(({ isQueued }) => isQueued).slice(0, ENTRIES_PER_SYNC);

/** Sends queued entries, and perhaps a scan that asks. */
export async function postSync(
  { account, space, eventId }: DoorPlace,
  {
    ask,
    entries,
    since,
  }: { ask: { id: string; code: string } | null; entries: readonly OwnEntry[]; since: number },
): Promise<SyncResult> {
  try {
    const answer = await fetch(`/events/${eventId}/door/sync`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
      body: JSON.stringify({
        account,
        space,
        ask,
        since,
        entries: entries.map(({ id, seatId, at, isUndone }) => ({ id, seatId, at, isUndone })),
      }),
    });
    if (answer.redirected || answer.status === 401) return { answer: null, problem: SIGNED_OUT };
    // A failure of the server, or of something on the way to it, is like no network.
    if (answer.status >= 500) return { answer: null, problem: null };
    if (answer.ok) return { answer: (await answer.json()) as DoorSync, problem: null };
    const isRefused = answer.status === 403 || answer.status === 404;
    return {
      answer: null,
      isRefused,
      problem: readShape(await answer.json(), { error: "string" }).error,
    };
  } catch {
    return { answer: null, problem: null };
  }
}

/** Loads the whole list of the door; null without network. */
export async function loadList(
  eventId: string,
): Promise<{ tickets: DoorTicket[]; isEventCanceled: boolean } | null> {
  const tickets: DoorTicket[] = [];
  let after = "";
  for (;;) {
    try {
      const answer = await fetch(`/events/${eventId}/door/list${after}`);
      if (!answer.ok || answer.redirected) return null;
      const page = (await answer.json()) as DoorList;
      tickets.push(...page.tickets);
      if (page.next === null) return { tickets, isEventCanceled: page.isEventCanceled };
      after = `?after=${page.next}`;
    } catch {
      return null;
    }
  }
}
