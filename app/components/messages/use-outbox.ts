import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readShape } from "#app/lib/json-shape.ts";
import type { StoredMessage } from "./forget-outboxes.ts";
import { changeStored, storedMessages } from "./outbox-storage.ts";
import type { OutboxOwner } from "./outbox-storage.ts";

/** A message that this browser sends: it is shown before the server has it. */
export type PendingMessage = StoredMessage & {
  /** `sent` is stored, and shown like `sending` until the page has read it. */
  state: "sending" | "sent" | "failed";
};

export type Outbox = {
  pending: PendingMessage[];
  send(message: Omit<StoredMessage, "problem">): void;
  retry(clientMessageId: string): void;
  discard(clientMessageId: string): void;
  /** The page shows these from now on by itself. */
  release(clientMessageIds: readonly string[]): void;
};

/** Without a connection the outbox tries again this often, and when the browser says it is back. */
const RETRY_MS = 15_000;
/** So often the server may fail at a message before the ones after it go on. */
const FAILURES_MAX = 5;

/** Where a message of a conversation is sent. */
const conversationSendPath = (conversationId: string): string => `/messages/${conversationId}/send`;

/**
 * Sends the account's messages one after the other, in their order, also those that were written
 * before a reload. Without a connection everything waits. What the server refuses, or fails at five
 * times in a row, is passed over, and stays until the person tries it again or discards it: the
 * order is that of the messages that go. One tab sends at a time, and a message that is sent twice
 * is stored once by its `clientMessageId`. Another account of the browser has its own outbox, which
 * waits for it. `sendPath` must be the same function each time.
 */
export function useOutbox(owner: OutboxOwner, sendPath = conversationSendPath): Outbox {
  const { account, space } = owner;
  const own = useMemo(() => ({ account, space }), [account, space]);
  const [waiting, setWaiting] = useState<StoredMessage[]>([]);
  const [sent, setSent] = useState<StoredMessage[]>([]);
  const [stop, setStop] = useState<Stop | null>(null);
  const isBusy = useRef(false);

  const flush = useCallback(async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    await oneTabAtATime(own, async () => {
      const onSent = (one: StoredMessage) => setSent((before) => [...before, one]);
      const onChange = () => setWaiting(storedMessages(own));
      setStop(await sendAll(own, sendPath, { onSent, onChange, onProgress: () => setStop(null) }));
    });
    isBusy.current = false;
  }, [own, sendPath]);

  useEffect(() => {
    const tryAgain = () => void flush();
    tryAgain();
    const timer = setInterval(tryAgain, RETRY_MS);
    for (const event of ["online", "storage"]) window.addEventListener(event, tryAgain);
    return () => {
      clearInterval(timer);
      for (const event of ["online", "storage"]) window.removeEventListener(event, tryAgain);
    };
  }, [own, flush]);

  const change = useCallback(
    (by: (messages: StoredMessage[]) => StoredMessage[]) => {
      changeStored(own, by);
      setWaiting(storedMessages(own));
      void flush();
    },
    [own, flush],
  );
  const send: Outbox["send"] = useCallback(
    (message) => change((messages) => [...messages, { ...message, problem: null }]),
    [change],
  );
  const retry = useCallback(
    (id: string) =>
      change((messages) =>
        messages.map(({ failures, ...one }) =>
          one.clientMessageId === id
            ? { ...one, problem: null }
            : { ...one, ...(failures && { failures }) },
        ),
      ),
    [change],
  );
  const discard = useCallback(
    (id: string) => change((messages) => messages.filter((one) => one.clientMessageId !== id)),
    [change],
  );
  const release = useCallback((ids: readonly string[]) => {
    setSent((before) => before.filter((one) => !ids.includes(one.clientMessageId)));
  }, []);
  const pending = useMemo(() => shownOf(sent, waiting, stop), [sent, waiting, stop]);
  return { pending, send, retry, discard, release };
}

type Progress = {
  onChange(): void;
  /** The server answered. */
  onProgress(): void;
  onSent(message: StoredMessage): void;
};

