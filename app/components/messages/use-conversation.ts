import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { FILE_LABELS, tipText } from "#app/domain/messages/rules.ts";
import type { Box } from "#app/domain/messages/rules.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import { readShape } from "#app/lib/json-shape.ts";

/** A message that this page sends: it is shown before the server has it. */
export type PendingMessage = {
  clientMessageId: string;
  text: string;
  replyTo: number | null;
  /** `sent` is stored, and shown like `sending` until the page has read it. */
  state: "sending" | "sent" | "failed";
  /** Why the server refused it; null when the connection failed. */
  problem: string | null;
};

/** What `/messages/:id/changes` answers. */
export type ChangesAnswer = ConversationState & { messages: Message[]; isComplete: boolean };

/** What may change around the messages of an open page. */
type ConversationState = {
  otherReadSeq: number | null;
  box: Box;
  /** Why nothing can be written now. */
  closed: string | null;
};

type Loaded = ConversationState & {
  id: string;
  messages: Message[];
  revision: number;
  space: string;
  /** Whether the page shows the latest messages, and so new ones too. */
  isLatest: boolean;
};

/**
 * Keeps the messages of an open conversation: those of the page, those that changed since, and own
 * ones on their way. Own messages are sent one after the other, in their order. `changeCount`
 * changes when something may have changed; everything after the last seen revision is then read, in
 * pages.
 */
export function useConversation(loaded: Loaded, changeCount: number) {
  const { id, space, isLatest } = loaded;
  const [changed, setChanged] = useState<Message[]>([]);
  const [state, setState] = useState<{ loaded: Loaded; now: ConversationState }>({
    loaded,
    now: loaded,
  });
  // A page that was loaded again, such as after "Aceitar", is newer than the last answer.
  if (state.loaded !== loaded) setState({ loaded, now: loaded });
  const [announced, setAnnounced] = useState("");
  const seen = useRef({ revision: loaded.revision, seq: loaded.messages.at(-1)?.seq ?? 0 });
  const asking = useRef({ isBusy: false, again: false });

  // The page's own messages may come anew too, such as after a reaction.
  const messages = useMemo(
    () => mergeMessages(changed, loaded.messages),
    [changed, loaded.messages],
  );

  const show = useCallback((answer: ChangesAnswer) => {
    const fresh = answer.messages.filter((one) => one.seq > seen.current.seq);
    const arrived = fresh.findLast((one) => !one.isOwn && !one.isDeleted);
    if (arrived) setAnnounced(announcedText(arrived));
    for (const { revision, seq } of answer.messages)
      seen.current = {
        revision: Math.max(seen.current.revision, revision),
        seq: Math.max(seen.current.seq, seq),
      };
    setState((before) => ({ ...before, now: answer }));
    setChanged((before) => mergeMessages(before, answer.messages));
  }, []);

  const catchUp = useCallback(async () => {
    asking.current.again = true;
    if (asking.current.isBusy) return;
    asking.current.isBusy = true;
    while (asking.current.again) {
      asking.current.again = false;
      const answer = await changesAfter(id, seen.current.revision);
      if (answer) show(answer);
      if (answer && !answer.isComplete) asking.current.again = true;
    }
    asking.current.isBusy = false;
  }, [id, show]);

  useEffect(() => {
    if (isLatest && changeCount > 0) void catchUp();
  }, [changeCount, isLatest, catchUp]);

  const { pending, send, retry } = useSending({ id, space }, catchUp);
  const arrived = new Set(messages.map((one) => one.clientMessageId));
  return {
    messages,
    otherReadSeq: state.now.otherReadSeq,
    box: state.now.box,
    closed: state.now.closed,
    announced,
    send,
    retry,
    pending: pending.filter((one) => !arrived.has(one.clientMessageId)),
  };
}

/** Sends own messages one after the other. `onSent` runs after each that the server has. */
function useSending({ id, space }: Pick<Loaded, "id" | "space">, onSent: () => Promise<void>) {
  const [pending, setPending] = useState<PendingMessage[]>([]);
  // The first message on its way is sent; its answer lets the next one go.
  const next = pending.find((one) => one.state === "sending");
  const nextId = next?.clientMessageId;
  useEffect(() => {
    if (!next) return;
    void (async () => {
      const answer = await sent(id, space, next);
      setPending((before) =>
        before.map((one) => (one.clientMessageId === nextId ? { ...one, ...answer } : one)),
      );
      if (answer.state === "sent") await onSent();
    })();
    // oxlint-disable-next-line react/exhaustive-deps -- only another first message starts a sending
  }, [nextId]);

  const send = useCallback((text: string, clientMessageId: string, replyTo: number | null) => {
    const message = { clientMessageId, text, replyTo, state: "sending" as const, problem: null };
    setPending((before) => [...before, message]);
  }, []);
  const retry = useCallback((clientMessageId: string) => {
    setPending((before) =>
      before.map((one) =>
        one.clientMessageId === clientMessageId ? { ...one, state: "sending", problem: null } : one,
      ),
    );
  }, []);
  return { pending, send, retry };
}

function announcedText({ text, file, sale, tipCents }: Message): string {
  if (tipCents !== null) return tipText(tipCents);
  const fileKind = file?.kind ?? sale?.fileKind;
  return text || (fileKind ? FILE_LABELS[fileKind] : "");
}

/** Joins two lists by seq. The later revision of a message counts. */
function mergeMessages(before: readonly Message[], changed: readonly Message[]): Message[] {
  const bySeq = new Map(before.map((one) => [one.seq, one]));
  for (const one of changed) {
    const known = bySeq.get(one.seq);
    if (!known || known.revision <= one.revision) bySeq.set(one.seq, one);
  }
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}

async function changesAfter(id: string, revision: number): Promise<ChangesAnswer | null> {
  try {
    const answer = await fetch(`/messages/${id}/changes?after=${revision}`, {
      headers: { Accept: "application/json" },
    });
    if (!answer.ok) return null;
    const changes: ChangesAnswer = await answer.json();
    return changes;
  } catch {
    return null;
  }
}

/** Sends one message. `problem` says why the server refused it; null for no connection. */
async function sent(
  id: string,
  space: string,
  { text, clientMessageId, replyTo }: PendingMessage,
): Promise<Pick<PendingMessage, "state" | "problem">> {
  try {
    const answer = await fetch(`/messages/${id}/send`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        text,
        clientMessageId,
        space,
        ...(replyTo === null ? {} : { replyTo }),
      }),
    });
    if (answer.ok) return { state: "sent", problem: null };
    return { state: "failed", problem: readShape(await answer.json(), { error: "string" }).error };
  } catch {
    return { state: "failed", problem: null };
  }
}
