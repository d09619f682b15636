import { useEffect } from "react";
import { waitingEntries } from "#app/components/events/door/forget-doors.ts";
import { cancelSignOut, waitingCount } from "#app/components/messages/outbox/forget-outboxes.ts";

const SIGN_OUT_PATH = "/auth/logout";

/**
 * Asks before any form of the page signs the account out, while messages or entries of a door wait
 * to be sent.
 */
export function useSignOutCleanup(): void {
  useEffect(() => {
    // A sign-out that failed leads back to a page like this one.
    cancelSignOut();
    const ask = (event: SubmitEvent) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      if (new URL(event.target.action).pathname !== SIGN_OUT_PATH) return;
      if (waitingCount() === 0 && waitingEntries() === 0) return;
      event.preventDefault();
      window.location.assign(SIGN_OUT_PATH);
    };
    document.addEventListener("submit", ask);
    return () => document.removeEventListener("submit", ask);
  }, []);
}
