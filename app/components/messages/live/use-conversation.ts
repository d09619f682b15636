import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { filesLabel, tipText } from "#app/domain/messages/rules.ts";
import type { Box } from "#app/domain/messages/rules.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import type { Outbox, PendingMessage } from "#app/components/messages/outbox/use-outbox.ts";

/** What `/messages/:id/changes` answers. */
export type ChangesAnswer = ChangedMessages<Message> & ConversationState;

/** What may change around the messages of an open page. */
type ConversationState = {
  otherReadSeq: number | null;
  box: Box;
  /** Why nothing can be written now. */
  closed: string | null;
};

/** What a page needs of a message to put it in its place. */
type OrderedMessage = Pick<Message, "seq" | "revision" | "isOwn" | "isDeleted" | "clientMessageId">;

/** A page of messages that changed. `isComplete`: there are no more. */
export type ChangedMessages<One> = { messages: One[]; isComplete: boolean };

type Loaded<One> = {
  id: string;
  messages: One[];
  revision: number;
  /** Whether the page shows the latest messages, and so new ones too. */
  isLatest: boolean;
};

type Changing<One, Answer> = {
  loaded: Loaded<One> & Omit<Answer, keyof ChangedMessages<One>>;
  /** Changes when something may have changed. */
  changeCount: number;
  outbox: Outbox;
  /** Where the changes are asked for. */
  changesPath: string;
  /** What a screen reader says of messages of others that arrived at once, the oldest first. */
  announce(arrived: One[]): string;
};

/** Keeps the messages of an open conversation of two. */
export function useConversation(
  loaded: Loaded<Message> & ConversationState,
  changeCount: number,
  outbox: Outbox,
) {
  return useChangingMessages<Message, ChangesAnswer>({
    loaded,
    changeCount,
    outbox,
    changesPath: `/messages/${loaded.id}/changes`,
    announce: announcedLast,
  });
}

/**
 * Keeps the messages of an open page: those of the page, those that changed since, and own ones on
 * their way, which the outbox sends. `changeCount` changes when something may have changed;
 * everything after the last seen revision is then read, in pages. `state` is what else the last
 * answer says, or the page. `catchUp` reads at once, and tells whether the server answered.
 */
export function useChangingMessages<
  One extends OrderedMessage,
  Answer extends ChangedMessages<One>,
>({ loaded, changeCount, outbox, changesPath, announce }: Changing<One, Answer>) {
  type State = Omit<Answer, keyof ChangedMessages<One>>;
  const { id, isLatest } = loaded;
  const [changed, setChanged] = useState<One[]>([]);
  const [state, setState] = useState<{ loaded: object; now: State }>({ loaded, now: loaded });
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

  const show = useCallback(
    (answer: Answer) => {
      const arrived = answer.messages.filter(
        (one) => one.seq > seen.current.seq && !one.isOwn && !one.isDeleted,
      );
      if (arrived.length > 0) setAnnounced(announce(arrived));
      for (const { revision, seq } of answer.messages)
        seen.current = {
          revision: Math.max(seen.current.revision, revision),
          seq: Math.max(seen.current.seq, seq),
        };
      setState((before) => ({ ...before, now: answer }));
      setChanged((before) => mergeMessages(before, answer.messages));
    },
    [announce],
  );

  const catchUp = useCallback(async (): Promise<boolean> => {
    asking.current.again = true;
    if (asking.current.isBusy) return true;
    asking.current.isBusy = true;
    let answer: Answer | null = null;
    while (asking.current.again) {
      asking.current.again = false;
      answer = await changesAfter<Answer>(changesPath, seen.current.revision);
      if (answer) show(answer);
      if (answer && !answer.isComplete) asking.current.again = true;
    }
    asking.current.isBusy = false;
    return answer !== null;
  }, [changesPath, show]);

  useEffect(() => {
    if (isLatest && changeCount > 0) void catchUp();
  }, [changeCount, isLatest, catchUp]);

  // A page of older messages shows nothing that is newer.
  const own = outbox.pending.filter(
    (one) => one.conversationId === id && (isLatest || one.state !== "sent"),
  );
  const sentCount = own.filter((one) => one.state === "sent").length;
  useEffect(() => {
    if (isLatest && sentCount > 0) void catchUp();
  }, [isLatest, sentCount, catchUp]);
  const arrived = new Set(messages.map((one) => one.clientMessageId));
  const isShown = ({ state: sent, clientMessageId }: PendingMessage) =>
    sent === "sent" && arrived.has(clientMessageId);
  useRelease(own.filter(isShown), outbox);
  return {
    messages,
    state: state.now,
    announced,
    catchUp,
    pending: own.filter((one) => !arrived.has(one.clientMessageId)),
  };
}

/** Lets the outbox forget the sent messages that the page has from the server. */
function useRelease(shown: PendingMessage[], { release }: Outbox): void {
  const ids = shown.map(({ clientMessageId }) => clientMessageId);
  useEffect(() => {
    if (ids.length > 0) release(ids);
    // oxlint-disable-next-line react/exhaustive-deps -- the names of the shown ones are the list
  }, [ids.join(" "), release]);
}

const announcedLast = (arrived: Message[]): string => {
  const last = arrived.at(-1);
  return last ? announcedText(last) : "";
};

function announcedText({ text, files, sale, tipCents }: Message): string {
  if (tipCents !== null) return tipText(tipCents);
  const kinds = sale?.fileKinds ?? files.map(({ kind }) => kind);
  return text || (kinds.length > 0 ? filesLabel(kinds) : "");
}

/** Joins two lists by seq. The later revision of a message counts. */
function mergeMessages<One extends OrderedMessage>(
  before: readonly One[],
  changed: readonly One[],
): One[] {
  const bySeq = new Map(before.map((one) => [one.seq, one]));
  for (const one of changed) {
    const shown = bySeq.get(one.seq);
    if (!shown || shown.revision <= one.revision) bySeq.set(one.seq, one);
  }
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}

async function changesAfter<Answer>(path: string, revision: number): Promise<Answer | null> {
  try {
    const answer = await fetch(`${path}?after=${revision}`, {
      headers: { Accept: "application/json" },
    });
    if (!answer.ok) return null;
    const changes: Answer = await answer.json();
    return changes;
  } catch {
    return null;
  }
}
