import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readShape } from "#app/lib/json-shape.ts";
import { forgetOutboxes } from "./forget-outboxes.ts";
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

/**
 * Sends the account's messages one after the other, in their order, also those that were written
 * before a reload. Without a connection everything waits; what the server refuses is passed over,
 * and stays until the person tries it again or discards it. One tab sends at a time, and a message
 * that is sent twice is stored once by its `clientMessageId`.
 */
export function useOutbox(owner: OutboxOwner): Outbox {
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
      const refresh = () => setWaiting(storedMessages(own));
      for (;;) {
        refresh();
        const next = storedMessages(own).find(({ problem }) => problem === null);
        if (!next) return setStop(null);
        const answer = await sendOne(own, next);
        // It stays until something is answered: a retry alone changes nothing that is shown.
        if (answer.state === "stopped") return setStop(answer);
        setStop(null);
        changeOne(own, next, answer.problem === null ? null : { problem: answer.problem });
        if (answer.problem === null) setSent((before) => [...before, next]);
      }
    });
    isBusy.current = false;
  }, [own]);

  useEffect(() => {
    forgetOutboxes(own.account);
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
        messages.map((one) => (one.clientMessageId === id ? { ...one, problem: null } : one)),
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
  to: Pick<StoredMessage, "problem"> | null,
): void {
  changeStored(owner, (messages) =>
    messages.flatMap((one) => {
      if (one.clientMessageId !== clientMessageId) return [one];
      return to === null ? [] : [{ ...one, ...to }];
    }),
  );
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
type Answer = ({ state: "stopped" } & Stop) | { state: "answered"; problem: string | null };

/** Nobody is signed in, or somebody else; and too many at once. */
const STOPS: readonly number[] = [401, 429];
/** Of an answer on the way to the server, which names no reason. */
const REFUSED = "O envio foi recusado.";

/**
 * Sends one message. `problem` of an answer says why the server refused it; null once it is stored.
 * A limit stops all messages, so that they keep their order.
 */
async function sendOne(
  { account, space }: OutboxOwner,
  { conversationId, text, clientMessageId, replyTo }: StoredMessage,
): Promise<Answer> {
  try {
    const answer = await fetch(`/messages/${conversationId}/send`, {
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
    // A failure of the server, or of something on the way to it, says nothing about the message.
    if (answer.status >= 500) return { state: "stopped", problem: null };
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
