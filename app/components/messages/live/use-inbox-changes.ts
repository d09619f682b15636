import { useCallback, useEffect, useRef, useState } from "react";
import { LISTENING_MS } from "#app/domain/messages/rules.ts";
import { spacedCalls } from "#app/lib/spaced-calls.ts";

/** Without a socket the page asks this often. */
const POLL_MS = 15_000;
/** A page reads a change at once, and those that follow it within this time together. */
export const READ_GAP_MS = 150;
/** With many pages open, each waits a little of its own before it asks. */
const SPREAD_MS = 1_500;

/** Why `workers/live/topic.ts` closes a socket whose address expired. */
const EXPIRED = 4001;
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
 * after the page was hidden. An address expires: the page asks for the next one in time, which
 * counts as a change, and one whose session ended is led to the sign-in by it. `isCrowded`: many
 * people have the page open.
 */
export function useInboxChanges(
  listenAt: string,
  { isCrowded = false }: { isCrowded?: boolean } = {},
): InboxChanges {
  const address = useRef(listenAt);
  const renew = useRef(() => {});
  useEffect(() => {
    address.current = listenAt;
    renew.current();
  }, [listenAt]);
  const [changeCount, setChangeCount] = useState(0);
  const { typingIn, takeTyping } = useTyping();
  useEffect(() => {
    let socket: WebSocket | null = null;
    let triedAt: string | null = null;
    let triedSince = 0;
    let wantsNext = false;
    let poll: ReturnType<typeof setInterval> | undefined;
    const countOne = () => setChangeCount((before) => before + 1);
    const reads = isCrowded ? spreadCalls(countOne, SPREAD_MS) : spacedCalls(countOne, READ_GAP_MS);
    const count = reads.ask;
    const receive = ({ data }: MessageEvent) => {
      if (!takeTyping(data)) count();
    };
    // An address that expired closes the socket in the place of a change.
    const receiveEnd = ({ code }: CloseEvent) => {
      if (code === EXPIRED) count();
    };
    const stop = () => {
      clearInterval(poll);
      socket?.close();
      socket = null;
    };
    // The clock of the device may be wrong: only the time that passed counts.
    const isTimeForNext = () => performance.now() - triedSince > LISTENING_MS;
    const start = () => {
      stop();
      if (document.visibilityState === "hidden") return;
      triedAt = address.current;
      triedSince = performance.now();
      wantsNext = false;
      socket = opened(triedAt);
      socket?.addEventListener("close", receiveEnd);
      // The first message says that changes arrive from here on: earlier ones are asked for once.
      socket?.addEventListener("message", receive);
      poll = setInterval(() => {
        if (isTimeForNext()) {
          wantsNext = true;
          triedSince = performance.now();
        } else if (socket?.readyState === WebSocket.OPEN) return;
        // The former address may have expired.
        if (triedAt !== address.current) return start();
        void isReachable().then((reached) => {
          if (reached) count();
        });
      }, POLL_MS);
    };
    start();
    renew.current = () => {
      const isOpen = socket !== null && socket.readyState <= WebSocket.OPEN;
      if (triedAt !== address.current && (!isOpen || wantsNext)) start();
    };
    document.addEventListener("visibilitychange", start);
    window.addEventListener("online", start);
    return () => {
      renew.current = () => {};
      stop();
      reads.stop();
      document.removeEventListener("visibilitychange", start);
      window.removeEventListener("online", start);
    };
  }, [isCrowded, takeTyping]);
  return { changeCount, typingIn };
}

/** Where the other side is typing. `takeTyping` is false for a message that says something else. */
function useTyping() {
  const [typingIn, setTypingIn] = useState<string | null>(null);
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typed.current), []);
  const takeTyping = useCallback((data: unknown): boolean => {
    if (typeof data !== "string" || !data.startsWith(TYPING)) return false;
    clearTimeout(typed.current);
    setTypingIn(data.slice(TYPING.length));
    typed.current = setTimeout(() => setTypingIn(null), TYPING_SHOWN_MS);
    return true;
  }, []);
  return { typingIn, takeTyping };
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