/** Sends what waits, in order. Returns why it stopped; null when nothing waits any more. */
async function sendAll(
  own: OutboxOwner,
  sendPath: (conversationId: string) => string,
  { onChange, onProgress, onSent }: Progress,
): Promise<Stop | null> {
  for (;;) {
    onChange();
    const next = storedMessages(own).find(({ problem }) => problem === null);
    if (!next) return null;
    if (failedJustNow(next)) return { problem: null };
    const answer = await sendOne(own, next, sendPath(next.conversationId));
    // It stays until something is answered: a retry alone changes nothing that is shown.
    if (answer.state === "stopped") return answer;
    if (answer.state === "failed") {
      if (countFailure(own, next) < FAILURES_MAX) return { problem: null };
      changeOne(own, next, { problem: FAILED });
      continue;
    }
    onProgress();
    changeOne(own, next, answer.problem === null ? null : { problem: answer.problem });
    if (answer.problem === null) onSent(next);
  }
}

function shownOf(
  sent: StoredMessage[],
  waiting: StoredMessage[],
  stop: Stop | null,
): PendingMessage[] {
  return [
    ...sent.map((one) => ({ ...one, state: "sent" as const })),
    ...waiting.map((one) => ({
      ...one,
      problem: one.problem ?? stop?.problem ?? null,
      state: stop || one.problem !== null ? ("failed" as const) : ("sending" as const),
    })),
  ];
}

/** Changes one message; removes it with null. */
function changeOne(
  owner: OutboxOwner,
  { clientMessageId }: StoredMessage,
  to: Partial<Pick<StoredMessage, "problem" | "failures">> | null,
): void {
  changeStored(owner, (messages) =>
    messages.flatMap((one) => {
      if (one.clientMessageId !== clientMessageId) return [one];
      return to === null ? [] : [{ ...one, ...to }];
    }),
  );
}

/**
 * The server failed at it a moment ago. Other tabs, which hear of each change, ask again only after
 * a while. Any distance counts, because the device's clock may be set back.
 */
const failedJustNow = ({ failures }: StoredMessage): boolean =>
  failures !== undefined && Math.abs(Date.now() - failures.at) < RETRY_MS - 1_000;

/** Counts a failure of the server at a message. Returns how many there are. */
function countFailure(owner: OutboxOwner, message: StoredMessage): number {
  const count = (message.failures?.count ?? 0) + 1;
  changeOne(owner, message, { failures: { count, at: Date.now() } });
  return count;
}

/** Older browsers have no locks: there two tabs may send one message, which is stored once. */
async function oneTabAtATime(
  { account, space }: OutboxOwner,
  act: () => Promise<void>,
): Promise<void> {
  if (!("locks" in navigator)) return await act();
  await navigator.locks.request(`coreto-outbox:${account}:${space}`, act);
}

/** Why nothing can be sent for now; null without a connection. */
type Stop = { problem: string | null };
type Answer =
  | ({ state: "stopped" } & Stop)
  /** Of the server, or of something on the way to it; it says nothing about the message. */
  | { state: "failed" }
  | { state: "answered"; problem: string | null };

/** Nobody is signed in, or somebody else; and too many at once. */
const STOPS: readonly number[] = [401, 429];
/** Of an answer on the way to the server, which names no reason. */
const REFUSED = "O envio foi recusado.";
/** Of a message that the server fails at each time. */
const FAILED = "não enviada";

/**
 * Sends one message. `problem` of an answer says why the server refused it; null once it is stored.
 * A limit stops all messages, so that they keep their order.
 */
async function sendOne(
  { account, space }: OutboxOwner,
  { text, clientMessageId, replyTo }: StoredMessage,
  path: string,
): Promise<Answer> {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        text,
        clientMessageId,
        account,
        space,
        ...(replyTo === null ? {} : { replyTo }),
      }),
    });
    if (answer.status >= 500) return { state: "failed" };
    if (answer.ok) {
      readShape(await answer.json(), { seq: "number" });
      return { state: "answered", problem: null };
    }
    const problem = await problemOf(answer);
    return { state: STOPS.includes(answer.status) ? "stopped" : "answered", problem };
  } catch {
    return { state: "stopped", problem: null };
  }
}

async function problemOf(answer: Response): Promise<string> {
  try {
    return readShape(await answer.json(), { error: "string" }).error;
  } catch {
    return REFUSED;
  }
}
