import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { StoredMessage } from "./forget-outboxes.ts";
import { RETRY_MS, sendAll } from "./outbox-sending.ts";
import type { Stop } from "./outbox-sending.ts";
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

/** Where a message of a conversation is sent. */
const conversationSendPath = (conversationId: string): string => `/messages/${conversationId}/send`;

/**
 * Sends the account's messages one after the other, in their order, also those that were written
 * before a reload. Without a connection everything waits. What the server refuses, or fails at five
 * times in a row, is passed over, and stays until the person tries it again or discards it: the
 * order is that of the messages that go. One tab sends at a time, and a message that is sent twice
 * is stored once by its `clientMessageId`. Another account of the browser has its own outbox, which
 * waits for it. Where nobody is signed in any more the page is loaded anew, which leads to the
 * sign-in and back. `sendPath` must be the same function each time.
 */
export function useOutbox(owner: OutboxOwner, sendPath = conversationSendPath): Outbox {
  const { account, space } = owner;
  const own = useMemo(() => ({ account, space }), [account, space]);
  const [waiting, setWaiting] = useState<StoredMessage[]>([]);
  const [sent, setSent] = useState<StoredMessage[]>([]);
  const [stop, setStop] = useState<Stop | null>(null);
  const isBusy = useRef(false);
  const { revalidate } = useRevalidator();

  const flush = useCallback(async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    await oneTabAtATime(own, async () => {
      const onSent = (one: StoredMessage) => setSent((before) => [...before, one]);
      const onChange = () => setWaiting(storedMessages(own));
      const onProgress = () => setStop(null);
      const stopped = await sendAll(own, sendPath, { onSent, onChange, onProgress });
      setStop(stopped);
      if (stopped?.isSignedOut) void revalidate();
    });
    isBusy.current = false;
  }, [own, sendPath, revalidate]);

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

/** Older browsers have no locks: there two tabs may send one message, which is stored once. */
async function oneTabAtATime(
  { account, space }: OutboxOwner,
  act: () => Promise<void>,
): Promise<void> {
  if (!("locks" in navigator)) return await act();
  await navigator.locks.request(`coreto-outbox:${account}:${space}`, act);
}
