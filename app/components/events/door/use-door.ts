import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { parseTicketCode } from "#app/domain/events/rules.ts";
import {
  afterSync,
  codeDigest,
  decideOffline,
  entriesWithOwn,
  mergeEntries,
  undoOwn,
  withCanceled,
} from "#app/domain/events/door/rules.ts";
import type { DoorAnswer, OwnEntry } from "#app/domain/events/door/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { loadList, nextToSend, postSync } from "./door-requests.ts";
import type { DoorPlace } from "./door-requests.ts";
import { changeQueue, storedQueue, storedSnapshot, storeSnapshot } from "./door-storage.ts";
import type { DoorSnapshot } from "./door-storage.ts";
import { forgetDoors } from "./forget-doors.ts";

/** Other doors are heard of this often, and what waits is sent (milliseconds). */
const SYNC_EVERY_MS = 10_000;
const LIST_EVERY_MS = 60_000;

const NOTHING_KNOWN: DoorSnapshot = {
  tickets: [],
  listedAt: null,
  entries: [],
  since: 0,
  isEventCanceled: false,
  inside: 0,
};

/** What the last scan was answered with. */
type Scanned = { id: string; answer: DoorAnswer; at: Instant; isOffline: boolean };

export type DoorDevice = {
  snapshot: DoorSnapshot;
  /** The entries of this device, the oldest first. */
  own: OwnEntry[];
  /** When the device last heard of the server. */
  now: Instant;
  scanned: Scanned | null;
  isBusy: boolean;
  isOffline: boolean;
  /** Why the server refuses this door; null otherwise. */
  problem: string | null;
  /** Returns whether the person entered. */
  scan(code: string): Promise<boolean>;
  undo(entryId: string): void;
};

/**
 * The door of an event on this device. A scan is answered by the server, and without network by the
 * stored list. Entries wait in the browser's storage until the server has them.
 */
export function useDoor(place: DoorPlace): DoorDevice {
  const link = useDoorLink(place);
  const flush = useDoorSync(link);
  const { owner, exchange, isRefused, doorState, setOwn } = link;
  const [scanned, setScanned] = useState<Scanned | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const record = useCallback(
    (entry: OwnEntry) => setOwn(changeQueue(owner, (own) => [...own, entry])),
    [owner, setOwn],
  );
  const scan = useCallback(
    async (typed: string) => {
      setIsBusy(true);
      const id = crypto.randomUUID();
      const isTried = navigator.onLine;
      const asked = isTried ? await exchange({ id, code: typed }) : null;
      if (isRefused()) {
        setIsBusy(false);
        return false;
      }
      const at = Date.now();
      const decided = asked ?? (await decidedHere(owner.eventId, typed, doorState(), at));
      const { answer, seatId } = decided;
      // The answer got lost: whatever the server decided, this device decides now.
      const isLost = asked === null && isTried;
      const entryId = isLost ? crypto.randomUUID() : id;
      if (isLost) record({ ...withdrawn(seatId), id, at, isQueued: true });
      if (answer.kind === "entered")
        record({ ...entryOf(answer), id: entryId, at: answer.at, isQueued: asked === null });
      setScanned({ id: entryId, answer, at, isOffline: asked === null });
      setIsBusy(false);
      void flush();
      return answer.kind === "entered";
    },
    [owner, exchange, isRefused, doorState, record, flush],
  );
  const undo = useCallback(
    (entryId: string) => {
      setOwn(changeQueue(owner, (own) => undoOwn(own, entryId)));
      void flush();
    },
    [owner, setOwn, flush],
  );
  const { snapshot, own, now, isOffline, problem } = link;
  return { snapshot, own, now, scanned, isBusy, isOffline, problem, scan, undo };
}

const entryOf = ({ seatId, name, kindName }: Extract<DoorAnswer, { kind: "entered" }>) => ({
  seatId,
  name,
  kindName,
  isUndone: false,
  problem: null,
});

const withdrawn = (seatId: string | null) => ({
  seatId,
  name: "",
  kindName: null,
  isUndone: true,
  problem: null,
});

type DoorState = { snapshot: DoorSnapshot; own: OwnEntry[] };

/** Decides by what the device stored. */
async function decidedHere(eventId: string, typed: string, doorState: DoorState, now: Instant) {
  const code = parseTicketCode(typed);
  const digest = code === null ? null : await codeDigest(eventId, code);
  const ticket = doorState.snapshot.tickets.find((one) => one.digest === digest) ?? null;
  const entries = entriesWithOwn(doorState.snapshot.entries, doorState.own);
  const { isEventCanceled } = doorState.snapshot;
  return {
    answer: decideOffline({ ticket, entries, isEventCanceled }, now),
    seatId: ticket?.seatId ?? null,
  };
}

