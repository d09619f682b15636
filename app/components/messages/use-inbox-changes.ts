import { useEffect, useRef, useState } from "react";
import { spacedCalls } from "#app/lib/spaced-calls.ts";

/** Without a socket the page asks this often. */
const POLL_MS = 15_000;
/** A page reads a change at once, and those that follow it within this time together. */
export const READ_GAP_MS = 150;
/** With many pages open, each waits a little of its own before it asks. */
const SPREAD_MS = 1_500;

/** Before the id of a conversation, in a message of the socket (`workers/live/topic.ts`). */
const TYPING = "typing:";
/** A page that is written in says so more often than this. */
const TYPING_SHOWN_MS = 6_000;

export type InboxChanges = {
  changeCount: number;
  /** The conversation whose other side is typing. */
  typingIn: string | null;
};

/**
 * Counts what changed in the person's conversations while the page is visible: by a socket, and
 * without one every 15 s, if the server answers. Counts once when the socket opens again, such as
 * after the page was hidden. A new address counts from the next time that it opens. `isCrowded`:
 * many people have the page open.
 */
export function useInboxChanges(
  listenAt: string,
  { isCrowded = false }: { isCrowded?: boolean } = {},
): InboxChanges {
  const address = useRef(listenAt);
  useEffect(() => {
    address.current = listenAt;
  }, [listenAt]);
  const [changeCount, setChangeCount] = useState(0);
  const [typingIn, setTypingIn] = useState<string | null>(null);
  useEffect(() => {
    let socket: WebSocket | null = null;
    let triedAt: string | null = null;
    let poll: ReturnType<typeof setInterval> | undefined;
    let typed: ReturnType<typeof setTimeout> | undefined;
    const countOne = () => setChangeCount((before) => before + 1);
    const reads = isCrowded ? spreadCalls(countOne, SPREAD_MS) : spacedCalls(countOne, READ_GAP_MS);
    const count = reads.ask;
    const receive = ({ data }: MessageEvent) => {
      if (typeof data !== "string" || !data.startsWith(TYPING)) return count();
      clearTimeout(typed);
      setTypingIn(data.slice(TYPING.length));
      typed = setTimeout(() => setTypingIn(null), TYPING_SHOWN_MS);
    };
    const stop = () => {
      clearInterval(poll);
      socket?.close();
      socket = null;
    };
    const start = () => {
      stop();
      if (document.visibilityState === "hidden") return;
      triedAt = address.current;
      socket = opened(triedAt);
      // The first message says that changes arrive from here on: earlier ones are asked for once.
      socket?.addEventListener("message", receive);
      poll = setInterval(() => {
        if (socket?.readyState === WebSocket.OPEN) return;
        // The former address may have expired.
        if (triedAt !== address.current) return start();
        void isReachable().then((reached) => {
          if (reached) count();
        });
      }, POLL_MS);
    };
    start();
    document.addEventListener("visibilitychange", start);
    window.addEventListener("online", start);
    return () => {
      stop();
      reads.stop();
      clearTimeout(typed);
      document.removeEventListener("visibilitychange", start);
      window.removeEventListener("online", start);
    };
  }, [isCrowded]);
  return { changeCount, typingIn };
}

/** A page that reloads its data without a connection would show an error instead. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/resources/notification-count")).ok;
  } catch {
    return false;
  }
}

/** Calls `act` once for all asks within a random part of `mostMs`, which none of them puts off. */
function spreadCalls(act: () => void, mostMs: number): ReturnType<typeof spacedCalls> {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return {
    ask() {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        act();
      }, Math.random() * mostMs);
    },
    stop() {
      clearTimeout(waiting);
      waiting = undefined;
    },
  };
}

/** Older browsers accept no relative or http URL. */
function opened(listenAt: string): WebSocket | null {
  try {
    return new WebSocket(new URL(listenAt, window.location.href).href.replace(/^http/, "ws"));
  } catch {
    return null;
  }
}
