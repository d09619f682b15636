import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { z } from "zod";

const DELAY_MS = 2_000;
/** Who comes back from the bank is often expected already. */
const FIRST_DELAY_MS = 700;
const LONGEST_DELAY_MS = 15_000;
/** A person waits about a minute in front of the page; after that we ask less often. */
const PATIENT_POLLS = 30;

const statusSchema = z.object({ status: z.string() });

type Waiting = {
  /** Where the page asks for its status. */ statusPath: string;
  status: string;
  isWaiting: boolean;
  listenAt: string | null;
};

/**
 * Listens for a charge's news while the page is in sight, and reloads the page's data once it
 * changed. Where nobody can be listened to it asks: every 2 s for the first minute, then ever
 * slower up to 15 s. Coming back to the page asks at once.
 */
export function useChargeStatus({ statusPath, status, isWaiting, listenAt }: Waiting): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let socket: WebSocket | null = null;
    let polls = 0;

    const ask = async () => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") return;
      polls += 1;
      const now = await askStatus(statusPath, stop.signal);
      if (stop.signal.aborted) return;
      if (now !== null && now !== status) await revalidate();
      schedule();
    };
    const schedule = () => {
      clearTimeout(timer);
      const slower = 1.3 ** Math.max(0, polls - PATIENT_POLLS);
      const isHeard = socket?.readyState === WebSocket.OPEN;
      timer = setTimeout(
        () => void ask(),
        polls === 0
          ? FIRST_DELAY_MS
          : isHeard
            ? LONGEST_DELAY_MS
            : Math.min(LONGEST_DELAY_MS, DELAY_MS * slower),
      );
    };
    const listen = () => {
      socket = opened(listenAt);
      if (!socket) return;
      // The first says that we are heard from here on: what changed before is asked for once.
      socket.addEventListener("message", () => void ask());
      socket.addEventListener("close", schedule);
    };
    const lookAgain = () => {
      clearTimeout(timer);
      hangUp();
      if (document.visibilityState === "hidden") return;
      polls = 0;
      listen();
      void ask();
    };
    const hangUp = () => {
      socket?.removeEventListener("close", schedule);
      socket?.close();
      socket = null;
    };

    schedule();
    if (document.visibilityState === "visible") listen();
    document.addEventListener("visibilitychange", lookAgain);
    return () => {
      stop.abort();
      clearTimeout(timer);
      hangUp();
      document.removeEventListener("visibilitychange", lookAgain);
    };
  }, [statusPath, status, isWaiting, listenAt, revalidate]);
}

/**
 * Null where nobody can be listened to: the page then asks by itself. Older browsers take no
 * relative address, nor one of http.
 */
function opened(listenAt: string | null): WebSocket | null {
  if (listenAt === null) return null;
  try {
    return new WebSocket(new URL(listenAt, window.location.href).href.replace(/^http/, "ws"));
  } catch {
    return null;
  }
}

/**
 * The status, "gone" when the session ended (the reload leads to the sign-in and back), or null
 * when nobody answered.
 */
async function askStatus(statusPath: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(statusPath, { signal, headers: { Accept: "application/json" } });
    if (answer.status === 401) return "gone";
    if (!answer.ok) return null;
    return statusSchema.parse(await answer.json()).status;
  } catch {
    return null;
  }
}
