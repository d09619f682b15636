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

/**
 * Asks how a charge stands while the page is in sight, and reloads the page's data once it changed: every 2 s for the first minute,
 * then ever slower up to 15 s. Coming back to the page asks at once.
 */
export function useChargeStatus({ chargeId, status, isWaiting }: { chargeId: string; status: string; isWaiting: boolean }): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let polls = 0;

    const ask = async () => {
      if (document.visibilityState === "hidden") return;
      polls += 1;
      const now = await askStatus(chargeId, stop.signal);
      if (stop.signal.aborted) return;
      if (now !== null && now !== status) await revalidate();
      schedule();
    };
    const schedule = () => {
      clearTimeout(timer);
      const slower = 1.3 ** Math.max(0, polls - PATIENT_POLLS);
      timer = setTimeout(() => void ask(), polls === 0 ? FIRST_DELAY_MS : Math.min(LONGEST_DELAY_MS, DELAY_MS * slower));
    };
    const lookAgain = () => {
      if (document.visibilityState === "hidden") return clearTimeout(timer);
      polls = 0;
      void ask();
    };

    schedule();
    document.addEventListener("visibilitychange", lookAgain);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookAgain);
    };
  }, [chargeId, status, isWaiting, revalidate]);
}

/** The status, "gone" when the session ended (the reload leads to the sign-in and back), or null when nobody answered. */
async function askStatus(chargeId: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(`/checkout/${chargeId}/status`, { signal, headers: { Accept: "application/json" } });
    if (answer.status === 401) return "gone";
    if (!answer.ok) return null;
    return statusSchema.parse(await answer.json()).status;
  } catch {
    return null;
  }
}