/** Keeps the device's copy of the door and the server alike. */
function useDoorLink({ account, space, eventId }: DoorPlace) {
  const owner = useMemo(() => ({ account, eventId }), [account, eventId]);
  const [snapshot, setSnapshot] = useState(NOTHING_KNOWN);
  const [own, setOwn] = useState(() => storedQueue(owner));
  const [now, setNow] = useState(() => Date.now());
  const [isOffline, setIsOffline] = useState(() => !navigator.onLine);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(NOTHING_KNOWN);
  const refused = useRef(false);
  const isRefused = useCallback(() => refused.current, []);
  const doorState = useCallback(
    (): DoorState => ({ snapshot: latest.current, own: storedQueue(owner) }),
    [owner],
  );
  const learn = useCallback(
    (change: Partial<DoorSnapshot>) => {
      latest.current = { ...latest.current, ...change };
      setSnapshot(latest.current);
      void storeSnapshot(owner, latest.current);
    },
    [owner],
  );

  /** One request; returns the answer to the scan that asks, or null without network. */
  const exchange = useCallback(
    async (ask: { id: string; code: string } | null) => {
      const entries = nextToSend(storedQueue(owner));
      const { since } = latest.current;
      const sent = await postSync({ account, space, eventId }, { ask, entries, since });
      setNow(Date.now());
      setProblem(sent.problem);
      refused.current = sent.isRefused === true;
      setIsOffline(sent.answer === null && sent.problem === null);
      if (!sent.answer) return null;
      const { answer, states, changes, ...synced } = sent.answer;
      setOwn(changeQueue(owner, (stored) => afterSync(stored, entries, states)));
      const unstored = new Set(states.flatMap(({ id, state }) => (state === "stored" ? [] : [id])));
      const canceled = new Set(
        entries.flatMap(({ id, seatId }) => (unstored.has(id) ? [seatId] : [])),
      );
      const { tickets } = latest.current;
      learn({
        tickets: canceled.size > 0 ? withCanceled(tickets, canceled) : tickets,
        entries: mergeEntries(latest.current.entries, changes),
        since: synced.since,
        isEventCanceled: synced.isEventCanceled,
        inside: synced.inside,
      });
      return {
        answer: answer ?? { kind: "unknown" as const },
        seatId: null,
        isMore: !synced.isComplete || nextToSend(storedQueue(owner)).length > 0,
      };
    },
    [owner, account, space, eventId, learn],
  );

  return {
    owner,
    snapshot,
    isRefused,
    own,
    now,
    isOffline,
    problem,
    doorState,
    learn,
    exchange,
    setOwn,
    setIsOffline,
  };
}

type DoorLink = ReturnType<typeof useDoorLink>;

/**
 * Sends what waits and asks for news: at the start, every 10 s, and when the network is back. Reads
 * the list of tickets again at the start, each minute, and when the network is back.
 */
function useDoorSync({ owner, learn, exchange, setIsOffline }: DoorLink): () => Promise<void> {
  const { account, eventId } = owner;
  const running = useRef<Promise<void> | null>(null);
  const flush = useCallback((): Promise<void> => {
    running.current ??= (async () => {
      while (navigator.onLine && (await exchange(null))?.isMore === true);
    })().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [exchange]);

  const refresh = useCallback(async () => {
    if (!navigator.onLine) return;
    await flush();
    const list = await loadList(eventId);
    if (list) learn({ ...list, listedAt: Date.now() });
  }, [eventId, flush, learn]);

  useEffect(() => {
    forgetDoors(account);
    let isGone = false;
    void storedSnapshot(owner).then(async (stored) => {
      if (isGone) return;
      if (stored) learn(stored);
      await refresh();
    });
    const timer = setInterval(() => void flush(), SYNC_EVERY_MS);
    // Tickets that were sold, passed on or canceled since.
    const listTimer = setInterval(() => void refresh(), LIST_EVERY_MS);
    const goOffline = () => setIsOffline(true);
    const comeBack = () => void refresh();
    window.addEventListener("online", comeBack);
    window.addEventListener("offline", goOffline);
    return () => {
      isGone = true;
      clearInterval(timer);
      clearInterval(listTimer);
      window.removeEventListener("online", comeBack);
      window.removeEventListener("offline", goOffline);
    };
  }, [owner, account, flush, learn, refresh, setIsOffline]);
  return flush;
}
