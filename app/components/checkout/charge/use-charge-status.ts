import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { readShape } from "#app/lib/json-shape.ts";

const DELAY_MS = 2_000;
/** A payer who returns from the bank has often been confirmed already. */
const FIRST_DELAY_MS = 700;
const LONGEST_DELAY_MS = 15_000;
/** Number of polls at full rate, about a minute. After that we ask less often. */
const PATIENT_POLLS = 30;

type Waiting = {
  /** Path of the status endpoint. */
  statusPath: string;
  status: string;
  isWaiting: boolean;
  listenAt: string | null;
};

/**
 * Listens for updates of a charge while the page is visible, and reloads its data on a change.
 * Without a socket it polls every 2 s for the first minute, then slower, up to 15 s. Asks at once
 * when the page becomes visible.
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
      const isConnected = socket?.readyState === WebSocket.OPEN;
      timer = setTimeout(
        () => void ask(),
        polls === 0
          ? FIRST_DELAY_MS
          : isConnected
            ? LONGEST_DELAY_MS
            : Math.min(LONGEST_DELAY_MS, DELAY_MS * slower),
      );
    };
    const listen = () => {
      socket = opened(listenAt);
      if (!socket) return;
      // The first message means that updates arrive from here on: ask once for earlier changes.
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
 * Opens the socket; null where there is none, and the page then polls. Older browsers accept no
 * relative or http URL.
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
 * Reads the status. "gone": the session ended, and the reload leads to sign-in and back. Null: no
 * answer.
 */
async function askStatus(statusPath: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(statusPath, { signal, headers: { Accept: "application/json" } });
    if (answer.status === 401) return "gone";
    if (!answer.ok) return null;
    return readShape(await answer.json(), { status: "string" }).status;
  } catch {
    return null;
  }
}
